import type { Store } from "../../adapters/store/port.ts";
import { isFinal } from "../../core/run/state.ts";
import { Executions, Journal, journalRange, type ExecutionDoc } from "./model.ts";

const BATCH = 50;
/** Appends that are removed in one write: longer journals take several. */
const JOURNAL_BATCH = 500;

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
  const ids = (await unneeded(store, items)).map(({ id }) => id);
  const rest = { cursor: next, more: next !== null };
  if (ids.length === 0) return rest;
  // The journals first: while there is the document, what is left of them is found again.
  const journals = { $or: ids.map(id => ({ id: journalRange(id) })) };
  const journal = store.acrossTenants(Journal);
  if ((await journal.remove(journals, { limit: JOURNAL_BATCH })) === JOURNAL_BATCH) return { cursor, more: true };
  await docs.remove({ ...expired, id: { $in: ids } });
  return rest;
}
