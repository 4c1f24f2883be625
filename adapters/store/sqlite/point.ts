import { types } from "node:util";
import { valueAt } from "../document.ts";
import type { Condition } from "../filter.ts";

type Equality = Extract<Condition, { op: "eq" | "ne" | "gt" | "gte" | "lt" | "lte" }>;

/** A condition for one document: its id, and values that it must also have. */
export interface Point {
  readonly id: string;
  readonly also: readonly Equality[];
}

/**
 * Converts a condition to a point. Null if the condition consists of more than an id and equalities of single values.
 */
export function pointOf(condition: Condition): Point | null {
  const also: Equality[] = [];
  if (!collect(condition, also)) return null;
  const place = also.findIndex(({ field, value }) => field.path === "id" && value !== null);
  const [id] = place < 0 ? [] : also.splice(place, 1);
  return id ? { id: id.value as string, also } : null;
}

function collect(condition: Condition, into: Equality[]): boolean {
  if (condition.op === "and") return condition.of.every(part => collect(part, into));
  if (condition.op !== "eq" || condition.field.kind === "strings") return false;
  into.push(condition);
  return true;
}

/**
 * Whether a document, with its dates still as milliseconds, has the values. Agrees with SQL over its virtual columns.
 */
export const hasValues = (document: Record<string, unknown>, { also }: Point): boolean =>
  also.every(({ field, value }) => {
    const held = valueAt(document, field) ?? null;
    return held === (types.isDate(value) ? value.getTime() : value);
  });
