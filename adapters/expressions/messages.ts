import type { ExpressionErrorCode } from "../../core/expressions/expression-error.ts";

/** To an evaluator: an expression, or a form with the data to check; without data, the form alone. */
export type Task =
  { kind: "expression"; source: string; scope: unknown } | { kind: "form"; form: unknown; data?: unknown };

/** From an evaluator. */
export type Answer = { value: unknown } | { error: { code: ExpressionErrorCode; reason: string } };
