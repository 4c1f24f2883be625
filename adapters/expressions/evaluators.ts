import { join } from "node:path";
import { ExpressionError } from "../../core/expressions/expression-error.ts";
import { createProcessPool, type PoolLimits, type TaskFailure } from "../processes/process-pool.ts";
import type { Answer, Task } from "./messages.ts";

export interface EvaluatorsOptions extends PoolLimits {
  /**
   * The processor time of one expression, in ms, from when a process has it. The elapsed time may be ten times as much.
   */
  timeoutMs: number;
}

/** A pool of processes for evaluations that could block the event loop. */
export interface Evaluators {
  /**
   * Runs a task with a copy of its scope. Groups (workspaces) take turns.
   * @throws {ExpressionError} when the expression fails, exceeds a limit, or finds the queue full.
   */
  run(task: Task, group: string): Promise<unknown>;
  close(): Promise<void>;
}

const FILE = join(import.meta.dirname, "evaluator.ts");

export function createEvaluators({ timeoutMs, ...limits }: EvaluatorsOptions): Evaluators {
  const reasons: Record<TaskFailure, string> = {
    busy: "Too many long expressions are waiting. Try again, or simplify them",
    timeout: `The expression took longer than ${timeoutMs} ms: simplify it, or look for an endless loop`,
    memory: `The expression used more than ${limits.heapMb} MiB of memory`,
    ended: "The expression ended its process",
    not_started: "The process for long expressions could not be started",
    stopping: "The service is stopping",
    not_copyable: "The data that the expression uses is not JSON",
  };
  const codeOf = (trouble: TaskFailure) =>
    trouble === "busy" || trouble === "timeout" ? (`expression_${trouble}` as const) : "expression_error";
  const pool = createProcessPool<Task, Answer>(
    FILE,
    limits,
    trouble => new ExpressionError(codeOf(trouble), reasons[trouble]),
  );

  return {
    async run(task, group) {
      const answer = await pool.run(() => task, { group, timeoutMs, ofProcessor: true });
      if ("value" in answer) return answer.value;
      throw new ExpressionError(answer.error.code, answer.error.reason, "", { position: answer.error.position });
    },
    close: () => pool.close(),
  };
}
