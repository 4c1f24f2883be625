import { isObject } from "../json.ts";

export interface CsvOptions {
  /** One character between the fields. Default: a comma. */
  delimiter?: string;
  /** Whether the first line names the fields. Default: true. */
  header?: boolean;
}

export const CSV_OPTIONS: readonly string[] = ["delimiter", "header"] satisfies (keyof CsvOptions)[];

export class CsvFault extends Error {}

/** The most fields of a text. Otherwise a small text of separators could fill the memory. */
const MAX_FIELDS = 500_000;

/**
 * The lines of a text in the form of RFC 4180. A line break inside quotes belongs to its field.
 * @throws {CsvFault}
 */
function readLines(text: string, delimiter: string): string[][] {
  const lines: string[][] = [];
  let [line, at, fields]: [string[], number, number] = [[], text.startsWith("\uFEFF") ? 1 : 0, 0];
  while (at < text.length) {
    let field = "";
    if (text[at] === '"') {
      for (;;) {
        const end = text.indexOf('"', at + 1);
        if (end < 0) throw new CsvFault("A quoted field of the CSV text does not end");
        field += text.slice(at + 1, end);
        at = end + 1;
        if (text[at] !== '"') break;
        field += '"';
      }
    }
    const from = at;
    while (at < text.length && text[at] !== delimiter && text[at] !== "\n" && text[at] !== "\r") at++;
    line.push(field + text.slice(from, at));
    if (++fields > MAX_FIELDS) throw new CsvFault(`The CSV text has more than ${MAX_FIELDS} fields`);
    const mark = text[at++];
    if (mark === delimiter) {
      if (at === text.length) line.push("");
      continue;
    }
    if (mark === "\r" && text[at] === "\n") at++;
    lines.push(line);
    line = [];
  }
  if (line.length > 0) lines.push(line);
  return lines;
}

/**
 * The rows of a CSV text: objects with the names of the first line as keys, or lists without a header.
 * @throws {CsvFault}
 */
export function parseCsv(text: string, { delimiter = ",", header = true }: CsvOptions = {}): unknown[] {
  const lines = readLines(text, delimiter).filter(line => line.length > 1 || line[0] !== "");
  if (!header) return lines;
  const [names = [], ...rows] = lines;
  return rows.map(row =>
    Object.fromEntries(names.map((name, i) => [name === "" ? `field${i + 1}` : name, row[i] ?? ""])),
  );
}

const shown = (value: unknown): string =>
  value === null || value === undefined ? "" : typeof value === "string" ? value : JSON.stringify(value);

/** The keys of all rows, in the order of their first appearance. Rows that are not objects have none. */
export const columnNames = (rows: readonly unknown[]): string[] => [
  ...new Set(rows.flatMap(row => (isObject(row) ? Object.keys(row) : []))),
];

/** CSV text with a line for each object or list. */
export function toCsv(rows: readonly unknown[], { delimiter = ",", header = true }: CsvOptions = {}): string {
  const quoted = (value: unknown) => {
    const text = shown(value);
    return text.includes(delimiter) || /["\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  };
  const names = columnNames(rows);
  const fieldsOf = (row: unknown) =>
    Array.isArray(row) ? (row as unknown[]) : names.map(name => (row as Record<string, unknown> | null)?.[name]);
  const lines = [...(header && names.length > 0 ? [names] : []), ...rows.map(fieldsOf)];
  return lines.map(line => line.map(quoted).join(delimiter)).join("\r\n");
}
