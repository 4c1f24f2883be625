import type { LogEntry } from "../../../sdk/definition.ts";
import type { Step } from "../../data/run-types.ts";
import type { logTexts } from "../../messages/en-log.ts";
import type { StatusName } from "../../ui/status-name.ts";

export type Outcome = keyof typeof logTexts.outcome;

/** One attempt of a step and its outcome. */
export interface Attempt {
  /** Counts from 1. */
  attempt: number;
  outcome: Outcome;
  startedAt: string | undefined;
  durationMs: number | undefined;
  error: LogEntry["error"];
}

/** The state that represents each outcome. */
export const OUTCOME_STATES: Readonly<Record<Outcome, StatusName>> = {
  running: "running",
  completed: "completed",
  retrying: "retrying",
  failed: "failed",
  ended: "cancelled",
};

/**
 * The outcome of one attempt. Without an end, the attempt is running, or it was abandoned when the run ended or its
 * worker died.
 */
function outcomeOf(end: LogEntry | undefined, isLast: boolean, step: Step): Outcome {
  if (end?.event === "step.completed") return "completed";
  if (end?.event === "step.retrying") return "retrying";
  if (end?.event === "step.failed") return "failed";
  return isLast && step.finishedAt === null ? "running" : "ended";
}

/** Builds the attempts of a step from the log entries that start and end them. */
export function attemptsOf(entries: readonly LogEntry[], step: Step): Attempt[] {
  const byAttempt = [...Map.groupBy(entries, ({ attempt }) => attempt ?? 1)];
  return byAttempt.map(([attempt, some], n) => {
    const end = some.findLast(({ event }) => event !== "step.started");
    return {
      attempt,
      outcome: outcomeOf(end, n === byAttempt.length - 1, step),
      startedAt: some.find(({ event }) => event === "step.started")?.at,
      durationMs: end?.durationMs,
      error: end?.error,
    };
  });
}
