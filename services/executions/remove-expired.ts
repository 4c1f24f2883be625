import type { Store } from "../../adapters/store/port.ts";
import { Executions, Journal, journalRange } from "./model.ts";

const BATCH = 50;
/** Appends that are removed in one write: longer journals take several. */
const JOURNAL_BATCH = 500;

/**
 * Removes some of the executions that finished before `before`, those first that finished first, with their journals; only
 * what the statistics have counted. Gives whether there may be more. Any number of nodes may do this at once.
 */
export async function removeExpired(store: Store, before: Date): Promise<boolean> {
  const docs = store.acrossTenants(Executions);
  const expired = { counted: true, finishedAt: { $exists: true, $lt: before } };
  const { items, next } = await docs.find(expired, { sort: { finishedAt: 1 }, limit: BATCH });
  if (items.length === 0) return false;
  // The journals first: while there is the document, what is left of them is found again.
  const journals = { $or: items.map(({ id }) => ({ id: journalRange(id) })) };
  if ((await store.acrossTenants(Journal).remove(journals, { limit: JOURNAL_BATCH })) === JOURNAL_BATCH) return true;
  await docs.remove({ ...expired, id: { $in: items.map(({ id }) => id) } });
  return next !== null;
}
