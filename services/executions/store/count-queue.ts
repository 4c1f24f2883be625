import type { Store } from "../../../adapters/store/port.ts";
import { Executions, Workers } from "./model.ts";

/** A longer queue is not counted to the end, because the exact number is not worth the cost. */
const MAX_COUNTED = 10_000;

/** The executions of the whole store by what they wait for, each counted up to 10,000, and the workers with a valid lease. */
export interface QueueCount {
  queued: number;
  held: number;
  sleeping: number;
  suspended: number;
  workers: number;
}

/** Counts the queue by a few bounded queries over partial indexes. `holding`: the held executions by workspace. */
export async function countQueue(
  store: Store,
  now: Date,
): Promise<{ count: QueueCount; holding: Record<string, number> }> {
  const all = store.acrossTenants(Executions);
  const counted = { limit: MAX_COUNTED };
  const [holding, queued, sleeping, suspended, workers] = await Promise.all([
    all.tally({ workerId: { $exists: true } }, "workspaceId"),
    all.count({ queued: true }, counted),
    all.count({ wakeAt: { $exists: true } }, counted),
    all.count({ asking: { $exists: true }, status: "suspended" }, counted),
    store.global(Workers).count({ expiresAt: { $gt: now } }, counted),
  ]);
  const held = Math.min(
    Object.values(holding).reduce((sum, count) => sum + count, 0),
    MAX_COUNTED,
  );
  return { count: { queued, held, sleeping, suspended, workers }, holding };
}
