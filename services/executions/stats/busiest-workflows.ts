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

/** What is counted of one workflow on each of these days, which follow each other; days without a run are missing. */
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
 * The workflows with most runs on these days, most first, at most 100. They are looked for among the 100 busiest of each
 * day, which bounds the work: only where more than that run on one day may somebody be left out who is never among them.
 * What is said of those that are found is complete.
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
    // The embedded store answers at once, and a year is a lot to read in one go.
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
