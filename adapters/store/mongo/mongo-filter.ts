import type { SortOrder } from "mongoose";
import type { CheckedChange } from "../change.ts";
import { type Condition, impliesExistence } from "../filter.ts";
import type { SortKey } from "../sort.ts";

export type MongoFilter = Record<string, unknown>;

export const mongoPath = (path: string): string => (path === "id" ? "_id" : path);
export const portPath = (path: string): string => (path === "_id" ? "id" : path);

export function mongoFilter(condition: Condition): MongoFilter {
  switch (condition.op) {
    case "and":
      return condition.of.length === 0 ? {} : { $and: condition.of.map(mongoFilter) };
    case "or":
      return { $or: condition.of.map(mongoFilter) };
    case "exists":
      return { [mongoPath(condition.field.path)]: { $exists: condition.value } };
  }
  const { op, field } = condition;
  const value = "values" in condition ? condition.values : condition.value;
  // Without this, MongoDB does not use a partial index.
  const stated = field.inPartial && impliesExistence(condition) && { $exists: true };
  return { [mongoPath(field.path)]: op === "eq" && !stated ? value : { [`$${op}`]: value, ...stated } };
}

export const mongoSort = (sort: readonly SortKey[]): Record<string, SortOrder> =>
  Object.fromEntries(sort.map(({ field, direction }) => [mongoPath(field.path), direction]));

export function mongoChange(change: CheckedChange): Record<string, Record<string, unknown>> {
  const dotted = (entries: readonly (readonly [readonly string[], unknown])[]) =>
    Object.fromEntries(entries.map(([path, value]) => [path.join("."), value]));
  const operators = {
    $set: { ...dotted(change.set), ...Object.fromEntries(change.setJson) },
    $unset: {
      ...dotted(change.unset.map(path => [path, 1])),
      ...Object.fromEntries(change.unsetJson.map(f => [f, 1])),
    },
    $inc: dotted(change.inc),
    $push: dotted(change.push),
  };
  // MongoDB refuses an empty operator.
  return Object.fromEntries(Object.entries(operators).filter(([, paths]) => Object.keys(paths).length > 0));
}
