import type { Cell } from "./cells.ts";

/** Text that a spreadsheet program takes for a formula, including full-width forms. */
const FORMULA = /^[=+\-@\t\r\n\uFF1D\uFF0B\uFF0D\uFF20]/;
/** A plain number is not a formula, although it may begin with a sign. */
const NUMBER = /^[+-]\d+([.,]\d+)?$/;
/** Programs split lines at any of these, whatever the delimiter is. The split-off text could begin a formula. */
const QUOTED = /["\r\n,;\t|]/;

/** Puts an apostrophe before a text that a spreadsheet program would run as a formula (OWASP, "CSV Injection"). */
export const withoutFormula = (text: string): string => (FORMULA.test(text) && !NUMBER.test(text) ? `'${text}` : text);

interface CsvForm {
  delimiter: string;
  escapeFormulas: boolean;
}

function fieldOf(cell: Cell, { delimiter, escapeFormulas }: CsvForm): string {
  if (cell === null) return "";
  if (typeof cell !== "string") return String(cell);
  const text = escapeFormulas ? withoutFormula(cell) : cell;
  return text.includes(delimiter) || QUOTED.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** One line of CSV in the form of RFC 4180, with its line break. */
export const csvLine = (cells: readonly Cell[], form: CsvForm): string =>
  `${cells.map(cell => fieldOf(cell, form)).join(form.delimiter)}\r\n`;
