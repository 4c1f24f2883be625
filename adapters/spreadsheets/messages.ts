import type { DocumentErrorCode } from "../documents/messages.ts";

/** Dates are ISO 8601 text. */
export type Cell = string | number | boolean | null;

export interface ReadOptions {
  /** Without it, the first bytes decide. */
  format?: "csv" | "xlsx" | undefined;
  /** The charset of a CSV file; UTF-8 by default. */
  encoding?: string | undefined;
  /** Of a CSV file. The default is the delimiter that occurs most often in the first line. */
  delimiter?: string | undefined;
  /** The name of a sheet, or its number from 1. The default is the first visible sheet. */
  sheet?: string | number | undefined;
  /** A part of the sheet, such as `B2:D100` or `A:C`. */
  range?: string | undefined;
  /** The first row names the columns. */
  header: boolean;
  /** The number of rows that are skipped after the header. */
  skip: number;
  limit: number;
  /** Converts texts of a CSV file: numbers and booleans become such values, and empty texts become null. */
  convert: boolean;
  /** The approximate limit of the rows, in characters of JSON. */
  maxChars: number;
}

/** Empty rows are left out. */
export interface Table {
  columns: string[];
  rows: Cell[][];
  /** Null for CSV. */
  sheet: string | null;
  sheets: string[];
  /** Whether there are more rows. */
  truncated: boolean;
}

export interface WrittenSheet {
  name: string;
  rows: Cell[][];
  /** For each column, whether its texts are dates and are written as such. */
  dates: ("date" | "time" | null)[];
}

export type Task = { read: ReadOptions; bytes: Uint8Array } | { write: WrittenSheet[] };
export type Answer =
  { table: Table } | { bytes: Uint8Array } | { error: { code: SpreadsheetErrorCode; message: string } };

export type SpreadsheetErrorCode = DocumentErrorCode | "sheet_not_found" | "output_too_large" | "invalid_data";

/** Says why a spreadsheet cannot be read or written. The message is for users. */
export class SpreadsheetError extends Error {
  readonly code: SpreadsheetErrorCode;
  constructor(code: SpreadsheetErrorCode, message: string) {
    super(message);
    this.name = "SpreadsheetError";
    this.code = code;
  }
}

/** The largest file that can be read, and the most cells of a table. */
export const MAX_SHEET_BYTES = 32 * 1_048_576;
export const MAX_CELLS = 1_000_000;
