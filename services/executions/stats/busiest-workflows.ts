import { setImmediate as nextTurn } from "node:timers/promises";
import type { Store } from "../../../adapters/store/port.ts";
import { mergeStats, runsIn, type RunStats } from "../../../core/stats/run-stats.ts";
import { WorkflowStats, workflowStatsId } from "./model.ts";

const MAX_WORKFLOWS = 100;

export interface WorkflowRuns {
  workflowId: string;
  stats: RunStats;
}

interface Space {
  workspaceId: string;
  spaceId: string;
}

/** The counted runs of one workflow on each of these consecutive days; days without a run are missing. */
export async function statsOfWorkflow(
  store: Store,
  { workspaceId, spaceId, workflowId }: Space & { workflowId: string },
  days: readonly string[],
): Promise<Map<string, RunStats>> {
  const idOn = (day: string | undefined) => workflowStatsId(workspaceId, spaceId, workflowId, day ?? "");
  const { items } = await store
    .tenant(WorkflowStats, workspaceId)
    .find({ id: { $gte: idOn(days[0]), $lte: idOn(days.at(-1)) } }, { limit: 1_000 });
  return new Map(items.map(doc => [doc.day, doc]));
}

/**
 * The workflows with the most runs on these days, at most 100, in descending order. Only the 100 busiest workflows of
 * each day are candidates, which bounds the work. If more than 100 workflows run on one day, one that is never among
 * the busiest may be missing. The numbers of the returned workflows are complete.
 */
export async function busiestWorkflows(
  store: Store,
  space: Space,
  byDay: ReadonlyMap<string, RunStats>,
): Promise<WorkflowRuns[]> {
  const { workspaceId, spaceId } = space;
  const docs = store.tenant(WorkflowStats, workspaceId);
  const found = new Map<string, RunStats>();
  let complete = true;
  for (const day of byDay.keys()) {
    const { items, next } = await docs.find({ spaceId, day }, { sort: { runs: -1 }, limit: MAX_WORKFLOWS });
    complete &&= next === null;
    for (const doc of items) found.set(doc.workflowId, mergeStats([found.get(doc.workflowId) ?? mergeStats([]), doc]));
    // The embedded store answers synchronously, and a year is a lot to read in one turn.
    await nextTurn();
  }
  const busiest = [...found]
    .map(([workflowId, stats]) => ({ workflowId, stats }))
    .sort((a, b) => runsIn(b.stats) - runsIn(a.stats))
    .slice(0, MAX_WORKFLOWS);
  if (complete) return busiest;
  const days = [...byDay.keys()];
  for (const workflow of busiest) {
    workflow.stats = mergeStats([
      ...(await statsOfWorkflow(store, { ...space, workflowId: workflow.workflowId }, days)).values(),
    ]);
    await nextTurn();
  }
  return busiest.sort((a, b) => runsIn(b.stats) - runsIn(a.stats));
}
