import { type SqlMode, type SqlOutput, tooLarge } from "./port.ts";

/** A name for each column. A name that occurs again gets a number, so that no value is lost. */
export function columnNames(names: readonly string[]): string[] {
  const taken = new Set<string>();
  return names.map(name => {
    let free = name;
    for (let n = 2; taken.has(free); n++) free = `${name}_${n}`;
    taken.add(free);
    return free;
  });
}

/** A row by the names of its columns. Any name becomes a property of the row's own. */
export const rowOf = (names: readonly string[], values: readonly unknown[]): Record<string, unknown> =>
  Object.fromEntries(names.map((name, at) => [name, values[at] ?? null]));

/** How many rows a statement keeps, and one more by which it is known that there are more. */
export const mostRows = (mode: SqlMode, maxRows: number): number =>
  mode === "rows" ? maxRows + 1 : mode === "one" ? 1 : 0;

export function rowsOutput(mode: "rows" | "one", rows: Record<string, unknown>[], maxRows: number): SqlOutput {
  if (mode === "one") return { row: rows[0] ?? null };
  return { rows: rows.slice(0, maxRows), truncated: rows.length > maxRows };
}

/** @throws {SqlError} output_too_large */
export function checkSize(outputs: readonly SqlOutput[], maxBytes: number): void {
  if (Buffer.byteLength(JSON.stringify(outputs)) > maxBytes) throw tooLarge(maxBytes);
}
