import type { Store } from "../../../adapters/store/port.ts";
import type { QueuePlace } from "../../../contracts/entities/execution.ts";
import { Executions } from "./model.ts";

/** More runs than this are not counted. */
const COUNTED = { limit: 10_000 };

/**
 * The place in the queue of a run that has not begun.
 * @param perWorkspace how many runs of a workspace may run at the same time
 * @returns undefined if the run has begun meanwhile, or a worker is claiming it
 */
export async function queuePlace(
  store: Store,
  { workspaceId, id }: { workspaceId: string; id: string },
  perWorkspace: number,
): Promise<QueuePlace | undefined> {
  const runs = store.tenant(Executions, workspaceId);
  const doc = await runs.get({ id });
  if (doc?.status !== "pending" || doc.workerId !== undefined) return undefined;
  const { group, order, queued } = doc;
  if (queued !== true) {
    if (group === undefined) return undefined;
    const earlier = { group, status: "pending" as const, startedAt: null, id: { $lt: id } };
    return { reason: "workflow_limit", before: await runs.count(earlier, COUNTED) };
  }
  const [before, held] = await Promise.all([
    order === undefined ? 0 : runs.count({ queued: true, order: { $lt: order } }, COUNTED),
    runs.count({ workerId: { $exists: true } }, { limit: perWorkspace }),
  ]);
  return { reason: held >= perWorkspace ? "workspace_limit" : "worker", before };
}
