import type { FunctionContext } from "../../core/expressions/function-context.ts";
import type { ExpressionErrorCode } from "../../core/expressions/expression-error.ts";

/**
 * A message to an evaluator: an expression, or a form with the data to check. A form without data is checked itself.
 */
export type Task =
  | { kind: "expression"; source: string; scope: unknown; moment: FunctionContext }
  | { kind: "form"; form: unknown; data?: unknown };

/** A message from an evaluator. */
export type Answer =
  { value: unknown } | { error: { code: ExpressionErrorCode; reason: string; position?: number | undefined } };
