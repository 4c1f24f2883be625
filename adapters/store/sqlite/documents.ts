import { types } from "node:util";
import type { CheckedDocument } from "../document.ts";
import { isPlain } from "../filter.ts";
import type { Layout } from "../layout.ts";
import { hasValues, type Point } from "./point.ts";
import type { Row } from "./protocol.ts";
import { columnOf, jsonColumn, tableOf } from "./sql.ts";

/** The SQL that depends only on a layout. */
interface LayoutSql {
  readonly columns: string;
  readonly insert: string;
  readonly selectById: string;
}

const known = new WeakMap<Layout, LayoutSql>();

function sqlOf(layout: Layout): LayoutSql {
  let sql = known.get(layout);
  if (!sql) {
    const columns = ["doc", ...layout.json.map(jsonColumn)].join(", ");
    const written = ["_id", columns, ...layout.indexed.map(columnOf)].join(", ");
    const values = `?, ?${", ?".repeat(layout.json.length + layout.indexed.length)}`;
    sql = {
      columns,
      insert: `INSERT INTO ${tableOf(layout)} (${written}) VALUES (${values})`,
      selectById: `SELECT ${columns} FROM ${tableOf(layout)} WHERE _id = ?`,
    };
    known.set(layout, sql);
  }
  return sql;
}

export const columns = (layout: Layout): string => sqlOf(layout).columns;
export const insertSql = (layout: Layout): string => sqlOf(layout).insert;
export const selectById = (layout: Layout): string => sqlOf(layout).selectById;

/** The parameters of `insertSql`, except those of the key columns. */
export function encodeDocument(layout: Layout, document: CheckedDocument): Row {
  const fields = layout.dates.length > 0 ? withTimes(layout, document.fields) : document.fields;
  const row: Row = [document.fields.id as string, JSON.stringify(fields)];
  for (const field of layout.json) row.push(document.json[field] ?? null);
  return row;
}

export const decodeRow = (layout: Layout, row: Row): Record<string, unknown> =>
  finish(layout, row, JSON.parse(row[0] as string) as Record<string, unknown>);

/** Like `decodeRow`, but null if the document does not match the point. */
export function decodeMatch(layout: Layout, row: Row, point: Point): Record<string, unknown> | null {
  const document = JSON.parse(row[0] as string) as Record<string, unknown>;
  return hasValues(document, point) ? finish(layout, row, document) : null;
}

function finish(layout: Layout, row: Row, document: Record<string, unknown>): Record<string, unknown> {
  for (const { keys } of layout.dates) {
    let parent: Record<string, unknown> | undefined = document;
    const end = keys.length - 1;
    for (let depth = 0; depth < end; depth++)
      parent = parent?.[keys[depth] as string] as Record<string, unknown> | undefined;
    const key = keys[end] as string;
    const time = parent?.[key];
    if (parent && typeof time === "number") parent[key] = new Date(time);
  }
  for (let place = 0; place < layout.json.length; place++) {
    const text = row[place + 1];
    if (typeof text === "string") document[layout.json[place] as string] = JSON.parse(text) as unknown;
  }
  return document;
}

/** Dates are stored as milliseconds since 1970. They compare as numbers and are smaller than text. */
export function withTimes(layout: Layout, fields: Record<string, unknown>): Record<string, unknown> {
  const out = { ...fields };
  for (const { keys } of layout.dates) {
    let parent = out;
    for (let depth = 0; depth < keys.length; depth++) {
      const key = keys[depth] as string;
      const value = parent[key];
      if (value === undefined || value === null) break;
      if (depth === keys.length - 1) parent[key] = (value as Date).getTime();
      else parent = parent[key] = { ...(value as Record<string, unknown>) };
    }
  }
  return out;
}

/** Converts dates in a value that a change sets, at any depth. */
export function withTimesAt(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (types.isDate(value)) return value.getTime();
  if (!isPlain(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, withTimesAt(item)]));
}
