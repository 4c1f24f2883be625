import { parse } from "csv-parse/sync";
import { DocumentError, MAX_TEXT_CHARS, type Section } from "./messages.ts";

const DELIMITERS = [",", ";", "\t", "|"];
const MAX_COLUMNS = 1_000;

/** The delimiter that stands most often in the first line, outside of quotes. */
export function delimiterOf(text: string): string {
  const line = (/^[^\n]*/.exec(text)?.[0] ?? "").replace(/"[^"]*"/g, "");
  const count = (delimiter: string) => line.split(delimiter).length;
  return DELIMITERS.reduce((best, one) => (count(one) > count(best) ? one : best));
}

/**
 * The rows of a CSV file as paragraphs, each value behind the name of its column, so that a passage of the text says by
 * itself what its values are. The first row has the names.
 * @throws {DocumentError} when it is no CSV, or has too much text
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
  if (names.length > MAX_COLUMNS)
    throw new DocumentError("file_too_complex", `The file has more than ${MAX_COLUMNS} columns.`);
  if (records.length === 0) return { text: names.join(", ") };
  let chars = 0;
  const paragraphs: string[] = [];
  for (const record of records) {
    const lines = record.flatMap((value, at) => (value === "" ? [] : [names[at] ? `${names[at]}: ${value}` : value]));
    const paragraph = lines.join("\n");
    chars += paragraph.length + 2;
    if (chars > MAX_TEXT_CHARS)
      throw new DocumentError("file_too_large", `The file has more than ${MAX_TEXT_CHARS} characters.`);
    if (paragraph !== "") paragraphs.push(paragraph);
  }
  return { text: paragraphs.join("\n\n") };
}
