import type { Store } from "../../../adapters/store/port.ts";
import { isFinal } from "../../../core/run/state.ts";
import { Executions, type ExecutionDoc } from "../store/model.ts";
import { REMOVE_BATCH, removeRuns } from "./remove-runs.ts";

/** The executions that no run waits for. A run that waits for a missing execution would start it again. */
async function unneeded(store: Store, docs: ExecutionDoc[]): Promise<ExecutionDoc[]> {
  const ids = docs.map(doc => doc.parentId).filter(id => id !== undefined);
  if (ids.length === 0) return docs;
  const { items } = await store.acrossTenants(Executions).find({ id: { $in: ids } }, { limit: REMOVE_BATCH });
  const waiting = new Set(items.filter(parent => !isFinal(parent.status)).map(({ id }) => id));
  return docs.filter(({ parentId }) => parentId === undefined || !waiting.has(parentId));
}

/**
 * Removes some of the executions that finished before `before`, oldest first, with their journals. It removes only
 * executions that the statistics include and that have no follow-ups left. Returns the next cursor, and whether there
 * may be more. Any number of nodes may do this at the same time.
 */
export async function removeExpired(
  store: Store,
  before: Date,
  cursor: string | null,
): Promise<{ cursor: string | null; more: boolean }> {
  const docs = store.acrossTenants(Executions);
  const finishedAt = { $lt: before };
  const expired = { counted: true, finishedAt, followUp: null, tellAt: null };
  const { items, next } = await docs.find(expired, { sort: { finishedAt: 1 }, limit: REMOVE_BATCH, after: cursor });
  const old = await unneeded(store, items);
  const left = await removeRuns(store, old);
  return left.length > 0 ? { cursor, more: true } : { cursor: next, more: next !== null };
}
