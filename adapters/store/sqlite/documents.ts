import { types } from "node:util";
import type { CheckedDocument } from "../document.ts";
import { isPlain } from "../filter.ts";
import type { Layout } from "../layout.ts";
import type { Row } from "./protocol.ts";
import { jsonColumn, tableOf } from "./sql.ts";

export const columns = (layout: Layout): string => ["doc", ...layout.json.map(jsonColumn)].join(", ");

export const insertSql = (layout: Layout): string =>
  `INSERT INTO ${tableOf(layout)} (_id, ${columns(layout)}) VALUES (?, ?${", ?".repeat(layout.json.length)})`;

/** The parameters of `insertSql`. */
export function encodeDocument(layout: Layout, document: CheckedDocument): Row {
  const fields = layout.dates.length > 0 ? withTimes(layout, document.fields) : document.fields;
  return [
    document.fields.id as string,
    JSON.stringify(fields),
    ...layout.json.map(field => document.json[field] ?? null),
  ];
}

export function decodeRow(layout: Layout, row: Row): Record<string, unknown> {
  const document = JSON.parse(row[0] as string) as Record<string, unknown>;
  for (const { keys } of layout.dates) {
    let parent: Record<string, unknown> | undefined = document;
    for (const key of keys.slice(0, -1)) parent = parent?.[key] as Record<string, unknown> | undefined;
    const key = keys.at(-1) as string;
    const time = parent?.[key];
    if (parent && typeof time === "number") parent[key] = new Date(time);
  }
  for (const [place, field] of layout.json.entries()) {
    const text = row[place + 1];
    if (typeof text === "string") document[field] = JSON.parse(text) as unknown;
  }
  return document;
}

/** Dates are kept as milliseconds since 1970: they compare as numbers and cost less than text. */
export function withTimes(layout: Layout, fields: Record<string, unknown>): Record<string, unknown> {
  const out = { ...fields };
  for (const { keys } of layout.dates) {
    let parent = out;
    for (const [depth, key] of keys.entries()) {
      const value = parent[key];
      if (value === undefined || value === null) break;
      if (depth === keys.length - 1) parent[key] = (value as Date).getTime();
      else parent = parent[key] = { ...(value as Record<string, unknown>) };
    }
  }
  return out;
}

/** The same for a value that a change sets, whatever its depth. */
export function withTimesAt(value: unknown): unknown {
  if (types.isDate(value)) return value.getTime();
  if (!isPlain(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, withTimesAt(item)]));
}
