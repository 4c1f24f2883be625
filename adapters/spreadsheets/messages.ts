import type { DocumentErrorCode } from "../documents/messages.ts";

/** Dates are text in the form of ISO 8601. */
export type Cell = string | number | boolean | null;

export interface ReadOptions {
  /** Without it, the first bytes tell it. */
  format?: "csv" | "xlsx" | undefined;
  /** The charset of a CSV file; UTF-8 by default. */
  encoding?: string | undefined;
  /** Of a CSV file; by default the one that stands most often in the first line. */
  delimiter?: string | undefined;
  /** The name of a sheet, or its number, from 1; by default the first one that is visible. */
  sheet?: string | number | undefined;
  /** A part of the sheet, such as `B2:D100` or `A:C`. */
  range?: string | undefined;
  /** The first row names the columns. */
  header: boolean;
  /** The number of rows that are left out, behind the header. */
  skip: number;
  limit: number;
  /** Texts of a CSV file that are numbers or booleans become such, and empty ones null. */
  convert: boolean;
  /** The most characters of the rows as JSON, approximately. */
  maxChars: number;
}

/** Rows without a value are left out. */
export interface Table {
  columns: string[];
  rows: Cell[][];
  /** Null for CSV. */
  sheet: string | null;
  sheets: string[];
  /** There are more rows. */
  truncated: boolean;
}

export interface WrittenSheet {
  name: string;
  rows: Cell[][];
  /** By the place of the column: its texts are dates, and are written as such. */
  dates: ("date" | "time" | null)[];
}

export type Task = { read: ReadOptions; bytes: Uint8Array } | { write: WrittenSheet[] };
export type Answer =
  { table: Table } | { bytes: Uint8Array } | { error: { code: SpreadsheetErrorCode; message: string } };

export type SpreadsheetErrorCode = DocumentErrorCode | "sheet_not_found" | "output_too_large" | "invalid_data";

/** Says why a spreadsheet cannot be read or written. The message is written for users. */
export class SpreadsheetError extends Error {
  readonly code: SpreadsheetErrorCode;
  constructor(code: SpreadsheetErrorCode, message: string) {
    super(message);
    this.name = "SpreadsheetError";
    this.code = code;
  }
}

/** The largest file that is read, and the most cells of a table. */
export const MAX_SHEET_BYTES = 32 * 1_048_576;
export const MAX_CELLS = 1_000_000;
