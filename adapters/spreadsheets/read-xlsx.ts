import { readXlsx, streamXlsxRows } from "hucre/xlsx";
import { DocumentError } from "../documents/messages.ts";
import { checkPackage } from "../documents/office-package.ts";
import type { Cell } from "./messages.ts";

interface SheetRow {
  /** The row number, from 0. */
  index: number;
  cells: Cell[];
}

export interface Workbook {
  /** The names of the sheets, in their order. */
  sheets: { name: string; hidden: boolean }[];
  /** @throws {DocumentError} during the iteration, when the sheet is broken */
  rows(place: number): AsyncGenerator<SheetRow>;
}

/** The library decodes Excel's values, and dates become ISO text. An invalid date becomes null. */
function cellOf(value: string | number | boolean | Date | null | undefined): Cell {
  if (value === undefined || value === null) return null;
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? null : value.toISOString();
  return typeof value === "number" && !Number.isFinite(value) ? null : value;
}

const broken = () => new DocumentError("file_unreadable", "The file is not a valid workbook: its content is broken.");

/**
 * Opens an XLSX workbook, whose rows can then be read one after another. A formula has the value that was stored with
 * it.
 * @throws {DocumentError} when the file is no workbook, or exceeds a limit
 */
export async function openXlsx(bytes: Uint8Array): Promise<Workbook> {
  await checkPackage(bytes, "xl/");
  const sheets: Workbook["sheets"] = [];
  try {
    await readXlsx(bytes, {
      sheets: ({ name, hidden = false, veryHidden = false }) => {
        sheets.push({ name, hidden: hidden || veryHidden });
        return false;
      },
    });
  } catch {
    throw broken();
  }
  return {
    sheets,
    async *rows(place) {
      const rows = streamXlsxRows(bytes, { sheet: place });
      try {
        for await (const { index, values } of rows) yield { index, cells: values.map(cellOf) };
      } catch {
        throw broken();
      }
    },
  };
}
