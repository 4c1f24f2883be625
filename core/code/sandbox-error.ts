export type SandboxErrorCode = "code_error" | "code_timeout" | "code_memory" | "code_busy" | "output_too_large";

/** A line that the code wrote to its console. */
export interface CodeLog {
  level: "info" | "warn" | "error";
  message: string;
}

/** The code produced no output. The message is a sentence for the author of the code. */
export class SandboxError extends Error {
  readonly code: SandboxErrorCode;
  /** The line of the code, from 1. */
  readonly line: number | undefined;
  /** What the code logged before the failure. It is empty when the code was ended from outside. */
  readonly logs: CodeLog[];

  constructor(code: SandboxErrorCode, message: string, { line, logs = [] }: { line?: number; logs?: CodeLog[] } = {}) {
    super(message);
    this.name = "SandboxError";
    this.code = code;
    this.line = line;
    this.logs = logs;
  }
}
