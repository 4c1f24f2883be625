import { columnNames } from "../expressions/csv.ts";
import { isObject } from "../json.ts";

export type Cell = string | number | boolean | null;

/** A value as a cell: what is not text, number or boolean becomes JSON. */
export function cellOf(value: unknown): Cell {
  if (value === null || value === undefined) return null;
  if (typeof value === "string" || typeof value === "boolean") return value;
  if (typeof value === "number") return Number.isFinite(value) ? value : null;
  return JSON.stringify(value);
}

interface Wanted {
  /** The columns and their order; by default all names, in the order in which the rows have them. */
  columns?: readonly string[] | undefined;
  /** The first line has the names of the columns. */
  header: boolean;
}

/** The names of the columns; null for rows that are lists and are given no names. */
export function columnsOf(rows: readonly unknown[], { columns }: Pick<Wanted, "columns">): readonly string[] | null {
  if (columns) return columns;
  const names = columnNames(rows);
  return names.length > 0 ? names : null;
}

/** The lines of a table, made of rows that are objects or lists. Any other row is a line of one value. */
export function* linesOf(rows: readonly unknown[], wanted: Wanted): Generator<Cell[]> {
  const names = columnsOf(rows, wanted);
  if (wanted.header && names) yield [...names];
  for (const row of rows) {
    if (Array.isArray(row)) yield row.map(cellOf);
    else if (isObject(row)) yield (names ?? []).map(name => (Object.hasOwn(row, name) ? cellOf(row[name]) : null));
    else yield [cellOf(row)];
  }
}
