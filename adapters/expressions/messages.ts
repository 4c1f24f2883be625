import type { ExpressionErrorCode } from "../../core/expressions/expression-error.ts";

/** To an evaluator: one expression at a time. */
export interface Task {
  source: string;
  scope: unknown;
}

/** From an evaluator: that it can take tasks, or the answer to the task that it had. */
export type Message = { ready: true } | { value: unknown } | { error: { code: ExpressionErrorCode; reason: string } };
