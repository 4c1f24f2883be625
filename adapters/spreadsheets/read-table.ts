import { csvRows } from "./read-csv.ts";
import { type Cell, MAX_CELLS, type ReadOptions, SpreadsheetError, type Table } from "./messages.ts";
import { openXlsx, type Workbook } from "./read-xlsx.ts";
import { partOf, type Part } from "./range.ts";

/** The first bytes of a package of Office Open XML, and of a compound file. No CSV file begins with them. */
const PACKAGES = ["504b0304", "504b0506", "d0cf11e0"];
const MAX_NAME_CHARS = 500;
/** The characters that JSON adds to each value. */
const PER_CELL = 4;

const isEmpty = (cell: Cell): boolean => cell === null || cell === "";

/** A name for each column. All names are different, and none has a special meaning for objects. */
export function namesOf(cells: readonly Cell[]): string[] {
  const used = new Set<string>();
  return cells.map((cell, at) => {
    const given = cell === null ? "" : String(cell).trim().slice(0, MAX_NAME_CHARS);
    const wanted = given === "" || given === "__proto__" ? `field${at + 1}` : given;
    let name = wanted;
    for (let n = 2; used.has(name); n++) name = `${wanted}_${n}`;
    used.add(name);
    return name;
  });
}

function sheetOf({ sheets }: Workbook, wanted: string | number | undefined): number {
  const firstVisible = Math.max(
    0,
    sheets.findIndex(({ hidden }) => !hidden),
  );
  const place =
    wanted === undefined
      ? firstVisible
      : typeof wanted === "number"
        ? wanted - 1
        : sheets.findIndex(({ name }) => name === wanted);
  if (sheets[place]) return place;
  const names = sheets.slice(0, 20).map(({ name }) => `"${name}"`);
  const which = typeof wanted === "number" ? `sheet ${wanted}` : `sheet "${wanted ?? 1}"`;
  throw new SpreadsheetError("sheet_not_found", `The workbook has no ${which}. It has ${names.join(", ") || "none"}.`);
}

async function* inPart(rows: ReturnType<Workbook["rows"]>, { top, bottom, left, right }: Part) {
  for await (const { index, cells } of rows) {
    if (index > bottom) return;
    if (index >= top) yield cells.slice(left, right + 1);
  }
}

/** Collects the rows of a table within its limits. */
class Collected {
  readonly rows: Cell[][] = [];
  columns: string[] = [];
  #names: Cell[] = [];
  #cells = 0;
  #chars = 0;
  readonly #maxChars: number;

  constructor(maxChars: number) {
    this.#maxChars = maxChars;
  }

  name(cells: Cell[]): void {
    this.#names = cells;
    this.columns = namesOf(cells);
  }

  /** @throws {SpreadsheetError} when there are too many cells, or too much text */
  add(cells: Cell[]): void {
    if (cells.length > this.#names.length) this.name([...this.#names, ...cells.slice(this.#names.length).fill(null)]);
    this.#cells += Math.max(cells.length, this.columns.length);
    this.#chars += 2;
    for (const [at, name] of this.columns.entries()) {
      const cell = cells[at] ?? null;
      this.#chars += name.length + (typeof cell === "string" ? cell.length : 6) + PER_CELL;
    }
    if (this.#cells > MAX_CELLS || this.#chars > this.#maxChars)
      throw new SpreadsheetError(
        "output_too_large",
        "The rows are too large for one step. Read fewer of them with `limit`, and the next ones with `skip`.",
      );
    this.rows.push(cells);
  }
}

function withoutTail(cells: Cell[]): Cell[] {
  let length = cells.length;
  while (length > 0 && isEmpty(cells[length - 1]!)) length--;
  return length === cells.length ? cells : cells.slice(0, length);
}

async function collect(rows: AsyncIterable<Cell[]> | Iterable<Cell[]>, options: ReadOptions) {
  const collected = new Collected(options.maxChars);
  let [needsNames, toSkip] = [options.header, options.skip];
  for await (const all of rows) {
    const cells = withoutTail(all);
    if (cells.length === 0) continue;
    if (needsNames) {
      collected.name(cells);
      needsNames = false;
    } else if (toSkip > 0) toSkip--;
    else if (collected.rows.length === options.limit) return { collected, truncated: true };
    else collected.add(cells);
  }
  return { collected, truncated: false };
}

/**
 * Reads a table from a file.
 * @throws {DocumentError} when the file cannot be read
 * @throws {SpreadsheetError} when the sheet does not exist, or there are too many rows
 */
export async function readTable(bytes: Uint8Array, options: ReadOptions): Promise<Table> {
  const begin = Buffer.from(bytes.subarray(0, 4)).toString("hex");
  const format = options.format ?? (PACKAGES.includes(begin) ? "xlsx" : "csv");
  if (format === "csv") {
    if (options.sheet !== undefined || options.range !== undefined)
      throw new SpreadsheetError("invalid_data", "A CSV file has no sheets: leave out `sheet` and `range`.");
    const { collected, truncated } = await collect(csvRows(bytes, options), options);
    return { columns: collected.columns, rows: collected.rows, sheet: null, sheets: [], truncated };
  }
  const workbook = await openXlsx(bytes);
  const place = sheetOf(workbook, options.sheet);
  const part = partOf(options.range);
  const { collected, truncated } = await collect(inPart(workbook.rows(place), part), options);
  const sheets = workbook.sheets.map(({ name }) => name);
  return { columns: collected.columns, rows: collected.rows, sheet: sheets[place]!, sheets, truncated };
}
