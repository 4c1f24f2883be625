import type { Cell } from "./cells.ts";

const DATE = /^\d{4}-\d\d-\d\d$/;
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,3})?)?Z$/;
/** Before this, Excel counts a day that never existed. */
const FIRST_MS = Date.UTC(1900, 2, 1);

function kindOf(cell: Cell): "date" | "time" | null {
  if (typeof cell !== "string" || !(DATE.test(cell) || TIME.test(cell))) return null;
  const ms = Date.parse(cell);
  if (!(ms >= FIRST_MS) || new Date(ms).toISOString().slice(0, 10) !== cell.slice(0, 10)) return null;
  return ms % 86_400_000 === 0 ? "date" : "time";
}

/**
 * Which columns are dates: those whose values are all dates or times in ISO form. A column with other values as well
 * stays unchanged. `from` is the first line below the header.
 */
export function dateColumns(lines: readonly Cell[][], from: number): ("date" | "time" | null)[] {
  const kinds: ("date" | "time" | "other" | undefined)[] = [];
  for (let at = from; at < lines.length; at++) {
    for (const [column, cell] of lines[at]!.entries()) {
      if (cell === null || cell === "" || kinds[column] === "other") continue;
      const kind = kindOf(cell) ?? "other";
      if (kinds[column] === undefined || kind === "other" || kind === "time") kinds[column] = kind;
    }
  }
  return Array.from(kinds, kind => (kind === undefined || kind === "other" ? null : kind));
}
