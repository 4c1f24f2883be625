import { openStore } from "../../adapters/store/open-store.ts";
import type { Store } from "../../adapters/store/port.ts";
import { schedules, type ScheduleDoc } from "../../services/schedules/model.ts";
import { storeAt } from "./real-servers.ts";

/** Changes the schedules of a running server directly in its store. */
export async function withSchedules<T>(dataDir: string, work: (store: Store) => Promise<T>): Promise<T> {
  const store = await openStore({ ...storeAt(dataDir), collections: [schedules] });
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}

/** Makes a schedule due, as after downtime. */
export const makeDue = (
  dataDir: string,
  workspaceId: string,
  id: string,
  nextRunAt: Date,
): Promise<ScheduleDoc | null> =>
  withSchedules(dataDir, store => store.tenant(schedules, workspaceId).updateOne({ id }, { $set: { nextRunAt } }));
