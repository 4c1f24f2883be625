import { setImmediate as nextTurn } from "node:timers/promises";
import { handle } from "../../../contracts/call.ts";
import type { ExecutionStats } from "../../../contracts/entities/execution-stats.ts";
import { DAY_MS, daysIn, startOf } from "../../../core/stats/days.ts";
import { percentile } from "../../../core/stats/histogram.ts";
import { mergeStats, type RunStats } from "../../../core/stats/run-stats.ts";
import { listBranches, type ListFilter } from "../store/list-branches.ts";
import { Executions } from "../store/model.ts";
import type { ExecutionsService } from "../upkeep/service.ts";
import { refuseRange, timeRange, within } from "../store/time-range.ts";
import { busiestWorkflows, statsOfWorkflow, type WorkflowRuns } from "../stats/busiest-workflows.ts";
import { DayStats, dayStatsId } from "../stats/model.ts";

const DEFAULT_DAYS = 30;
const MAX_DAYS = 366;
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

/** Executions of each status that is not final, created in the range. */
async function countLive(service: ExecutionsService, workspaceId: string, filter: ListFilter, createdAt: object) {
  const docs = service.store.tenant(Executions, workspaceId);
  const counts = { pending: 0, running: 0, suspended: 0 };
  for (const status of ["pending", "running", "suspended"] as const) {
    for (const branch of listBranches({ ...filter, status })) {
      const limit = MAX_LIVE - counts[status];
      if (limit > 0) counts[status] += await docs.count({ ...branch, createdAt }, { limit });
      // The embedded store counts synchronously, so other work gets a turn between two counts.
      if (counts[status] > 0) await nextTurn();
    }
  }
  return counts;
}

/** The counted runs of each day, from the store; days without a run are missing. */
async function statsByDay(service: ExecutionsService, workspaceId: string, spaceId: string, days: string[]) {
  const id = {
    $gte: dayStatsId(workspaceId, spaceId, days[0] ?? ""),
    $lte: dayStatsId(workspaceId, spaceId, days.at(-1) ?? ""),
  };
  const { items } = await service.store.tenant(DayStats, workspaceId).find({ id }, { limit: MAX_DAYS + 2 });
  return new Map<string, RunStats>(items.map(doc => [doc.id.slice(-"YYYY-MM-DD".length), doc]));
}

export const stats = handle<"executions.stats", ExecutionsService>(
  "executions.stats",
  async function (ctx): Promise<ExecutionStats> {
    const { workspaceId, spaceId, workflowId, ...range } = ctx.params;
    const days = daysOf(range);
    const from = startOf(days[0] ?? "");
    const to = new Date(startOf(days.at(-1) ?? "").getTime() + DAY_MS);
    const live = await countLive(this, workspaceId, { spaceId, workflowId }, within({ from, to }));
    // Counts the runs that have ended by now, unless there are so many that only the sweeps can count them all.
    await this.counting.run();
    const space = { workspaceId, spaceId };
    const byDay = workflowId
      ? await statsOfWorkflow(this.store, { ...space, workflowId }, days)
      : await statsByDay(this, workspaceId, spaceId, days);
    const all = mergeStats([...byDay.values()]);
    const workflows: WorkflowRuns[] = workflowId
      ? byDay.size > 0
        ? [{ workflowId, stats: all }]
        : []
      : await busiestWorkflows(this.store, space, byDay);
    const { byStatus, p50Ms, p95Ms } = present(all);
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
  },
);
