import { parse } from "csv-parse/sync";
import { decodeText } from "../documents/plain-text.ts";
import { DocumentError } from "../documents/messages.ts";
import { delimiterOf } from "./delimiter.ts";
import type { Cell, ReadOptions } from "./messages.ts";

const NUMBER = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/;
/** A number with more digits, for example an id, would lose digits. */
const MAX_DIGITS = 15;
const MAX_RECORD_CHARS = 4 * 1_048_576;

/** Converts the text of a CSV cell. Texts such as `007` stay texts. */
export function convertText(text: string): Cell {
  const trimmed = text.trim();
  if (trimmed === "") return null;
  if (/^(true|false)$/i.test(trimmed)) return trimmed.toLowerCase() === "true";
  const isExact = NUMBER.test(trimmed) && trimmed.replace(/[eE].*|\D/g, "").length <= MAX_DIGITS;
  return isExact && Number.isFinite(Number(trimmed)) ? Number(trimmed) : text;
}

/**
 * The requested number of rows of a CSV file, plus one.
 * @throws {DocumentError} when it is not CSV
 */
export function csvRows(
  bytes: Uint8Array,
  { encoding, delimiter, header, skip, limit, convert }: ReadOptions,
): Cell[][] {
  const text = decodeText(bytes, encoding);
  let rows: string[][];
  try {
    rows = parse(text, {
      ...{ delimiter: delimiter ?? delimiterOf(text), relax_column_count: true, relax_quotes: true },
      ...{ skip_empty_lines: true, skip_records_with_empty_values: true },
      ...{ max_record_size: MAX_RECORD_CHARS, to: skip + limit + (header ? 1 : 0) + 1 },
    });
  } catch (error) {
    const isLong = (error as { code?: unknown }).code === "CSV_MAX_RECORD_SIZE";
    throw isLong
      ? new DocumentError("file_too_complex", "A row of the file is too long. Is a quote not closed?")
      : new DocumentError("file_unreadable", "The file is not valid CSV: a quote is not closed.");
  }
  return convert ? rows.map((row, at) => (header && at === 0 ? row : row.map(convertText))) : rows;
}
