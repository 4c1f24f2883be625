/** The rows in the lists of a page: elements with `data-row`, and children of elements with `data-rows`. */
const ROWS = "main [data-row], main [data-rows] > *";
const WAY_IN = "a[href], summary, button:not(:disabled, [tabindex='-1'])";

const wayInto = (row: Element): HTMLElement | null => row.querySelector<HTMLElement>(WAY_IN);

/** The row that has or contains the focus. */
export const currentRow = (): HTMLElement | null => document.activeElement?.closest<HTMLElement>(ROWS) ?? null;

/**
 * Moves the focus to the next or the previous row. From outside of all rows, it moves to the first or the last row.
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
