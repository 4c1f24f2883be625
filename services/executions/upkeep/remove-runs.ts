import type { Filter, Store } from "../../../adapters/store/port.ts";
import { labelRange, RunLabels } from "../store/labels.ts";
import { Answers, Executions, Journal, journalRange, type ExecutionDoc } from "../store/model.ts";

/** The most runs that are removed with one call. */
export const REMOVE_BATCH = 100;
/** The number of appends of one journal that one write removes. Longer journals take several writes, each of one journal. */
const JOURNAL_BATCH = 20;

/**
 * The filter for the documents of several runs, whose ids begin with the id of the run. It uses the id only, because
 * the embedded store would otherwise scan a workspace.
 */
const ofRuns = (runs: readonly ExecutionDoc[], rangeOf: (id: string) => { $gte: string; $lt: string }) => ({
  $or: runs.map(({ id }) => ({ id: rangeOf(id) })),
});

/**
 * Removes finished runs with their journals, answers and labels, with a few commands for all of them. Accepts at most
 * 100 runs. Returns the runs that still have a part of their journal. Call again with these.
 */
export async function removeRuns(store: Store, runs: readonly ExecutionDoc[]): Promise<ExecutionDoc[]> {
  if (runs.length === 0) return [];
  const journals = store.acrossTenants(Journal);
  const appends = await journals.tally(ofRuns(runs, journalRange), "executionId");
  // Journals are removed first: while the document exists, a later sweep finds the rest of its journal.
  const [short, long] = [[] as ExecutionDoc[], [] as ExecutionDoc[]];
  for (const run of runs) ((appends[run.id] ?? 0) < JOURNAL_BATCH ? short : long).push(run);
  if (short.length > 0) await journals.remove(ofRuns(short, journalRange));
  const removed = await store.write(
    long.map(({ id, workspaceId }) =>
      store.tenant(Journal, workspaceId).ops.remove({ id: journalRange(id) }, { limit: JOURNAL_BATCH }),
    ),
  );
  const left = long.filter((_, place) => (removed[place] ?? 0) === JOURNAL_BATCH);
  const gone = runs.filter(run => !left.includes(run));
  if (gone.length === 0) return left;
  const labelled = gone.filter(({ labels }) => labels);
  if (labelled.length > 0) await store.acrossTenants(RunLabels).remove(ofRuns(labelled, labelRange));
  await store.acrossTenants(Answers).remove(ofRuns(gone, journalRange));
  // This filter uses the id only as well. Finished executions stay finished.
  const ids: Filter<ExecutionDoc> = { id: { $in: gone.map(({ id }) => id) } };
  await store.acrossTenants(Executions).remove(ids);
  return left;
}
