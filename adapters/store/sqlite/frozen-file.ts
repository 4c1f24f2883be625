import type { DatabaseSync } from "node:sqlite";
import type { Layout } from "../layout.ts";
import { decodeRow } from "./documents.ts";
import { openExclusively } from "./open-exclusively.ts";
import type { Row } from "./protocol.ts";
import { jsonColumn, tableOf } from "./sql.ts";

const MAX_DOCUMENTS = 500;
const MAX_CHARS = 4 * 1024 * 1024;
/** A store's file in a fixed state. No other process can open the file meanwhile. */
export class FrozenFile {
  readonly #database: DatabaseSync;

  private constructor(database: DatabaseSync) {
    this.#database = database;
  }

  /**
   * @throws {FileInUseError} when another process has the file open.
   * @throws {StoreUnavailableError} when the file is not a store's file.
   */
  static open(file: string): FrozenFile {
    return new FrozenFile(openExclusively(file));
  }

  /** The names of the tables that hold documents. */
  get collections(): string[] {
    const rows = this.#database.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").all();
    return rows.map(({ name }) => String(name)).filter(name => /^(?!sqlite_)\w+$/.test(name));
  }

  /** A line that describes the first damage of the file; null for an intact file. */
  damage(): string | null {
    const [row] = this.#database.prepare("PRAGMA quick_check(1)").all();
    const said = String(Object.values(row ?? {})[0]);
    return said === "ok" ? null : said;
  }

  count({ name }: Layout): number {
    if (this.#columns(name).size === 0) return 0;
    return Number(this.#database.prepare(`SELECT count(*) AS n FROM "${name}"`).get()?.n);
  }

  /** All documents by id, in lists of at most 500. A list also ends when it reaches 4 MiB. */
  *batches(layout: Layout): Generator<Record<string, unknown>[]> {
    const columns = this.#columns(layout.name);
    if (columns.size === 0) return;
    // An older version's file may lack some of the columns.
    const json = layout.json.map(field => (columns.has(`json:${field}`) ? jsonColumn(field) : "NULL"));
    const statement = this.#database.prepare(
      `SELECT ${["doc", ...json].join(", ")} FROM ${tableOf(layout)} ORDER BY _id`,
    );
    statement.setReturnArrays(true);
    let batch: Record<string, unknown>[] = [];
    let chars = 0;
    for (const row of statement.iterate() as unknown as Iterable<Row>) {
      batch.push(decodeRow(layout, row));
      chars += row.reduce((sum, text) => sum + (text?.length ?? 0), 0);
      if (batch.length < MAX_DOCUMENTS && chars < MAX_CHARS) continue;
      yield batch;
      batch = [];
      chars = 0;
    }
    if (batch.length > 0) yield batch;
  }

  close(): void {
    if (this.#database.isOpen) this.#database.close();
  }

  #columns(table: string): Set<string> {
    const rows = this.#database.prepare("SELECT name FROM pragma_table_xinfo(?)").all(table);
    return new Set(rows.map(({ name }) => String(name)));
  }
}
