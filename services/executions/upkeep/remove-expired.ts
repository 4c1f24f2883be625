import type { Store } from "../../../adapters/store/port.ts";
import { isFinal } from "../../../core/run/state.ts";
import { removeLabels } from "../store/labels.ts";
import { Answers, Executions, Journal, journalRange, type ExecutionDoc } from "../store/model.ts";

const BATCH = 25;
/** The number of appends of one journal that one write removes. Longer journals take several writes. */
const JOURNAL_BATCH = 20;

/** The executions that no run waits for. A run that waits for a missing execution would start it again. */
async function unneeded(store: Store, docs: ExecutionDoc[]): Promise<ExecutionDoc[]> {
  const ids = docs.map(doc => doc.parentId).filter(id => id !== undefined);
  if (ids.length === 0) return docs;
  const { items } = await store.acrossTenants(Executions).find({ id: { $in: ids } }, { limit: BATCH });
  const waiting = new Set(items.filter(parent => !isFinal(parent.status)).map(({ id }) => id));
  return docs.filter(({ parentId }) => parentId === undefined || !waiting.has(parentId));
}

/**
 * Removes some of the executions that finished before `before`, oldest first, with their journals. It removes only
 * executions that the statistics have counted and that have no work left to do. Returns the cursor to go on with, and
 * whether there may be more. Any number of nodes may do this at the same time.
 */
export async function removeExpired(
  store: Store,
  before: Date,
  cursor: string | null,
): Promise<{ cursor: string | null; more: boolean }> {
  const docs = store.acrossTenants(Executions);
  const finishedAt = { $lt: before };
  const expired = { counted: true, finishedAt, followUp: null, tellAt: null };
  const { items, next } = await docs.find(expired, { sort: { finishedAt: 1 }, limit: BATCH, after: cursor });
  const old = await unneeded(store, items);
  // Journals first: while the document exists, a later sweep finds the rest of its journal.
  const removed = await store.write(
    old.map(({ id, workspaceId }) =>
      store.tenant(Journal, workspaceId).ops.remove({ id: journalRange(id) }, { limit: JOURNAL_BATCH }),
    ),
  );
  const labelled = old.filter(({ labels }) => labels);
  if (labelled.length > 0) await store.write(labelled.map(doc => removeLabels(store, doc)));
  const gone = old.filter((_, place) => (removed[place] ?? 0) < JOURNAL_BATCH);
  await store.write(
    gone.map(({ id, workspaceId }) => store.tenant(Answers, workspaceId).ops.remove({ id: journalRange(id) })),
  );
  const ids = gone.map(({ id }) => id);
  // By id alone, since the embedded store would otherwise scan all expired executions. Finished executions stay
  // finished.
  if (ids.length > 0) await docs.remove({ id: { $in: ids } });
  return ids.length < old.length ? { cursor, more: true } : { cursor: next, more: next !== null };
}
