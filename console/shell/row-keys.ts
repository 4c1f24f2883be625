/** The rows of the lists of a page: those that say so, and the entries of lists that do. */
const ROWS = "main [data-row], main [data-rows] > *";
const WAY_IN = "a[href], summary, button:not(:disabled, [tabindex='-1'])";

const wayInto = (row: Element): HTMLElement | null => row.querySelector<HTMLElement>(WAY_IN);

/** The row that has the focus, or holds what has it. */
export const currentRow = (): HTMLElement | null => document.activeElement?.closest<HTMLElement>(ROWS) ?? null;

/**
 * Moves the focus to what opens the next row or the one before: from outside of all rows, to the first or the last.
 * @returns whether there is such a row
 */
export function goToRow(by: 1 | -1): boolean {
  const rows = [...document.querySelectorAll(ROWS)].filter(row => wayInto(row) !== null);
  const current = currentRow();
  const at = current ? rows.indexOf(current) : -1;
  const next = at < 0 ? rows.at(by > 0 ? 0 : -1) : rows[at + by];
  if (!next) return false;
  wayInto(next)?.focus();
  return true;
}
