import { types } from "node:util";
import { InvalidCursorError, InvalidFilterError } from "./errors.ts";
import type { Field } from "./fields.ts";
import { isPlain, type Condition, type Scalar } from "./filter.ts";
import type { Layout } from "./layout.ts";

export interface SortKey {
  readonly field: Field;
  readonly direction: 1 | -1;
}

const MAX_CURSOR_CHARS = 65_536;

/**
 * Validates a sort, and appends the id so that the order is total.
 * @throws {InvalidFilterError} when the sort is invalid.
 */
export function checkSort(layout: Layout, sort: unknown = {}): SortKey[] {
  if (!isPlain(sort)) throw new InvalidFilterError("a sort is an object of paths");
  const keys = Object.entries(sort).map(([path, direction]): SortKey => {
    const field = layout.fields.get(path);
    if (!field || field.kind === "json" || field.kind === "strings")
      throw new InvalidFilterError(`${path} is not a field to sort by`);
    if (direction !== 1 && direction !== -1) throw new InvalidFilterError(`${path} is sorted by 1 or -1`);
    return { field, direction };
  });
  const id = layout.fields.get("id");
  if (id && !keys.some(key => key.field === id)) keys.push({ field: id, direction: keys.at(-1)?.direction ?? 1 });
  return keys;
}

const signature = (sort: readonly SortKey[]): string =>
  sort.map(({ field, direction }) => `${direction < 0 ? "-" : ""}${field.path}`).join(",");

/** A cursor after this document. */
export function cursorAfter(sort: readonly SortKey[], document: Record<string, unknown>): string {
  const values = sort.map(({ field }) => {
    let value: unknown = document;
    for (const key of field.keys) value = isPlain(value) ? value[key] : undefined;
    return types.isDate(value) ? value.getTime() : (value ?? null);
  });
  return Buffer.from(JSON.stringify([signature(sort), ...values])).toString("base64url");
}

/**
 * The condition for the documents after a cursor (keyset paging).
 * @throws {InvalidCursorError} when the cursor does not belong to this list.
 */
export function behindCursor(sort: readonly SortKey[], cursor: string): Condition {
  const values = readCursor(sort, cursor);
  const alternatives = sort.map(({ field, direction }, place): Condition => {
    const ties = sort
      .slice(0, place)
      .map((key, i): Condition => ({ op: "eq", field: key.field, value: values[i] ?? null }));
    return { op: "and", of: [...ties, behind(field, direction, values[place] ?? null)] };
  });
  const or: Condition = { op: "or", of: alternatives };
  // Redundant, but it lets an index start at the cursor instead of at the beginning of the list.
  const [first] = sort;
  const value = values[0];
  if (!first || value === undefined || value === null || (first.direction < 0 && !first.field.required)) return or;
  return { op: "and", of: [{ op: first.direction < 0 ? "lte" : "gte", field: first.field, value }, or] };
}

/** Null and missing come before every value. */
function behind(field: Field, direction: 1 | -1, value: Scalar | null): Condition {
  const never: Condition = { op: "in", field, values: [] };
  if (value === null) return direction > 0 ? { op: "ne", field, value: null } : never;
  if (direction > 0) return { op: "gt", field, value };
  const less: Condition = { op: "lt", field, value };
  return field.required ? less : { op: "or", of: [less, { op: "eq", field, value: null }] };
}

function readCursor(sort: readonly SortKey[], cursor: unknown): (Scalar | null)[] {
  if (typeof cursor !== "string" || cursor.length > MAX_CURSOR_CHARS) throw new InvalidCursorError();
  let parsed: unknown;
  try {
    parsed = JSON.parse(Buffer.from(cursor, "base64url").toString());
  } catch {
    throw new InvalidCursorError();
  }
  if (!Array.isArray(parsed) || parsed.length !== sort.length + 1 || parsed[0] !== signature(sort))
    throw new InvalidCursorError();
  return sort.map(({ field }, place) => {
    const value: unknown = parsed[place + 1];
    if (value === null && !field.required) return null;
    if (field.kind === "date" && typeof value === "number" && Number.isFinite(new Date(value).getTime()))
      return new Date(value);
    if (field.kind !== "date" && typeof value === field.kind) return value as Scalar;
    throw new InvalidCursorError();
  });
}
