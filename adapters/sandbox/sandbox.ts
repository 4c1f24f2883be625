import { availableParallelism } from "node:os";
import { join } from "node:path";
import { type CodeGlobals, globalsText } from "../../core/code/globals-text.ts";
import { MAX_CODE_LENGTH, MEMORY_MIB } from "../../core/code/limits.ts";
import { type CodeLog, SandboxError, type SandboxErrorCode } from "../../core/code/sandbox-error.ts";
import { createProcessPool, type PoolLimits, type TaskFailure } from "../processes/process-pool.ts";
import { tookLonger } from "./failures.ts";
import type { Answer, Task } from "./messages.ts";

export interface CodeRun {
  /** The body of an asynchronous function over `input`, `steps`, `item` and `index`. */
  code: string;
  /** Plain JSON. It is read when a process is free, and must not change until then. */
  globals: CodeGlobals;
  /**
   * The limit of processor time, in ms, from when a process has the code. The elapsed time may be ten times as much.
   */
  timeoutMs: number;
  /** The workspace id. Groups take turns, and each has at most half of the processes. */
  group: string;
  /** Ends the code. `run` then rejects with the signal's reason. */
  signal?: AbortSignal;
}

export interface CodeResult {
  /** Plain JSON; null if the code returned nothing. */
  output: unknown;
  logs: CodeLog[];
}

export interface Sandbox {
  /**
   * Runs code.
   * @throws {SandboxError} when the code fails or exceeds a limit, or the sandbox is busy.
   */
  run(run: CodeRun): Promise<CodeResult>;
  /** Ends the processes and rejects the code that runs in them. */
  close(): Promise<void>;
}

const FILE = join(import.meta.dirname, "runner.ts");
/** The extra time of a process beyond the code's limit, in ms, to report the timeout and hand over the logs. */
const GRACE_MS = 500;

const troubles: Record<Exclude<TaskFailure, "timeout">, [SandboxErrorCode, string]> = {
  busy: ["code_busy", "Too many code steps are waiting. Try again later."],
  memory: ["code_memory", "The code exceeded its memory limit."],
  ended: ["code_error", "The code ended the process of its sandbox."],
  not_started: ["code_busy", "The process for the sandbox could not be started."],
  stopping: ["code_busy", "The service is stopping."],
  not_copyable: ["code_error", "The data passed to the code is not JSON."],
};

/** Runs users' code in WebAssembly, in processes that hold nothing else and can be ended at any time. */
export function createSandbox(options: Partial<PoolLimits> = {}): Sandbox {
  const processes = options.processes ?? Math.max(4, availableParallelism());
  const pool = createProcessPool<Task, Answer>(
    FILE,
    {
      processes,
      perGroup: Math.ceil(processes / 2),
      maxQueue: 1_000,
      maxWaitMs: 30_000,
      idleMs: 30_000,
      // The JavaScript heap around the sandbox: the globals as text, and the logs. The sandbox's own memory is
      // separate.
      heapMb: MEMORY_MIB,
      ...options,
    },
    (trouble, { timeoutMs }) =>
      trouble === "timeout"
        ? new SandboxError("code_timeout", tookLonger(timeoutMs - GRACE_MS))
        : new SandboxError(...troubles[trouble]),
  );

  return {
    async run({ code, globals, timeoutMs, group, signal }) {
      if (code.length > MAX_CODE_LENGTH) {
        throw new SandboxError("code_error", `The code is longer than ${MAX_CODE_LENGTH / 1_024} KiB.`);
      }
      const task = () => ({ code, globals: globalsText(code, globals), timeoutMs, group });
      const answer = await pool.run(task, { group, timeoutMs: timeoutMs + GRACE_MS, ofProcessor: true, signal });
      if ("output" in answer) return { output: JSON.parse(answer.output) as unknown, logs: answer.logs };
      const { code: errorCode, message, line } = answer.error;
      throw new SandboxError(errorCode, message, { ...(line !== undefined && { line }), logs: answer.logs });
    },
    close: () => pool.close(),
  };
}
