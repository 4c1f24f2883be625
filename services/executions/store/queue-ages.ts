import type { Store } from "../../../adapters/store/port.ts";
import { Executions, type ExecutionDoc } from "./model.ts";

/** The oldest execution is searched among the first in the queue. Within a workspace, the queue is in order of time. */
const LOOKED_AT = 100;

/** The first executions that any worker may take. A workspace at its limit waits by design, so its executions are left out. */
export async function firstFree(
  store: Store,
  holding: Record<string, number>,
  perWorkspace: number,
): Promise<ExecutionDoc[]> {
  const full = Object.keys(holding).filter(id => (holding[id] ?? 0) >= perWorkspace);
  const free = { queued: true, ...(full.length > 0 && { workspaceId: { $nin: full } }) };
  return (await store.acrossTenants(Executions).find(free, { sort: { order: 1 }, limit: LOOKED_AT })).items;
}

/** The time since which the most overdue execution should have continued. */
export async function latestWake(store: Store, now: Date): Promise<Date | undefined> {
  const due = { wakeAt: { $lte: now } };
  const { items } = await store.acrossTenants(Executions).find(due, { sort: { wakeAt: 1 }, limit: 1 });
  return items[0]?.wakeAt;
}

/** Whether an execution has waited in the queue since it was created. */
export const isFresh = ({ startedAt, group }: ExecutionDoc): boolean => !startedAt && group === undefined;

export const secondsSince = (then: Date | undefined, now: Date): number =>
  then ? Math.max(0, now.getTime() - then.getTime()) / 1_000 : 0;
