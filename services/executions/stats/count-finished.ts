import type { Store, WriteOp } from "../../../adapters/store/port.ts";
import { dayOf } from "../../../core/stats/days.ts";
import { mergeStats, runsIn, statsOf } from "../../../core/stats/run-stats.ts";
import { isNotMatched, isUniqueConflict } from "../../../adapters/store/errors.ts";
import { Executions, type ExecutionDoc } from "../store/model.ts";
import { durationWrites } from "../store/durations.ts";
import { DayStats, dayStatsId, WorkflowStats, workflowStatsId } from "./model.ts";

const PAGE = 50;
/** An upper bound for the runs of a day, independent of the page size of the version that wrote it. */
const MAX_TAKEN = 1_000;

const dayOfRun = ({ finishedAt, createdAt }: ExecutionDoc) => dayOf(finishedAt ?? createdAt);
const idOfDay = (run: ExecutionDoc) => dayStatsId(run.workspaceId, run.spaceId, dayOfRun(run));
const idOfWorkflow = (run: ExecutionDoc) =>
  workflowStatsId(run.workspaceId, run.spaceId, run.workflowId, dayOfRun(run));

/** The runs with these ids that exist and are not counted yet. */
async function uncounted(store: Store, ids: readonly string[]): Promise<ExecutionDoc[]> {
  return (await store.acrossTenants(Executions).find({ id: { $in: ids }, counted: null }, { limit: MAX_TAKEN })).items;
}

/** Like `uncounted`, for runs that were just read. They are read again only if one was counted or removed meanwhile. */
async function stillUncounted(store: Store, runs: ExecutionDoc[]): Promise<ExecutionDoc[]> {
  const ids = runs.map(run => run.id);
  const still = await store.acrossTenants(Executions).count({ id: { $in: ids }, counted: null }, { limit: PAGE });
  return still === runs.length ? runs : uncounted(store, ids);
}

/**
 * The writes that add these runs of one day to their workflows and mark them as counted. The runs must be all those
 * that the day took with its current `seq`.
 */
async function settling(
  store: Store,
  runs: ExecutionDoc[],
  day: { id: string; workspaceId: string; seq: number; taken: string[] },
) {
  const workflows = store.tenant(WorkflowStats, day.workspaceId);
  const byWorkflow = Map.groupBy(runs, idOfWorkflow);
  const { items } = await workflows.find({ id: { $in: [...byWorkflow.keys()] } }, { limit: MAX_TAKEN });
  const before = new Map(items.map(doc => [doc.id, doc]));
  // Writes of the same kind are adjacent, so that MongoDB receives each kind as one command.
  const [inserts, updates]: [WriteOp[], WriteOp[]] = [[], []];
  for (const [id, [first, ...others]] of byWorkflow) {
    const known = before.get(id);
    if (!first || (known && known.seq >= day.seq)) continue;
    const { workspaceId, spaceId, workflowId } = first;
    const fresh = statsOf([first, ...others]);
    const stats = known ? mergeStats([known, fresh]) : fresh;
    const $set = { ...stats, runs: runsIn(stats), seq: day.seq };
    // If the filter does not match, another node has just added the same runs.
    if (known) updates.push(workflows.ops.updateOne({ id, seq: known.seq }, { $set }, { counted: false }));
    else inserts.push(workflows.ops.insert({ id, workspaceId, spaceId, workflowId, day: dayOfRun(first), ...$set }));
  }
  const executions = store.acrossTenants(Executions).ops;
  const marked = executions.updateMany({ id: { $in: day.taken } }, { $set: { counted: true } });
  const days = store.tenant(DayStats, day.workspaceId);
  return [
    ...inserts,
    ...updates,
    ...durationWrites(store, runs),
    marked,
    days.ops.updateOne({ id: day.id, seq: day.seq }, { $unset: { taken: 1 } }),
  ];
}

/**
 * Counts finished runs of one space and day, each exactly once, even if processes are killed or several count at the
 * same time. One write counts the runs in the day's document and lists their ids there. The day takes no more runs
 * until these are added to their workflows and marked. So an interrupted count is completed first, and each of its
 * steps can be repeated. A concurrent change by another process leads to a conflict.
 */
async function countDay(store: Store, first: ExecutionDoc, waiting: ExecutionDoc[]): Promise<void> {
  const { workspaceId } = first;
  const id = idOfDay(first);
  const days = store.tenant(DayStats, workspaceId);
  const day = await days.get({ id });
  if (day?.taken) {
    const { seq, taken } = day;
    await store.write(await settling(store, await uncounted(store, taken), { id, workspaceId, seq, taken }));
  }
  // This reads after the day was settled, so the runs that the day had taken are marked by now.
  const runs = await stillUncounted(store, waiting);
  if (runs.length === 0) return;
  const taken = runs.map(run => run.id);
  const seq = (day?.seq ?? 0) + 1;
  const fresh = statsOf(runs);
  const counted = day
    ? days.ops.updateOne(
        { id, seq: day.seq },
        { $set: { ...mergeStats([day, fresh]), seq, taken } },
        { required: true },
      )
    : days.ops.insert({ id, workspaceId, ...fresh, seq, taken });
  await store.write([counted, ...(await settling(store, runs, { id, workspaceId, seq, taken }))]);
}

/**
 * Counts a page of the finished runs that are not counted yet, in the order in which they finished. Returns the cursor
 * of the next page, or null. Runs that another node is counting at this moment are left to that node. `failed` receives
 * any other error.
 */
export async function countPage(
  store: Store,
  cursor: string | null,
  failed: (error: unknown) => void,
): Promise<string | null> {
  const waiting = { counted: null, finishedAt: { $exists: true } };
  const page = await store
    .acrossTenants(Executions)
    .find(waiting, { sort: { finishedAt: 1 }, limit: PAGE, after: cursor });
  for (const runs of Map.groupBy(page.items, idOfDay).values()) {
    await countDay(store, runs[0] as ExecutionDoc, runs).catch((error: unknown) => {
      if (!isUniqueConflict(error) && !isNotMatched(error)) failed(error);
    });
  }
  return page.next;
}
