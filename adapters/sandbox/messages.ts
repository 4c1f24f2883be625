import type { CodeLog, SandboxErrorCode } from "../../core/code/sandbox-error.ts";

/** A message to a sandbox process. */
export interface Task {
  code: string;
  /** The JSON of an object. */
  globals: string;
  /**
   * The limit of processor time in ms, from when the process has the task. The process reports a timeout itself, with
   * the logs.
   */
  timeoutMs: number;
  /** The owner of the code. Groups never share WebAssembly memory. */
  group: string;
}

/** The output as JSON, or the reason why there is none. */
export type Outcome = { output: string } | { error: { code: SandboxErrorCode; message: string; line?: number } };

/** A message from a sandbox process. */
export type Answer = Outcome & { logs: CodeLog[] };
