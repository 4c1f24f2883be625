import { parse } from "csv-parse/sync";
import { delimiterOf } from "../spreadsheets/delimiter.ts";
import { DocumentError, type Section } from "./messages.ts";
import { TableText } from "./table-text.ts";

/**
 * The rows of a CSV file as paragraphs, each value after the name of its column. The first row has the names.
 * @throws {DocumentError} when it is not CSV, or has too much text
 */
export function csvText(text: string): Section {
  let rows: string[][];
  try {
    rows = parse(text, {
      ...{ bom: true, delimiter: delimiterOf(text), relax_column_count: true, relax_quotes: true },
      ...{ skip_empty_lines: true, trim: true },
    });
  } catch {
    throw new DocumentError("file_unreadable", "The file is not valid CSV: a quote is not closed.");
  }
  const [names = [], ...records] = rows;
  const table = new TableText(names);
  for (const record of records) table.add(record);
  return { text: table.toString() };
}
