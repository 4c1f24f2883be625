import type { CodeLog, SandboxErrorCode } from "../../core/code/sandbox-error.ts";

/** A message to a sandbox process. */
export interface Task {
  code: string;
  /** The JSON of an object. */
  globals: string;
  /** The limit of processor time, from when the process has the task. The process reports it itself, with the logs. */
  timeoutMs: number;
  /** The owner of the code. No two groups share WebAssembly memory. */
  group: string;
}

/** The output as JSON, or why there is no output. */
export type Outcome = { output: string } | { error: { code: SandboxErrorCode; message: string; line?: number } };

/** A message from a sandbox process. */
export type Answer = Outcome & { logs: CodeLog[] };
