import type { ExpressionErrorCode } from "../../core/expressions/expression-error.ts";

/** To an evaluator, one at a time: an expression, or a form with the data to check; without data, the form alone. */
export type Task =
  { kind: "expression"; source: string; scope: unknown } | { kind: "form"; form: unknown; data?: unknown };

/** From an evaluator: that it can take tasks, or the answer to the task that it had. */
export type Message = { ready: true } | { value: unknown } | { error: { code: ExpressionErrorCode; reason: string } };
