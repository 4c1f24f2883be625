import { ExpressionError, tooDeep, tooLarge } from "./expression-error.ts";
import { MAX_JSON_DEPTH } from "./limits.ts";

/** The length that one template may still produce. All values of the template share it. */
export interface LengthBudget {
  left: number;
}

function spend(budget: LengthBudget, length: number): void {
  budget.left -= length;
  if (budget.left < 0) throw tooLarge();
}

/** JSONata marks its own arrays (`sequence`, `cons` …), and its results contain marked arrays. */
const isMarked = (array: object) =>
  "sequence" in array ||
  "keepSingleton" in array ||
  "cons" in array ||
  "outerWrapper" in array ||
  "tupleStream" in array;

/** Defines the property instead of assigning it, so that `__proto__` is a key like any other. */
const setOwn = (target: object, key: string, value: unknown) =>
  Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true });

function plainArray(array: readonly unknown[], budget: LengthBudget, level: number): unknown[] {
  let copy: unknown[] | undefined = isMarked(array) ? [] : undefined;
  for (let i = 0; i < array.length; i++) {
    const item = plain(array[i], budget, level) ?? null;
    if (copy === undefined && item !== array[i]) copy = array.slice(0, i);
    copy?.push(item);
  }
  return copy ?? (array as unknown[]);
}

function plainObject(object: Record<string, unknown>, budget: LengthBudget, level: number): Record<string, unknown> {
  const keys = Object.keys(object);
  const values: unknown[] = [];
  let copied = Object.getPrototypeOf(object) === null;
  for (const key of keys) {
    spend(budget, key.length + 3);
    const value = plain(object[key], budget, level);
    if (value !== object[key]) copied = true;
    values.push(value);
  }
  if (!copied) return object;
  const copy = {};
  keys.forEach((key, i) => setOwn(copy, key, values[i]));
  return copy;
}

function plain(value: unknown, budget: LengthBudget, level: number): unknown {
  if (typeof value === "string") {
    spend(budget, value.length + 3);
    return value;
  }
  spend(budget, 5);
  if (typeof value === "number" && !Number.isFinite(value)) {
    throw new ExpressionError("expression_error", "The result is not a finite number: look for a division by zero");
  }
  if (typeof value === "function" || typeof value === "symbol" || typeof value === "bigint") {
    throw new ExpressionError("expression_error", "The result holds a function: call it, so that it gives a value");
  }
  if (typeof value !== "object" || value === null) return value;
  if (level >= MAX_JSON_DEPTH) throw tooDeep();
  return Array.isArray(value)
    ? plainArray(value, budget, level + 1)
    : plainObject(value as Record<string, unknown>, budget, level + 1);
}

/**
 * Converts a result to plain JSON, without JSONata's marks on arrays. A value that is plain already is returned as it
 * is, not copied. `level` is the depth at which the value will stand.
 * @throws {ExpressionError} for functions and infinite numbers, when the budget is exceeded, or with
 * expression_too_deep beyond 100 levels in all
 */
export function plainJson(value: unknown, budget: LengthBudget, level = 0): unknown {
  return plain(value, budget, level);
}

/** The text of a value inside a longer string. */
export function textOf(value: unknown): string {
  if (typeof value === "string") return value;
  return value === undefined ? "" : JSON.stringify(value);
}
