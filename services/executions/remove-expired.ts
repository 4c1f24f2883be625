import type { Store } from "../../adapters/store/port.ts";
import { isFinal } from "../../core/run/state.ts";
import { Executions, Journal, journalRange, type ExecutionDoc } from "./model.ts";

const BATCH = 25;
/** Appends of one journal that go in one write: longer ones take several. */
const JOURNAL_BATCH = 20;

/** Those that no run waits for any more: one that finds the execution gone that it waits for starts it again. */
async function unneeded(store: Store, docs: ExecutionDoc[]): Promise<ExecutionDoc[]> {
  const ids = docs.map(doc => doc.parentId).filter(id => id !== undefined);
  if (ids.length === 0) return docs;
  const { items } = await store.acrossTenants(Executions).find({ id: { $in: ids } }, { limit: BATCH });
  const waiting = new Set(items.filter(parent => !isFinal(parent.status)).map(({ id }) => id));
  return docs.filter(({ parentId }) => parentId === undefined || !waiting.has(parentId));
}

/**
 * Removes some of the executions that finished before `before`, those first that finished first, with their journals; only
 * what the statistics have counted and nothing else is left to be done for. Gives the cursor to go on with, and whether
 * there may be more. Any number of nodes may do this at once.
 */
export async function removeExpired(
  store: Store,
  before: Date,
  cursor: string | null,
): Promise<{ cursor: string | null; more: boolean }> {
  const docs = store.acrossTenants(Executions);
  const finishedAt = { $exists: true, $lt: before };
  const expired = { counted: true, finishedAt, followUp: null, tellAt: null };
  const { items, next } = await docs.find(expired, { sort: { finishedAt: 1 }, limit: BATCH, after: cursor });
  const old = await unneeded(store, items);
  // The journals first: while there is the document, what is left of them is found again.
  const removed = await store.write(
    old.map(({ id, workspaceId }) =>
      store.tenant(Journal, workspaceId).ops.remove({ id: journalRange(id) }, { limit: JOURNAL_BATCH }),
    ),
  );
  const ids = old.map(({ id }) => id).filter((_, place) => (removed[place] ?? 0) < JOURNAL_BATCH);
  // By their ids alone, or the embedded store goes through all that have expired. What has finished stays so.
  if (ids.length > 0) await docs.remove({ id: { $in: ids } });
  return ids.length < old.length ? { cursor, more: true } : { cursor: next, more: next !== null };
}
