import { MAX_RESULT_LENGTH } from "../../core/expressions/limits.ts";
import { ExpressionError, describeJsonataError } from "../../core/expressions/expression-error.ts";
import type { FunctionContext } from "../../core/expressions/function-context.ts";
import { mayCallOwnFunctions, ownFunctions } from "./own-functions.ts";
import type { ParsedExpression } from "../../core/expressions/parse.ts";
import { plainJson } from "../../core/expressions/plain-json.ts";
import { pickScope, type Scope, READ_NAMES } from "../../core/expressions/scope.ts";

const MAX_STEPS = 1_000;
const MAX_MS = 20;

/** Thrown into JSONata to end an evaluation. It then continues in another process. */
const TOO_LONG = new ExpressionError("expression_timeout", "The expression takes too long on the event loop");

interface Budget {
  steps: number;
  startedAt: number;
}

/** Budgets by JSONata's environment object, which each evaluation has its own of. */
const budgets = new WeakMap<object, Budget>();
/** The expressions that have the hook, and whether they may call a function of Weft. */
const prepared = new WeakMap<ParsedExpression, boolean>();

/** JSONata's hook at the start of each step. JSONata documents it for time limits. */
function onStep(node: { type: string; value?: unknown }, input: unknown, environment: { base: object }): void {
  let budget = budgets.get(environment.base);
  if (!budget) {
    budget = { steps: 0, startedAt: performance.now() };
    budgets.set(environment.base, budget);
  }
  if (++budget.steps > MAX_STEPS || performance.now() - budget.startedAt > MAX_MS) throw TOO_LONG;
  // JSONata would write into the array, which belongs to the scope.
  if (node.type === "unary" && node.value === "{" && Array.isArray(input) && input.length === 0) throw TOO_LONG;
}

/**
 * Evaluates an expression of the inline lane on the event loop. Returns `{ value }`, or undefined if the expression
 * exceeds its budget (1,000 steps, 20 ms) and has to be evaluated in another process.
 * @throws {ExpressionError} when the expression fails.
 */
export async function evaluateInline(
  expression: ParsedExpression,
  scope: Scope,
  moment: FunctionContext,
): Promise<{ value: unknown } | undefined> {
  let callsOwn = prepared.get(expression);
  if (callsOwn === undefined) {
    // The type requires a name, but JSONata looks the hook up by this symbol.
    expression.jsonata.assign(Symbol.for("jsonata.__evaluate_entry") as unknown as string, onStep);
    callsOwn = mayCallOwnFunctions(expression.source);
    prepared.set(expression, callsOwn);
  }
  try {
    // Most expressions call none of them, so they need not wait for their creation.
    const own = callsOwn ? ownFunctions(moment) : undefined;
    const value: unknown = await expression.jsonata.evaluate(pickScope(scope, READ_NAMES), own);
    return { value: plainJson(value, { left: MAX_RESULT_LENGTH }) };
  } catch (error) {
    if (error === TOO_LONG) return undefined;
    throw describeJsonataError(error);
  }
}
