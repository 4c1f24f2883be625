import type {
  Compensation,
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
  /** The execution whose finished steps this one keeps, as far as `retryFrom` allows. */
  retryOf?: string;
  /** The step that runs again with all that it leads to; null keeps all finished steps. */
  retryFrom?: string | null;
  /** The place in a trace (W3C Trace Context) of what started the execution, where traces are recorded. */
  traceparent?: string;
  /** See `StepEntry.needs`. Set where the definition has steps that only newer workers know. */
  needs?: number;
}

/** An execution that a step starts and waits for. */
export interface ChildCall {
  id: string;
  spaceId: string;
  workflowId: string;
  version: number;
  input: unknown;
  /** What a worker of the child must understand: see `CreatedEntry.needs`. */
  needs?: number | undefined;
  /** The child execution of the step's previous attempt. The new child keeps its finished steps. */
  formerId?: string | undefined;
}

/** An event in the life of an execution. `seq` counts from 1 without gaps; `at` is ISO 8601. */
export interface StepEntry {
  seq: number;
  event: LogEvent;
  at: string;
  nodeId?: string;
  /** The items of maps and the rounds of loops that the step runs for, outermost first; absent for a step of the run itself. */
  path?: readonly PathPart[];
  attempt?: number;
  /** The resolved data of a step that reaches outside, for readers of the log. */
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
  /** Set where the level is not the one that the event implies. */
  level?: LogEntry["level"];
  /** The run goes on because a worker was lost. */
  lost?: boolean;
  /** Set when a map begins: its items, how many of them run at a time, and the outputs that a retry keeps, by index. */
  items?: readonly unknown[];
  concurrency?: number;
  kept?: readonly (readonly [number, unknown])[];
  /** Set when a round of a loop begins, or is waited for. `output` is what the round carries, where it was not yet stated. */
  round?: number;
  /**
   * Marks the last entry of an item or a round. `itemOutput` is the output of the item where it is not this entry's own output.
   */
  ends?: true;
  itemOutput?: unknown;
  /** The child execution that the step waits for. `calls` marks the entry that starts the child. */
  child?: ChildCall;
  calls?: true;
  /** The child execution of the same step in the run that is retried. */
  formerChild?: string;
  /**
   * Keeps `output` as a record for the next performance of the step. If `output` answers a question of the step,
   * `answers` names the question.
   */
  record?: true;
  /** The record holds all that the records of the step before it held. */
  replaces?: true;
  answers?: string;
  /**
   * The step's own name for its question. The step goes on with the answer. Without a name, the answer is its output.
   */
  question?: string;
  /** What a waiting step waits for from outside. */
  awaits?: Awaited;
  /** The id of the signal that ended the wait. */
  signal?: string;
  /** Marks the end of a step inside a map or loop that a compensation may have to undo. */
  undoable?: true;
  /** Set where a retry keeps a step of an item or a round that has ended: the item, or what the round carried, once for each. */
  passed?: { item?: unknown; round?: true };
  /** The records of the same step in the run that is retried. */
  formerRecords?: readonly StepRecord[];
  /** What became of the compensations. */
  compensation?: Compensation;
  /** Marks a run that begins to undo what it has done because it was cancelled. It ends as cancelled. */
  cancels?: true;
  /** A worker that understands only an older journal format must not go on from here: see `JOURNAL_FORMAT`. */
  needs?: number;
}

export type JournalEntry = CreatedEntry | StepEntry;

/** What comes from outside and ends a wait: a signal with this name and key, or a call of the step's own address. */
export interface Awaited {
  event?: string | undefined;
  key?: string | undefined;
  /** A JSON Schema that the data must fit. */
  schema?: unknown;
}

/** The error code of a step that has taken too long. */
export const STEP_TIMEOUT = "step_timeout";

/** What a step writes into the log. */
export interface LogLine {
  level: LogEntry["level"];
  message: string;
}

/** A finished part of a step's work, which is not done again. The step gets it back each time it is performed again. */
export interface StepRecord {
  output: unknown;
  /** The step's own name for the question that `output` (`{approved, data, respondedBy, respondedAt}`) answers. */
  answers?: string;
}

/** The result of performing a step. `input` is what the log shows of the resolved data. */
export type StepResult =
  | { kind: "done"; output: unknown; handle?: string; input?: unknown; logs?: readonly LogLine[] }
  | FailedResult
  /** A delay: goes on at `until` with this output. */
  | { kind: "wait"; until: string; output: unknown }
  /**
   * Waits for an answer. The answer is the step's output, or with a `question` a record with which the step goes on.
   */
  | { kind: "ask"; suspension: Suspension; question?: string }
  /** Waits for something from outside, until `until` at the latest. */
  | { kind: "await"; awaits: Awaited; until?: string | undefined }
  /** A map: the steps inside it run for each of these items. */
  | { kind: "iterate"; items: readonly unknown[]; concurrency: number }
  /** A loop: its next round begins, at `until` where that is given. */
  | { kind: "round"; index: number; carry: unknown; until?: string }
  /** A subworkflow: waits for the child execution, until `until` at the latest. */
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
