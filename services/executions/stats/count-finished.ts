import type { Store, WriteOp } from "../../../adapters/store/port.ts";
import { dayOf } from "../../../core/stats/days.ts";
import { mergeStats, runsIn, statsOf } from "../../../core/stats/run-stats.ts";
import { isNotMatched, isUniqueConflict } from "../../../mixins/store-conflicts.ts";
import { Executions, type ExecutionDoc } from "../model.ts";
import { DayStats, dayStatsId, WorkflowStats, workflowStatsId } from "./model.ts";

const PAGE = 50;
/** As much as a day can have taken in, whatever a page of its version was. */
const MAX_TAKEN = 1_000;

const dayOfRun = ({ finishedAt, createdAt }: ExecutionDoc) => dayOf(finishedAt ?? createdAt);
const idOfDay = (run: ExecutionDoc) => dayStatsId(run.workspaceId, run.spaceId, dayOfRun(run));
const idOfWorkflow = (run: ExecutionDoc) =>
  workflowStatsId(run.workspaceId, run.spaceId, run.workflowId, dayOfRun(run));

/** Those of these runs that are there and that nobody has counted yet. */
async function uncounted(store: Store, ids: readonly string[]): Promise<ExecutionDoc[]> {
  return (await store.acrossTenants(Executions).find({ id: { $in: ids }, counted: null }, { limit: MAX_TAKEN })).items;
}

/** The same for runs that were read a moment ago: they are read again only where one was counted or removed meanwhile. */
async function stillUncounted(store: Store, runs: ExecutionDoc[]): Promise<ExecutionDoc[]> {
  const ids = runs.map(run => run.id);
  const still = await store.acrossTenants(Executions).count({ id: { $in: ids }, counted: null }, { limit: PAGE });
  return still === runs.length ? runs : uncounted(store, ids);
}

/** The writes by which these runs of one day, all that its `seq` took, come to their workflows and count as counted. */
async function settling(
  store: Store,
  runs: ExecutionDoc[],
  day: { id: string; workspaceId: string; seq: number; taken: string[] },
) {
  const workflows = store.tenant(WorkflowStats, day.workspaceId);
  const byWorkflow = Map.groupBy(runs, idOfWorkflow);
  const { items } = await workflows.find({ id: { $in: [...byWorkflow.keys()] } }, { limit: MAX_TAKEN });
  const before = new Map(items.map(doc => [doc.id, doc]));
  const ops: WriteOp[] = [];
  for (const [id, [first, ...others]] of byWorkflow) {
    const known = before.get(id);
    if (!first || (known && known.seq >= day.seq)) continue;
    const { workspaceId, spaceId, workflowId } = first;
    const fresh = statsOf([first, ...others]);
    const stats = known ? mergeStats([known, fresh]) : fresh;
    const $set = { ...stats, runs: runsIn(stats), seq: day.seq };
    if (known) ops.push(workflows.ops.updateOne({ id, seq: known.seq }, { $set }, { required: true }));
    else ops.push(workflows.ops.insert({ id, workspaceId, spaceId, workflowId, day: dayOfRun(first), ...$set }));
  }
  const marked = store
    .acrossTenants(Executions)
    .ops.updateMany({ id: { $in: day.taken } }, { $set: { counted: true } });
  const days = store.tenant(DayStats, day.workspaceId);
  return [...ops, marked, days.ops.updateOne({ id: day.id, seq: day.seq }, { $unset: { taken: 1 } })];
}

/**
 * Counts finished runs of one space and day, each exactly once, wherever a process is killed and however many do this at
 * the same time. The day's document names the runs that it takes in, in the one change that counts them, and takes no more
 * until these are known to their workflows and marked: what was cut off is brought to its end first, and each of these
 * steps can be repeated. Whoever meets somebody else's change is refused with a conflict.
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
  // Asked behind the look at the day: what it had taken in by then is marked by now.
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
 * Counts a page of the finished runs that are not counted yet, those that finished first. Gives the cursor of the next page,
 * or null. Runs that another node counts at this moment are left to it; `failed` hears of what else goes wrong with a day.
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
