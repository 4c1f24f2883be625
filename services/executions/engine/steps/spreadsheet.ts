import { setImmediate as turn } from "node:timers/promises";
import { type ReadOptions, SpreadsheetError, type Table } from "../../../../adapters/spreadsheets/index.ts";
import { config } from "../../../../config.ts";
import { XLSX } from "../../../../contracts/import-types.ts";
import type { DataOf } from "../../../../core/graph/node-types.ts";
import { MAX_COLUMNS } from "../../../../core/graph/spreadsheet-data.ts";
import { BodyError } from "../../../../core/http-body.ts";
import { fileOf } from "../../../../core/run/references.ts";
import { MAX_OUTPUT_CHARS } from "../../../../core/run/step-limits.ts";
import { type Cell, linesOf } from "../../../../core/spreadsheets/cells.ts";
import { csvLine } from "../../../../core/spreadsheets/csv-lines.ts";
import { dateColumns } from "../../../../core/spreadsheets/date-columns.ts";
import { retryWhileBusy } from "../retry-while-busy.ts";
import { bytesOf, locateFile, storeFile } from "./http-files.ts";
import { failedBy } from "./failed-by.ts";
import { done, failed, type Perform, type StepContext } from "./step.ts";

type Data = DataOf<"spreadsheet">;
type Reading = Extract<Data, { action: "read" }>;
type Writing = Extract<Data, { action: "write" }>;

const PIECE_CHARS = 65_536;
/** The most characters of a cell that Excel accepts. */
const MAX_CELL_CHARS = 32_767;
const MAX_WRITTEN_CELLS = 1_000_000;

const isBusy = (error: unknown) => error instanceof SpreadsheetError && error.code === "file_reader_busy";

/** Rows as objects keyed by column name, or as lists if there is no header. */
function rowsOf({ columns, rows, sheet }: Table, header: boolean): unknown[] {
  if (!header) return rows;
  const missing = sheet === null ? "" : null;
  return rows.map(row => Object.fromEntries(columns.map((name, at) => [name, row[at] ?? missing])));
}

async function read({ file, header, ...more }: Reading, context: StepContext) {
  const { doc, parts, signal, dry } = context;
  const located = await locateFile(context, fileOf(file) ?? "", "/data/file");
  const options: ReadOptions = { ...more, header, maxChars: dry ? MAX_OUTPUT_CHARS : config().MAX_OUTPUT_BYTES };
  const given = { size: located.size, open: () => bytesOf(context, located) };
  const turnOf = { group: doc.workspaceId, signal };
  const table = await retryWhileBusy(() => parts.spreadsheets.read(given, options, turnOf), isBusy, signal);
  const { columns, sheet, sheets, truncated } = table;
  return { rows: rowsOf(table, header), columns: header ? columns : [], sheet, sheets, truncated };
}

/** Writes CSV in pieces. Other work gets its turn between two of them. */
async function* csvPieces(data: Writing, rows: readonly unknown[]): AsyncGenerator<Uint8Array> {
  const { delimiter = ",", escapeFormulas, bom } = data;
  let piece = bom ? "\uFEFF" : "";
  for (const line of linesOf(rows, data)) {
    piece += csvLine(line, { delimiter, escapeFormulas });
    if (piece.length < PIECE_CHARS) continue;
    yield Buffer.from(piece);
    piece = "";
    await turn();
  }
  yield Buffer.from(piece);
}

/**
 * The lines of a sheet. They are checked one by one, because a line of empty cells for each of many short rows would
 * fill the memory.
 * @throws {BodyError} when Excel would not open them, or when they have more than `most` cells
 */
function fittingLines(given: Iterable<Cell[]>, path: string, most: number): Cell[][] {
  const lines: Cell[][] = [];
  let cells = 0;
  for (const line of given) {
    cells += line.length;
    if (line.length > MAX_COLUMNS) throw new BodyError(`${path}: a row has more than ${MAX_COLUMNS} columns.`);
    if (cells > most) throw new BodyError(`${path}: more than ${MAX_WRITTEN_CELLS} cells.`);
    if (line.some(cell => typeof cell === "string" && cell.length > MAX_CELL_CHARS))
      throw new BodyError(`${path}: row ${lines.length + 1} has a value of more than ${MAX_CELL_CHARS} characters.`);
    lines.push(line);
  }
  return lines;
}

async function* xlsxPieces(
  data: Writing,
  sheets: (readonly [name: string, rows: unknown[]])[],
  context: StepContext,
): AsyncGenerator<Uint8Array> {
  const { doc, parts, signal } = context;
  let cells = 0;
  const written = sheets.map(([name, rows]) => {
    const path = sheets.length > 1 ? `/data/rows/${name}` : "/data/rows";
    const lines = fittingLines(linesOf(rows, data), path, MAX_WRITTEN_CELLS - cells);
    cells += lines.reduce((sum, { length }) => sum + length, 0);
    return { name, rows: lines, dates: data.dates ? dateColumns(lines, data.header ? 1 : 0) : [] };
  });
  const turnOf = { group: doc.workspaceId, signal };
  yield await retryWhileBusy(() => parts.spreadsheets.write(written, turnOf), isBusy, signal);
}

function sheetsOf({ rows, sheet = "Sheet1" }: Writing): (readonly [string, unknown[]])[] {
  if (Array.isArray(rows)) return [[sheet, rows]];
  const sheets = Object.entries(rows);
  // Excel treats names that differ only by case as equal.
  const names = new Set(sheets.map(([name]) => name.toLowerCase()));
  if (names.size < sheets.length) throw new BodyError("/data/rows: two sheets have the same name.");
  return sheets;
}

async function write(data: Writing, context: StepContext) {
  const { format, name } = data;
  const sheets = sheetsOf(data);
  const [first] = sheets;
  if (format === "csv" && sheets.length > 1) throw new BodyError("/data/rows: a CSV file has one sheet.");
  const bytes = format === "csv" ? csvPieces(data, first?.[1] ?? []) : xlsxPieces(data, sheets, context);
  const isNamed = name.toLowerCase().endsWith(`.${format}`);
  const type = format === "csv" ? "text/csv; charset=utf-8" : XLSX;
  const file = await storeFile(bytes, { name: isNamed ? name : `${name}.${format}`, type }, context);
  const rows = sheets.reduce((sum, [, all]) => sum + all.length, 0);
  return { file, rows };
}

/**
 * Reads and writes spreadsheets. An interrupted step reads or writes its file again, which changes nothing outside of
 * the run.
 */
export const spreadsheet: Perform<"spreadsheet"> = async (data, context) => {
  try {
    return done(await (data.action === "read" ? read(data, context) : write(data, context)));
  } catch (error) {
    if (error instanceof SpreadsheetError) return failed(error.code, error.message, isBusy(error));
    return failedBy(error);
  }
};
