import { types } from "node:util";
import { type Condition, impliesExistence, type Scalar } from "../filter.ts";
import type { Field } from "../fields.ts";
import type { Layout } from "../layout.ts";
import type { SortKey } from "../sort.ts";
import type { Sql, SqlValue } from "./protocol.ts";

const OPERATORS = { eq: "=", gt: ">", gte: ">=", lt: "<", lte: "<=" } as const;

export type { SqlValue };

export const quoted = (name: string): string => `"${name}"`;
export const tableOf = (layout: Layout): string => quoted(layout.name);
/**
 * Derived columns are named by their path. Free-form JSON has its own columns, outside SQLite's JSON functions and
 * their depth limit.
 */
export const jsonColumn = (field: string): string => quoted(`json:${field}`);
export const columnOf = (field: Field): string => (field.path === "id" ? "_id" : quoted(field.path));
/** Safe to write into SQL, because the layout allows only words. */
export const jsonPath = (field: Field): string => `'$.${field.path}'`;

export function sqlValue(value: Scalar | null): SqlValue {
  if (types.isDate(value)) return value.getTime();
  return typeof value === "boolean" ? Number(value) : value;
}

/**
 * The literal of a value, where SQLite requires one: in an index's expression, and in the queries that must match it.
 */
export function literal(value: SqlValue): string {
  if (value === null) return "NULL";
  return typeof value === "number" ? String(value) : `'${value.replaceAll("'", "''")}'`;
}

/** Translates a condition to SQL with MongoDB's meaning. The values of `inline` conditions become literals. */
export function whereSql(condition: Condition, params: SqlValue[], inline: (condition: Condition) => boolean): string {
  switch (condition.op) {
    case "and":
    case "or": {
      const parts = condition.of.map(part => whereSql(part, params, inline));
      if (parts.length === 0) return "1";
      return parts.length === 1 ? (parts[0] as string) : `(${parts.join(condition.op === "and" ? " AND " : " OR ")})`;
    }
    case "exists":
      return condition.field.neverNull || condition.field.kind === "strings"
        ? `${plainColumn(condition.field)} IS ${condition.value ? "NOT " : ""}NULL`
        : `json_type(doc, ${jsonPath(condition.field)}) IS ${condition.value ? "NOT " : ""}NULL`;
  }
  const { field } = condition;
  if (field.kind === "strings") return listSql(condition, params);
  const column = columnOf(field);
  if ("values" in condition) return inSql(column, condition.op, condition.values, params);
  if (condition.value === null) return `${column} IS ${condition.op === "ne" ? "NOT " : ""}NULL`;
  const value = sqlValue(condition.value);
  let operand = "?";
  if (inline(condition) && !hasControl(value)) operand = literal(value);
  else params.push(value);
  return condition.op === "ne" ? `${column} IS NOT ${operand}` : `${column} ${OPERATORS[condition.op]} ${operand}`;
}

function inSql(column: string, op: "in" | "nin", values: readonly (Scalar | null)[], params: SqlValue[]): string {
  const hasNull = values.includes(null);
  params.push(JSON.stringify(values.filter(value => value !== null).map(sqlValue)));
  const list = "(SELECT value FROM json_each(?))";
  if (op === "in") return hasNull ? `(${column} IN ${list} OR ${column} IS NULL)` : `${column} IN ${list}`;
  return hasNull
    ? `(${column} IS NOT NULL AND ${column} NOT IN ${list})`
    : `(${column} IS NULL OR ${column} NOT IN ${list})`;
}

/**
 * A condition on a list of strings holds if it holds for an item. A negative condition holds if the positive one does
 * not.
 */
function listSql(condition: Condition, params: SqlValue[]): string {
  if (!("field" in condition) || condition.op === "exists") return "0";
  const { field } = condition;
  const values = "values" in condition ? condition.values : [condition.value];
  const negative = condition.op === "ne" || condition.op === "nin";
  params.push(JSON.stringify(values.filter(value => value !== null)));
  const holds =
    `EXISTS (SELECT 1 FROM json_each(doc, ${jsonPath(field)}) AS item WHERE item.value IN (SELECT value FROM json_each(?)))` +
    (values.includes(null) ? ` OR ${plainColumn(field)} IS NULL` : "");
  if (negative) return `NOT (${holds})`;
  // Without this, SQLite does not use a partial index. For columns, SQLite infers it.
  const stated = field.inPartial && impliesExistence(condition) ? `${plainColumn(field)} IS NOT NULL AND ` : "";
  return `(${stated}${holds})`;
}

/** Lists have no column of their own. */
const plainColumn = (field: Field): string =>
  field.kind === "strings" ? `json_extract(doc, ${jsonPath(field)})` : columnOf(field);

/** A NUL would end the SQL text. */
const hasControl = (value: SqlValue): boolean => typeof value === "string" && value.includes("\0");

/** Selects the values that partial indexes use: SQLite uses such an index only for a query with the same literal. */
function inlineFor(layout: Layout): (condition: Condition) => boolean {
  const known = inlined.get(layout);
  if (known) return known;
  const literals = new Set<string>();
  const paths = new Set<string>();
  const key = (condition: Condition) =>
    "value" in condition && condition.op !== "exists"
      ? `${condition.op} ${condition.field.path} ${String(condition.value)}`
      : "";
  const note = (condition: Condition): void => {
    literals.add(key(condition));
    if ("field" in condition) paths.add(condition.field.path);
  };
  const collect = (condition: Condition): void =>
    condition.op === "and" ? condition.of.forEach(collect) : note(condition);
  for (const index of layout.indexes) if (index.partial) collect(index.partial);
  const inline = (condition: Condition) =>
    "field" in condition && paths.has(condition.field.path) && literals.has(key(condition));
  inlined.set(layout, inline);
  return inline;
}
const inlined = new WeakMap<Layout, (condition: Condition) => boolean>();

export function where(layout: Layout, condition: Condition): Sql {
  const params: SqlValue[] = [];
  const inline = inlineFor(layout);
  const parts = partsOf(condition);
  if (!isRangeOfIds(parts)) return { text: whereSql(condition, params, inline), params };
  // The plus sign keeps SQLite from an index that begins with the field. Without statistics, SQLite considers equality
  // narrower than a range, and would read the whole workspace.
  const text = parts.map(part => {
    const isEqual = part.op === "eq" && part.value !== null && part.field.kind !== "strings" && !inline(part);
    return `${isEqual ? "+" : ""}${whereSql(part, params, inline)}`;
  });
  return { text: text.join(" AND "), params };
}

const partsOf = (condition: Condition): Condition[] =>
  condition.op === "and" ? condition.of.flatMap(partsOf) : [condition];

/** Whether ids have both bounds, as in a query for all ids that begin with the id of another document. */
const isRangeOfIds = (parts: readonly Condition[]): boolean =>
  [
    ["gt", "gte"],
    ["lt", "lte"],
  ].every(bound => parts.some(part => bound.includes(part.op) && "field" in part && part.field.path === "id"));

export const orderBy = (sort: readonly SortKey[]): string =>
  sort.map(({ field, direction }) => `${columnOf(field)}${direction < 0 ? " DESC" : ""}`).join(", ");
