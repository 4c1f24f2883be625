import { setImmediate as nextTurn } from "node:timers/promises";
import type { Store } from "../../../adapters/store/port.ts";
import { handle } from "../../../contracts/call.ts";
import type { ExecutionStats } from "../../../contracts/entities/execution-stats.ts";
import { DAY_MS, daysIn, startOf } from "../../../core/stats/days.ts";
import { percentile } from "../../../core/stats/histogram.ts";
import { mergeStats, type RunStats, runsIn } from "../../../core/stats/run-stats.ts";
import { spacesOf } from "../../../service-kit/all-spaces.ts";
import { listBranches, type ListFilter } from "../store/list-branches.ts";
import { Executions } from "../store/model.ts";
import type { ExecutionsService } from "../upkeep/service.ts";
import { refuseRange, timeRange, within } from "../store/time-range.ts";
import { busiestWorkflows, statsOfWorkflow, type WorkflowRuns } from "../stats/busiest-workflows.ts";
import { DayStats, dayStatsId } from "../stats/model.ts";

const DEFAULT_DAYS = 30;
const MAX_DAYS = 366;
const MAX_WORKFLOWS = 100;
/** The most executions that are counted of a status that is not final. This bounds the work. */
const MAX_LIVE = 50_000;

/**
 * The UTC days that a range touches, at least one.
 * @throws {AppError} validation_failed when the range is in the future or too long
 */
function daysOf(given: { from?: string | undefined; to?: string | undefined }): string[] {
  const { from, to = new Date() } = timeRange(given);
  const start = from ?? new Date(to.getTime() - DEFAULT_DAYS * DAY_MS);
  if (start > to) refuseRange("is in the future, and there is no `to`");
  if (to.getTime() - start.getTime() > MAX_DAYS * DAY_MS) refuseRange(`is more than ${MAX_DAYS} days before \`to\``);
  return daysIn(start, to > start ? to : new Date(start.getTime() + 1));
}

const present = ({ completed, failed, cancelled, durations }: RunStats) => ({
  byStatus: { completed, failed, cancelled },
  p50Ms: percentile(durations, 0.5),
  p95Ms: percentile(durations, 0.95),
});

/** Adds the executions of each status that is not final, created in the range. */
async function addLive(
  counts: Record<"pending" | "running" | "suspended", number>,
  service: ExecutionsService,
  workspaceId: string,
  filter: ListFilter,
  createdAt: object,
): Promise<void> {
  const docs = service.store.tenant(Executions, workspaceId);
  for (const status of ["pending", "running", "suspended"] as const) {
    for (const branch of listBranches({ ...filter, status })) {
      const limit = MAX_LIVE - counts[status];
      if (limit > 0) counts[status] += await docs.count({ ...branch, createdAt }, { limit });
      // The embedded store counts synchronously, so other work gets a turn between two counts.
      if (counts[status] > 0) await nextTurn();
    }
  }
}

/** The counted runs of each day, from the store; days without a run are missing. */
async function statsByDay(store: Store, workspaceId: string, spaceId: string, days: string[]) {
  const id = {
    $gte: dayStatsId(workspaceId, spaceId, days[0] ?? ""),
    $lte: dayStatsId(workspaceId, spaceId, days.at(-1) ?? ""),
  };
  const { items } = await store.tenant(DayStats, workspaceId).find({ id }, { limit: MAX_DAYS + 2 });
  return new Map<string, RunStats>(items.map(doc => [doc.id.slice(-"YYYY-MM-DD".length), doc]));
}

/** The runs of each day and of the busiest workflows, or of one workflow, in all these spaces. */
async function countEnded(store: Store, asked: Asked, days: string[]) {
  const { workspaceId, spaceIds, workflowId } = asked;
  const byDay = new Map<string, RunStats>();
  const workflows: WorkflowRuns[] = [];
  for (const spaceId of spaceIds) {
    const space = { workspaceId, spaceId };
    const found = workflowId
      ? await statsOfWorkflow(store, { ...space, workflowId }, days)
      : await statsByDay(store, workspaceId, spaceId, days);
    for (const [day, runs] of found) byDay.set(day, mergeStats([byDay.get(day) ?? mergeStats([]), runs]));
    if (!workflowId) workflows.push(...(await busiestWorkflows(store, space, found)));
    else if (found.size > 0) workflows.push({ workflowId, stats: mergeStats([...found.values()]) });
  }
  workflows.sort((a, b) => runsIn(b.stats) - runsIn(a.stats));
  return { byDay, workflows: workflows.slice(0, MAX_WORKFLOWS) };
}

interface Asked {
  workspaceId: string;
  spaceIds: readonly string[];
  workflowId?: string | undefined;
  from?: string | undefined;
  to?: string | undefined;
}

async function readStats(service: ExecutionsService, asked: Asked): Promise<ExecutionStats> {
  const { workspaceId, spaceIds, workflowId } = asked;
  const days = daysOf(asked);
  const from = startOf(days[0] ?? "");
  const to = new Date(startOf(days.at(-1) ?? "").getTime() + DAY_MS);
  const live = { pending: 0, running: 0, suspended: 0 };
  for (const spaceId of spaceIds)
    await addLive(live, service, workspaceId, { spaceId, workflowId }, within({ from, to }));
  // Counts the runs that have ended by now, unless there are so many that only the sweeps can count them all.
  await service.counting.run();
  const { byDay, workflows } = await countEnded(service.store, asked, days);
  const { byStatus, p50Ms, p95Ms } = present(mergeStats([...byDay.values()]));
  const counts = { ...byStatus, ...live };
  return {
    from: from.toISOString(),
    to: to.toISOString(),
    total: Object.values(counts).reduce((sum, count) => sum + count, 0),
    byStatus: counts,
    durations: p50Ms === null ? null : { p50Ms, p95Ms },
    days: days.map(day => ({ day, ...present(byDay.get(day) ?? mergeStats([])) })),
    workflows: workflows.map(({ workflowId: id, stats: runs }) => ({ workflowId: id, ...present(runs) })),
  };
}

export const stats = handle<"executions.stats", ExecutionsService>("executions.stats", function (ctx) {
  return readStats(this, { ...ctx.params, spaceIds: [ctx.params.spaceId] });
});

export const statsAll = handle<"executions.statsAll", ExecutionsService>("executions.statsAll", async function (ctx) {
  return readStats(this, { ...ctx.params, spaceIds: await spacesOf(ctx, ctx.params) });
});
