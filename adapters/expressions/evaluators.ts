import { join } from "node:path";
import { ExpressionError } from "../../core/expressions/expression-error.ts";
import { createProcessPool, type PoolLimits, type Trouble } from "../processes/process-pool.ts";
import type { Answer, Task } from "./messages.ts";

export interface EvaluatorsOptions extends PoolLimits {
  /** Processor time of one expression, from when a process has it; the time that passes may be ten times as much. */
  timeoutMs: number;
}

/** Processes that evaluate what could hold up the event loop. */
export interface Evaluators {
  /** The scope is copied. Groups (workspaces) take turns. Rejects with ExpressionError. */
  run(task: Task, group: string): Promise<unknown>;
  close(): Promise<void>;
}

const FILE = join(import.meta.dirname, "evaluator.ts");

export function createEvaluators({ timeoutMs, ...limits }: EvaluatorsOptions): Evaluators {
  const reasons: Record<Trouble, string> = {
    busy: "Too many long expressions are waiting. Try again, or simplify them",
    timeout: `The expression took longer than ${timeoutMs} ms: simplify it, or look for an endless loop`,
    memory: `The expression used more than ${limits.heapMb} MiB of memory`,
    ended: "The expression ended its process",
    not_started: "The process for long expressions could not be started",
    stopping: "The service is stopping",
    not_copyable: "The data that the expression uses is not JSON",
  };
  const codeOf = (trouble: Trouble) =>
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
      throw new ExpressionError(answer.error.code, answer.error.reason);
    },
    close: () => pool.close(),
  };
}
