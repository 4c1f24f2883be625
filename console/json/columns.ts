import { isRecord } from "../data/json.ts";

/** Only this many rows, and this many keys, are searched for columns. */
const ASKED = 200;
const MAX_COLUMNS = 60;
/** The least and the largest width of a column, in characters. */
const [NARROW, WIDE] = [6, 42];
const LONG_TEXT = 80;

export interface Column {
  key: string;
  /** In characters. */
  width: number;
  /** Numbers are aligned to the end of their cells. */
  isNumeric: boolean;
}

/** The text of a table cell, on one line. */
export const cellText = (value: unknown): string =>
  value === undefined ? "" : typeof value === "string" ? value : JSON.stringify(value);

/** The other view of a value besides the tree: a table for an array of objects, text for a long string. */
export function otherViewOf(value: unknown): "table" | "text" | undefined {
  if (typeof value === "string") return value.length > LONG_TEXT || value.includes("\n") ? "text" : undefined;
  return Array.isArray(value) && value.length > 0 && value.slice(0, ASKED).every(isRecord) ? "table" : undefined;
}

/** The columns of an array of objects: the keys of the first rows, in order of appearance. */
export function columnsOf(rows: readonly unknown[]): Column[] {
  const columns = new Map<string, Column>();
  for (const row of rows.slice(0, ASKED)) {
    if (!isRecord(row)) continue;
    for (const [key, value] of Object.entries(row)) {
      const before = columns.get(key);
      if (!before && columns.size >= MAX_COLUMNS) continue;
      const needed = Math.max(key.length, cellText(value).length);
      columns.set(key, {
        key,
        width: Math.min(WIDE, Math.max(before?.width ?? NARROW, needed)),
        isNumeric: typeof value === "number" && before?.isNumeric !== false,
      });
    }
  }
  return [...columns.values()];
}
