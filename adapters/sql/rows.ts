import { type SqlMode, type SqlOutput, tooLarge } from "./port.ts";

/** A name for each column. A repeated name gets a number, so that no value is lost. */
export function columnNames(names: readonly string[]): string[] {
  const taken = new Set<string>();
  /** The next number of each repeated name. A server may repeat one name tens of thousands of times. */
  const numbers = new Map<string, number>();
  return names.map(name => {
    let free = name;
    let number = numbers.get(name) ?? 2;
    while (taken.has(free)) free = `${name}_${number++}`;
    numbers.set(name, number);
    taken.add(free);
    return free;
  });
}

/** A row as an object. Every column name becomes an own property, whatever it is. */
export const rowOf = (names: readonly string[], values: readonly unknown[]): Record<string, unknown> =>
  Object.fromEntries(names.map((name, at) => [name, values[at] ?? null]));

/** The most rows that a statement reads. The additional row shows whether there are more. */
export const rowsToRead = (mode: SqlMode, maxRows: number): number =>
  mode === "rows" ? maxRows + 1 : mode === "one" ? 1 : 0;

export function rowsOutput(mode: "rows" | "one", rows: Record<string, unknown>[], maxRows: number): SqlOutput {
  if (mode === "one") return { row: rows[0] ?? null };
  return { rows: rows.slice(0, maxRows), truncated: rows.length > maxRows };
}

/** @throws {SqlError} output_too_large */
export function checkSize(outputs: readonly SqlOutput[], maxBytes: number): void {
  if (Buffer.byteLength(JSON.stringify(outputs)) > maxBytes) throw tooLarge(maxBytes);
}
