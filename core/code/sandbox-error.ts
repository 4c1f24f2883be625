export type SandboxErrorCode = "code_error" | "code_timeout" | "code_memory" | "code_busy" | "output_too_large";

/** A line that the code wrote to its console. */
export interface CodeLog {
  level: "info" | "warn" | "error";
  message: string;
}

/** Code that gave no output. The message is a sentence for the person who wrote the code. */
export class SandboxError extends Error {
  readonly code: SandboxErrorCode;
  /** Of the code, from 1. */
  readonly line: number | undefined;
  /** What the code wrote before; empty where it had to be ended from outside. */
  readonly logs: CodeLog[];

  constructor(code: SandboxErrorCode, message: string, { line, logs = [] }: { line?: number; logs?: CodeLog[] } = {}) {
    super(message);
    this.name = "SandboxError";
    this.code = code;
    this.line = line;
    this.logs = logs;
  }
}
