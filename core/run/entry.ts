import type {
  ExecutionError,
  LogEntry,
  LogEvent,
  PathPart,
  Suspension,
  Trigger,
} from "../../contracts/entities/execution.ts";

/** What an execution was started with: entry 0 of its journal, which the log does not show. */
export interface CreatedEntry {
  seq: 0;
  event: "execution.created";
  at: string;
  input: unknown;
  trigger: Trigger;
  /** The execution whose finished steps this one keeps, as far as `retryFrom` lets it. */
  retryOf?: string;
  /** The step that runs again with all that it leads to; null for all of them. */
  retryFrom?: string | null;
  /** The place in a trace (W3C Trace Context) of what started it, where traces are recorded. */
  traceparent?: string;
}

/** An execution that a step starts and waits for. */
export interface ChildCall {
  id: string;
  spaceId: string;
  workflowId: string;
  version: number;
  input: unknown;
  /** The execution that the step's attempt before waited for: what it has finished is kept. */
  formerId?: string | undefined;
}

/** One thing that happened. `seq` counts from 1 without gaps; `at` is ISO 8601. */
export interface StepEntry {
  seq: number;
  event: LogEvent;
  at: string;
  nodeId?: string;
  /** The items of maps that the step runs for, outermost first; absent for a step of the run itself. */
  path?: readonly PathPart[];
  attempt?: number;
  /** The resolved data of a step that reaches outside, for whoever reads the log. */
  input?: unknown;
  output?: unknown;
  /** The handle that a settled step leaves by. */
  handle?: string;
  error?: ExecutionError;
  durationMs?: number;
  /** When a waiting step goes on by itself. */
  until?: string;
  suspension?: Suspension;
  message?: string;
  /** Where it is not what the event implies. */
  level?: LogEntry["level"];
  /** It goes on because a worker was lost. */
  lost?: boolean;
  /** A map begins: what it runs for, how many at a time, and the outputs that a retry keeps, by index. */
  items?: readonly unknown[];
  concurrency?: number;
  kept?: readonly (readonly [number, unknown])[];
  /** The last entry of an item: `itemOutput` is what the item gives, where that is not this entry's own output. */
  ends?: true;
  itemOutput?: unknown;
  /** The execution that the step waits for; `calls` where it begins to. */
  child?: ChildCall;
  calls?: true;
  /** The execution that the same step waited for in the run that is retried. */
  formerChild?: string;
  /** The step keeps `output` for when it is performed again; `answers` where that is the answer to a question of its own. */
  record?: true;
  answers?: string;
  /** The step's own name for what it asks: it goes on with the answer, which otherwise is its output. */
  question?: string;
  /** What the same step has kept in the run that is retried. */
  formerRecords?: readonly StepRecord[];
  /** Whoever understands less of journals than this must not go on from here: see `JOURNAL_FORMAT`. */
  needs?: number;
}

export type JournalEntry = CreatedEntry | StepEntry;

/** The code of the error that ends a step which has taken too long. */
export const STEP_TIMEOUT = "step_timeout";

/** What a step writes into the log. */
export interface LogLine {
  level: LogEntry["level"];
  message: string;
}

/** A part of a step that is done, and is not done again: the step gets it back whenever it is performed again. */
export interface StepRecord {
  output: unknown;
  /** The step's own name for the question that `output` (`{approved, data, respondedBy, respondedAt}`) answers. */
  answers?: string;
}

/** What performing a step comes to. `input` is what the log shows of the resolved data. */
export type StepResult =
  | { kind: "done"; output: unknown; handle?: string; input?: unknown; logs?: readonly LogLine[] }
  | FailedResult
  /** A delay: goes on at `until` with this output. */
  | { kind: "wait"; until: string; output: unknown }
  /** Waits for an answer: its output, or with a `question` what it goes on with, as a record that answers it. */
  | { kind: "ask"; suspension: Suspension; question?: string }
  /** A map: what is inside of it runs for each of these. */
  | { kind: "iterate"; items: readonly unknown[]; concurrency: number }
  /** A subworkflow: waits for that execution, until then at the longest. */
  | { kind: "call"; child: ChildCall; until?: string | undefined };

export interface FailedResult {
  kind: "failed";
  error: Pick<ExecutionError, "code" | "message" | "details" | "origin">;
  retryable?: boolean;
  /** How long the other side asks to wait before the next attempt. */
  retryAfterMs?: number | undefined;
  input?: unknown;
  logs?: readonly LogLine[];
}
