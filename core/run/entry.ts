import type { ExecutionError, LogEvent, Suspension, Trigger } from "../../contracts/entities/execution.ts";

/** What an execution was started with: entry 0 of its journal, which the log does not show. */
export interface CreatedEntry {
  seq: 0;
  event: "execution.created";
  at: string;
  input: unknown;
  trigger: Trigger;
  /** The execution whose finished steps this one keeps. */
  retryOf?: string;
}

/** One thing that happened. `seq` counts from 1 without gaps; `at` is ISO 8601. */
export interface StepEntry {
  seq: number;
  event: LogEvent;
  at: string;
  nodeId?: string;
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
  /** It goes on because a worker was lost. */
  lost?: boolean;
}

export type JournalEntry = CreatedEntry | StepEntry;

/** What performing a step comes to. `input` is what the log shows of the resolved data. */
export type StepResult =
  | { kind: "done"; output: unknown; handle?: string; input?: unknown }
  | { kind: "failed"; error: { code: string; message: string }; retryable?: boolean; input?: unknown }
  /** A delay: goes on at `until` with this output. */
  | { kind: "wait"; until: string; output: unknown }
  | { kind: "ask"; suspension: Suspension };
