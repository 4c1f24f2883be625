import { writeXlsx } from "hucre/xlsx";
import type { Cell, WrittenSheet } from "./messages.ts";

const ISO = /^\d{4}-\d\d-\d\d(T[\d:.]+Z)?$/;
const FORMATS = { date: "yyyy-mm-dd", time: "yyyy-mm-dd hh:mm:ss" };

/** A workbook with these sheets. Texts are always texts, never formulas. */
export function xlsxBytes(sheets: readonly WrittenSheet[]): Promise<Uint8Array> {
  return writeXlsx({
    sheets: sheets.map(({ name, rows, dates }) => ({
      name,
      columns: dates.map(kind => (kind ? { numFmt: FORMATS[kind], width: kind === "date" ? 11 : 19 } : {})),
      rows: rows.map(row => row.map((cell, column) => valueOf(cell, dates[column] != null))),
    })),
  });
}

/**
 * Excel reads `_x0041_` in a text as the character with this code, unless its first underscore is escaped in the same
 * way.
 */
const ESCAPE = /_(?=x[0-9A-Fa-f]{4}_)/g;

/** A header in a column of dates is not a date. */
function valueOf(cell: Cell, isDate: boolean): Cell | Date {
  if (typeof cell !== "string") return cell;
  return isDate && ISO.test(cell) ? new Date(cell) : cell.replace(ESCAPE, "_x005F_");
}
