import { columnNames } from "../expressions/csv.ts";
import { isObject } from "../json.ts";

export type Cell = string | number | boolean | null;

/** Converts a value to a cell. Anything except text, number and boolean becomes JSON. */
export function cellOf(value: unknown): Cell {
  if (value === null || value === undefined) return null;
  if (typeof value === "string" || typeof value === "boolean") return value;
  if (typeof value === "number") return Number.isFinite(value) ? value : null;
  return JSON.stringify(value);
}

interface Wanted {
  /** The columns and their order. By default all names, in the order of the rows. */
  columns?: readonly string[] | undefined;
  /** The first line contains the names of the columns. */
  header: boolean;
}

/** The names of the columns; null for rows that are lists and have no given names. */
export function columnsOf(rows: readonly unknown[], { columns }: Pick<Wanted, "columns">): readonly string[] | null {
  if (columns) return columns;
  const names = columnNames(rows);
  return names.length > 0 ? names : null;
}

/** The lines of a table. Rows are objects or lists. Any other row becomes a line with one value. */
export function* linesOf(rows: readonly unknown[], wanted: Wanted): Generator<Cell[]> {
  const names = columnsOf(rows, wanted);
  if (wanted.header && names) yield [...names];
  for (const row of rows) {
    if (Array.isArray(row)) yield row.map(cellOf);
    else if (isObject(row)) yield (names ?? []).map(name => (Object.hasOwn(row, name) ? cellOf(row[name]) : null));
    else yield [cellOf(row)];
  }
}
