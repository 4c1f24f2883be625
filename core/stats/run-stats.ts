import type { ExecutionStatus } from "../../contracts/entities/execution.ts";
import { histogramOf, mergeHistograms, type Histogram } from "./histogram.ts";

/** The statistics of many finished runs: how they ended, and how long they took, in ms. */
export interface RunStats {
  completed: number;
  failed: number;
  cancelled: number;
  durations: Histogram;
}

export interface FinishedRun {
  status: ExecutionStatus;
  startedAt?: Date | null;
  finishedAt?: Date | null;
}

/**
 * The duration of a run; undefined if it never started. Clocks of nodes differ, so the end may appear to precede the
 * start.
 */
function durationOf({ startedAt, finishedAt }: FinishedRun): number | undefined {
  return startedAt && finishedAt ? Math.max(finishedAt.getTime() - startedAt.getTime(), 0) : undefined;
}

export function statsOf(runs: readonly FinishedRun[]): RunStats {
  const count = (status: ExecutionStatus) => runs.filter(run => run.status === status).length;
  const durations = histogramOf(runs.map(durationOf).filter(ms => ms !== undefined));
  return { completed: count("completed"), failed: count("failed"), cancelled: count("cancelled"), durations };
}

/** Merges the statistics of runs. */
export function mergeStats(all: readonly RunStats[]): RunStats {
  const sum = (key: "completed" | "failed" | "cancelled") => all.reduce((total, stats) => total + stats[key], 0);
  const durations = mergeHistograms(all.map(stats => stats.durations));
  return { completed: sum("completed"), failed: sum("failed"), cancelled: sum("cancelled"), durations };
}

export const runsIn = ({ completed, failed, cancelled }: RunStats): number => completed + failed + cancelled;
