import type { CodeLog, SandboxErrorCode } from "../../core/code/sandbox-error.ts";

/** To a sandbox process. */
export interface Task {
  code: string;
  /** JSON of an object. */
  globals: string;
  /** From when the process has the task; it says so itself, with what was logged. */
  timeoutMs: number;
  /** Whose code it is: no two groups share WebAssembly memory. */
  group: string;
}

/** The output as JSON, or why there is none. */
export type Outcome = { output: string } | { error: { code: SandboxErrorCode; message: string; line?: number } };

/** From a sandbox process. */
export type Answer = Outcome & { logs: CodeLog[] };
