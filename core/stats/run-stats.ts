import type { ExecutionStatus } from "../../contracts/entities/execution.ts";
import { histogramOf, mergeHistograms, type Histogram } from "./histogram.ts";

/** What is known of many finished runs together: how they ended, and how long they took, in ms. */
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

/** How long a run took; undefined for one that never began. Nodes' clocks differ, so an end may seem to come first. */
function durationOf({ startedAt, finishedAt }: FinishedRun): number | undefined {
  return startedAt && finishedAt ? Math.max(finishedAt.getTime() - startedAt.getTime(), 0) : undefined;
}

export function statsOf(runs: readonly FinishedRun[]): RunStats {
  const count = (status: ExecutionStatus) => runs.filter(run => run.status === status).length;
  const durations = histogramOf(runs.map(durationOf).filter(ms => ms !== undefined));
  return { completed: count("completed"), failed: count("failed"), cancelled: count("cancelled"), durations };
}

/** All of these together. */
export function mergeStats(all: readonly RunStats[]): RunStats {
  const sum = (key: "completed" | "failed" | "cancelled") => all.reduce((total, stats) => total + stats[key], 0);
  const durations = mergeHistograms(all.map(stats => stats.durations));
  return { completed: sum("completed"), failed: sum("failed"), cancelled: sum("cancelled"), durations };
}

export const runsIn = ({ completed, failed, cancelled }: RunStats): number => completed + failed + cancelled;
