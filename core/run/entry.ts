import type {
  Compensation,
  ExecutionError,
  LogEntry,
  LogEvent,
  PathPart,
  Suspension,
  Trigger,
} from "../../contracts/entities/execution.ts";

/** Entry 0 of a journal: how the execution was started. The log does not show it. */
export interface CreatedEntry {
  seq: 0;
  event: "execution.created";
  at: string;
  input: unknown;
  trigger: Trigger;
  /** The execution whose finished steps this one keeps, within the limits of `retryFrom`. */
  retryOf?: string;
  /** The step that runs again, with all its successors; null keeps all finished steps. */
  retryFrom?: string | null;
  /** The trace (W3C Trace Context) that started the execution, if traces are recorded. */
  traceparent?: string;
  /** Set if the definition has steps that only newer workers know: see `StepEntry.needs`. */
  needs?: number;
}

/** An execution that a step starts and waits for. */
export interface ChildCall {
  id: string;
  spaceId: string;
  workflowId: string;
  version: number;
  input: unknown;
  /** The journal format that a worker of the child must support: see `CreatedEntry.needs`. */
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
  /**
   * The items of maps and the rounds of loops around the step, outermost first. Absent for a step of the run itself.
   */
  path?: readonly PathPart[];
  attempt?: number;
  /** The resolved data of a step that calls something outside, for readers of the log. */
  input?: unknown;
  output?: unknown;
  /** The handle at which a settled step is left. */
  handle?: string;
  error?: ExecutionError;
  durationMs?: number;
  /** When a waiting step continues by itself. */
  until?: string;
  suspension?: Suspension;
  message?: string;
  /** Set if the level differs from the one that the event implies. */
  level?: LogEntry["level"];
  /** The run continues because a worker was lost. */
  lost?: boolean;
  /** Set when a map begins: its items, how many of them run at a time, and the outputs that a retry keeps, by index. */
  items?: readonly unknown[];
  concurrency?: number;
  kept?: readonly (readonly [number, unknown])[];
  /**
   * Set when a round of a loop begins, or when the loop waits for it. `output` is what the round carries, if no earlier
   * entry states it.
   */
  round?: number;
  /**
   * Marks the last entry of an item or a round. `itemOutput` is the output of the item if it differs from this entry's
   * own output.
   */
  ends?: true;
  itemOutput?: unknown;
  /** The child execution that the step waits for. `calls` marks the entry that starts the child. */
  child?: ChildCall;
  calls?: true;
  /** The child execution of the same step in the run that is retried. */
  formerChild?: string;
  /**
   * Stores `output` as a record for the next performance of the step. If `output` answers a question of the step,
   * `answers` names the question.
   */
  record?: true;
  /** The record contains everything that the earlier records of the step contained. */
  replaces?: true;
  answers?: string;
  /**
   * The step's own name for its question. The step then continues with the answer. Without a name, the answer is the
   * step's output.
   */
  question?: string;
  /** The event that a waiting step waits for. */
  awaits?: Awaited;
  /** The id of the signal that ended the wait. */
  signal?: string;
  /** Marks the end of a step inside a map or loop that a compensation may have to undo. */
  undoable?: true;
  /**
   * Set if a retry keeps a step of an item or a round that has ended. Its first such entry states the item, or that it
   * is a round.
   */
  passed?: { item?: unknown; round?: true };
  /** The records of the same step in the run that is retried. */
  formerRecords?: readonly StepRecord[];
  /** The outcome of the compensations. */
  compensation?: Compensation;
  /** Marks a run that begins to undo its steps because it was cancelled. It ends as cancelled. */
  cancels?: true;
  /** A worker that supports only an older journal format must not continue from here: see `JOURNAL_FORMAT`. */
  needs?: number;
}

export type JournalEntry = CreatedEntry | StepEntry;

/** An event that ends a wait: a signal with this name and key, or a call of the step's own address. */
export interface Awaited {
  event?: string | undefined;
  key?: string | undefined;
  /** A JSON Schema that the data must match. */
  schema?: unknown;
}

/** The error code of a step that has taken too long. */
export const STEP_TIMEOUT = "step_timeout";

/** What a step writes into the log. */
export interface LogLine {
  level: LogEntry["level"];
  message: string;
}

/** A finished part of a step's work, which is not repeated. The step gets it back each time it is performed again. */
export interface StepRecord {
  output: unknown;
  /** The step's own name for the question that `output` (`{approved, data, respondedBy, respondedAt}`) answers. */
  answers?: string;
}

/** The result of performing a step. `input` is the resolved data that the log shows. */
export type StepResult =
  | { kind: "done"; output: unknown; handle?: string; input?: unknown; logs?: readonly LogLine[] }
  | FailedResult
  /** A delay: the step continues at `until` with this output. */
  | { kind: "wait"; until: string; output: unknown }
  /**
   * Waits for an answer. The answer is the step's output. With a `question` it is a record instead, and the step
   * continues.
   */
  | { kind: "ask"; suspension: Suspension; question?: string }
  /** Waits for an event, at most until `until`. */
  | { kind: "await"; awaits: Awaited; until?: string | undefined }
  /** A map: the steps inside it run for each of these items. */
  | { kind: "iterate"; items: readonly unknown[]; concurrency: number }
  /** A loop: its next round begins, or waits until `until` if that is given. */
  | { kind: "round"; index: number; carry: unknown; until?: string }
  /** A subworkflow: waits for the child execution, at most until `until`. */
  | { kind: "call"; child: ChildCall; until?: string | undefined };

export interface FailedResult {
  kind: "failed";
  error: Pick<ExecutionError, "code" | "message" | "details" | "origin">;
  retryable?: boolean;
  /** How long the other side asks to wait before the next attempt, in ms. */
  retryAfterMs?: number | undefined;
  input?: unknown;
  logs?: readonly LogLine[];
}
