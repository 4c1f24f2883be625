import { types } from "node:util";
import { InvalidFilterError } from "./errors.ts";
import type { Field, Fields } from "./fields.ts";

export type Scalar = string | number | boolean | Date;
type Comparison = "eq" | "ne" | "gt" | "gte" | "lt" | "lte";

/** A validated filter, which both drivers translate. An empty `and` matches everything. */
export type Condition =
  | { readonly op: "and"; readonly of: readonly Condition[] }
  | { readonly op: "or"; readonly of: readonly Condition[] }
  | { readonly op: Comparison; readonly field: Field; readonly value: Scalar | null }
  | { readonly op: "in" | "nin"; readonly field: Field; readonly values: readonly (Scalar | null)[] }
  | { readonly op: "exists"; readonly field: Field; readonly value: boolean };

/** Whether the condition implies that the field exists. Only then can a partial index answer the query. */
export const impliesExistence = (condition: Condition): boolean =>
  "value" in condition
    ? condition.op !== "ne" && condition.op !== "exists" && condition.value !== null
    : condition.op === "in" && !condition.values.includes(null);

/** Whether no document can match, for example with an empty list of ids. The driver is not called then. */
export function matchesNothing(condition: Condition): boolean {
  if (condition.op === "and") return condition.of.some(matchesNothing);
  if (condition.op === "or") return condition.of.every(matchesNothing);
  return condition.op === "in" && condition.values.length === 0;
}

const MAX_DEPTH = 8;
const MAX_PARTS = 1000;
const MAX_VALUES = 10_000;
const COMPARISONS: Record<string, Comparison> = {
  $eq: "eq",
  $ne: "ne",
  $gt: "gt",
  $gte: "gte",
  $lt: "lt",
  $lte: "lte",
};
const ORDERED = new Set(["gt", "gte", "lt", "lte"]);

/**
 * Validates a filter.
 * @throws {InvalidFilterError} when the port does not allow an operator, path or value.
 */
export function checkFilter(layout: Fields, filter: unknown, depth = 0): Condition {
  if (!isPlain(filter)) throw new InvalidFilterError("a filter is an object");
  if (depth > MAX_DEPTH) throw new InvalidFilterError("the filter is nested too deeply");
  const parts: Condition[] = [];
  for (const [key, value] of Object.entries(filter)) {
    if (key === "$and" || key === "$or") parts.push(checkList(layout, key, value, depth));
    else parts.push(...checkField(layout, key, value));
  }
  const [only] = parts;
  return parts.length === 1 && only ? only : { op: "and", of: parts };
}

function checkList(layout: Fields, key: "$and" | "$or", value: unknown, depth: number): Condition {
  if (!Array.isArray(value) || value.length === 0 || value.length > MAX_PARTS)
    throw new InvalidFilterError(`${key} takes a list of 1 to ${MAX_PARTS} filters`);
  return { op: key === "$and" ? "and" : "or", of: value.map(part => checkFilter(layout, part, depth + 1)) };
}

function checkField(layout: Pick<Fields, "fields">, path: string, value: unknown): Condition[] {
  const field = layout.fields.get(path);
  if (!field) throw new InvalidFilterError(`${path} is not a field to filter by`);
  if (field.kind === "json") throw new InvalidFilterError(`${path} is free-form JSON and cannot be filtered by`);
  if (!isPlain(value)) return [{ op: "eq", field, value: checkValue(field, value) }];
  const operators = Object.entries(value);
  if (operators.length === 0) throw new InvalidFilterError(`${path} has no operator`);
  return operators.map(([operator, operand]) => checkOperator(field, operator, operand));
}

function checkOperator(field: Field, operator: string, operand: unknown): Condition {
  if (operator === "$exists") {
    if (typeof operand !== "boolean") throw new InvalidFilterError(`${field.path}: $exists takes true or false`);
    return { op: "exists", field, value: operand };
  }
  if (operator === "$in" || operator === "$nin") {
    if (!Array.isArray(operand) || operand.length > MAX_VALUES)
      throw new InvalidFilterError(`${field.path}: ${operator} takes a list of at most ${MAX_VALUES} values`);
    return { op: operator === "$in" ? "in" : "nin", field, values: operand.map(value => checkValue(field, value)) };
  }
  const op = Object.hasOwn(COMPARISONS, operator) ? COMPARISONS[operator] : undefined;
  if (!op) throw new InvalidFilterError(`${field.path}: ${operator} is not an operator of the store`);
  if (ORDERED.has(op) && field.kind === "strings")
    throw new InvalidFilterError(`${field.path} is a list: ${operator} is not for it`);
  const value = checkValue(field, operand);
  if (ORDERED.has(op) && value === null) throw new InvalidFilterError(`${field.path}: ${operator} takes no null`);
  return { op, field, value };
}

function checkValue(field: Field, value: unknown): Scalar | null {
  if (value === null) return null;
  const kind = field.kind === "strings" ? "string" : field.kind;
  if (kind === "date" && types.isDate(value) && Number.isFinite(value.getTime())) return value;
  if (kind === "number" && typeof value === "number" && Number.isFinite(value)) return value;
  if (kind === "boolean" && typeof value === "boolean") return value;
  if (kind === "string" && typeof value === "string") return value.toWellFormed();
  throw new InvalidFilterError(`${field.path} is compared with something that is not a ${kind}`);
}

export function isPlain(value: unknown): value is Record<string, unknown> {
  if (typeof value !== "object" || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return (
    prototype === Object.prototype ||
    prototype === null ||
    (!Array.isArray(value) && !types.isDate(value) && !types.isRegExp(value))
  );
}
