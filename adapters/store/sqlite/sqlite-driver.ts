import { mkdirSync, openSync, closeSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import type { Driver, EmbeddedFile, PointRead, SqlParam, StoreSpace, WriteOp, WriteOutcome } from "../driver.ts";
import {
  InvalidChangeError,
  isProgrammingError,
  NotMatchedError,
  StoreBusyError,
  StoreUnavailableError,
  UniqueConflictError,
  type StoreError,
} from "../errors.ts";
import type { Condition } from "../filter.ts";
import type { Layout } from "../layout.ts";
import { checkSort, type SortKey } from "../sort.ts";
import { mapInSlices } from "../../time-slices.ts";
import { Checkpointer } from "./checkpointer.ts";
import { BUSY_TIMEOUT_MS, isBusy } from "./connection.ts";
import { columns, decodeMatch, decodeRow, selectById } from "./documents.ts";
import { decodeUpdated, encodeWrite, weightOf } from "./encode-write.ts";
import { pointOf } from "./point.ts";
import type { Row, WireFailure, WireReply } from "./protocol.ts";
import { columnOf, orderBy, tableOf, where } from "./sql.ts";
import { ExclusiveAccess } from "./exclusive-access.ts";
import { spaceOf } from "./space.ts";
import { Statements } from "./statements.ts";
import { planTable } from "./tables.ts";
import { Writer, type WriterLimits } from "./writer.ts";

export interface SqliteSettings {
  dataDir: string;
  sync: "normal" | "full";
  limits?: WriterLimits;
  /** The file name in `dataDir`. */
  name?: string;
}

/** Long, because a newer version derives its columns for all existing documents. Millions take minutes. */
const TABLE_TIMEOUT_MS = 1_800_000;
const LOOK_AGAIN_MS = 200;
/** A write within this time proves the same as a ping, so pings cost a busy store nothing. */
const PROVEN_MS = 1_000;

/** The embedded driver: one SQLite file. A separate thread writes it, and the calling thread reads it. */
export class SqliteDriver implements Driver {
  readonly #writer: Writer;
  readonly #checkpointer: Checkpointer;
  readonly #reader: DatabaseSync;
  readonly #statements: Statements;
  readonly #access: ExclusiveAccess;
  readonly embedded: EmbeddedFile;
  /** When a write last changed a document, in ms of a monotonic clock. */
  #landedAt = -Infinity;
  /**
   * Whether a write has failed and no large one has succeeded since. A small write may still fit where the failed one
   * did not.
   */
  #doubtful = false;

  private constructor(file: string, writer: Writer, checkpointer: Checkpointer, reader: DatabaseSync) {
    this.embedded = { path: file, prepare: sql => this.#prepare(sql) };
    this.#writer = writer;
    this.#checkpointer = checkpointer;
    this.#reader = reader;
    this.#statements = new Statements(reader);
    this.#access = new ExclusiveAccess(reader, writer.self);
  }

  /**
   * Opens the store. Several processes may open one `dataDir`.
   * @throws {StoreUnavailableError} when the file cannot be opened.
   */
  static async open({ dataDir, sync, limits, name = "weft.db" }: SqliteSettings): Promise<SqliteDriver> {
    const file = join(dataDir, name);
    try {
      mkdirSync(dataDir, { recursive: true, mode: 0o700 });
      // Created here for its mode, which SQLite copies to its other files.
      closeSync(openSync(file, "a", 0o600));
    } catch (error) {
      throw new StoreUnavailableError(`cannot open ${file}: ${(error as Error).message}`, { cause: error });
    }
    const writer = await Writer.start({ file, sync }, limits);
    const checkpointer = new Checkpointer({ file, sync }, () => {
      // A failed checkpoint is requested again soon.
      writer.request({ kind: "checkpoint" }).catch(() => undefined);
    });
    const reader = new DatabaseSync(file, { readOnly: true, timeout: BUSY_TIMEOUT_MS });
    return new SqliteDriver(file, writer, checkpointer, reader);
  }

  async register(layouts: readonly Layout[]): Promise<void> {
    for (const layout of layouts) {
      const make = () => this.#writer.request({ kind: "table", plan: planTable(layout) }, 0, TABLE_TIMEOUT_MS);
      const end = performance.now() + TABLE_TIMEOUT_MS;
      let reply = await make();
      // A killed process must not block another version forever, so this waits until the process is known to be dead.
      while ("failure" in reply && reply.failure.reason === "unsure" && performance.now() < end) {
        await sleep(LOOK_AGAIN_MS);
        reply = await make();
      }
      if ("failure" in reply) throw new StoreUnavailableError(`${layout.name}: ${reply.failure.message}`);
    }
  }

  async #prepare(sql: string): Promise<void> {
    const reply = await this.#writer.request({ kind: "prepare", sql });
    if ("failure" in reply) throw new StoreUnavailableError(reply.failure.message);
  }

  async write(ops: readonly WriteOp[]): Promise<WriteOutcome[]> {
    if (ops.length === 0) return [];
    const encoded = ops.map(encodeWrite);
    const reply = await this.#writer.write(encoded, weightOf(encoded));
    if ("failure" in reply) {
      this.#doubtful ||= reply.failure.reason === "failed";
      throw errorOf(ops, reply.failure);
    }
    // A write that matched nothing has written nothing.
    if (reply.some(outcome => outcome !== 0)) this.#landedAt = performance.now();
    return reply.map((outcome, place) => {
      if (typeof outcome === "number") return { count: outcome };
      return { count: 1, document: decodeUpdated(ops[place] as WriteOp & { kind: "update" }, outcome) };
    });
  }

  async get(layout: Layout, condition: Condition): Promise<Record<string, unknown> | null> {
    const point = pointOf(condition);
    if (!point) return (await this.find(layout, condition, checkSort(layout), 1))[0] ?? null;
    return this.#read(selectById(layout), [point.id], ([row]) => (row ? decodeMatch(layout, row as Row, point) : null));
  }

  getEach(reads: readonly PointRead[]): Promise<(Record<string, unknown> | null)[]> {
    return Promise.all(reads.map(({ layout, where }) => this.get(layout, where)));
  }

  find(
    layout: Layout,
    condition: Condition,
    sort: readonly SortKey[],
    limit: number,
  ): Promise<Record<string, unknown>[]> {
    const { text, params } = where(layout, condition);
    const sql = `SELECT ${columns(layout)} FROM ${tableOf(layout)} WHERE ${text} ORDER BY ${orderBy(sort)} LIMIT ?`;
    // A page can hold many megabytes of free-form JSON.
    return this.#read(sql, [...params, limit], rows => mapInSlices(rows, row => decodeRow(layout, row as Row)));
  }

  count(layout: Layout, condition: Condition, limit: number | null): Promise<number> {
    const { text, params } = where(layout, condition);
    const from = `${tableOf(layout)} WHERE ${text}`;
    const sql =
      limit === null ? `SELECT count(*) FROM ${from}` : `SELECT count(*) FROM (SELECT 1 FROM ${from} LIMIT ?)`;
    return this.#read(sql, limit === null ? params : [...params, limit], ([row]) => Number(row?.[0]));
  }

  tally(layout: Layout, condition: Condition, path: string, of?: string): Promise<Record<string, number>> {
    const field = layout.fields.get(path);
    if (!field) return Promise.resolve({});
    const added = of === undefined ? undefined : layout.fields.get(of);
    const { text, params } = where(layout, condition);
    const column = columnOf(field);
    // The `+` keeps SQLite from grouping with an index, which would scan the whole collection just for the index's
    // order.
    const sql = `SELECT ${column}, ${added ? `total(${columnOf(added)})` : "count(*)"} FROM ${tableOf(layout)} WHERE (${text}) AND ${column} IS NOT NULL GROUP BY +${column}`;
    const name = (value: unknown) => String(field.kind === "boolean" ? value === 1 : value);
    return this.#read(sql, params, rows => Object.fromEntries(rows.map(([value, n]) => [name(value), Number(n)])));
  }

  epoch(): number | null {
    return this.#reader.isOpen ? this.#access.epoch() : null;
  }

  space(): Promise<StoreSpace> {
    return spaceOf(this.embedded.path);
  }

  async ping(): Promise<void> {
    if (this.#checkpointer.failure) throw new StoreUnavailableError(this.#checkpointer.failure.message);
    if (this.#doubtful || performance.now() - this.#landedAt > PROVEN_MS) await this.#proveWrites(this.#doubtful);
    await this.#read("SELECT 1", [], () => null);
  }

  async #proveWrites(large: boolean): Promise<void> {
    const reply: WireReply = await this.#writer.request({ kind: "ping", large });
    if ("failure" in reply) {
      this.#doubtful = true;
      throw new StoreUnavailableError(reply.failure.message);
    }
    if (large) this.#doubtful = false;
  }

  async close(): Promise<void> {
    // The writer closes last, because the last connection to close folds the log into the file.
    await this.#checkpointer.stop();
    if (this.#reader.isOpen) this.#reader.close();
    await this.#writer.close();
  }

  async #read<T>(
    sql: string,
    params: SqlParam[],
    map: (rows: (string | number | null)[][]) => T | Promise<T>,
  ): Promise<T> {
    if (!this.#reader.isOpen) throw new StoreUnavailableError("the store is closed");
    try {
      return await map(this.#statements.get(sql).all(...params) as unknown as (string | number | null)[][]);
    } catch (error) {
      if (isBusy(error)) throw new StoreBusyError("another process holds the store's file");
      if (isProgrammingError(error)) throw error;
      throw new StoreUnavailableError((error as Error).message, { cause: error });
    }
  }
}

function errorOf(ops: readonly WriteOp[], failure: WireFailure): StoreError {
  const op = ops[failure.op];
  const name = op && "layout" in op ? op.layout.name : "";
  switch (failure.reason) {
    case "conflict":
      return new UniqueConflictError(name, conflictFields(failure.message), failure.rows);
    case "not_matched":
      return new NotMatchedError(name);
    case "change":
      return new InvalidChangeError(`${name}: ${failure.message}`);
    case "busy":
      return new StoreBusyError("another process holds the store's file");
    case "unsure":
    case "failed":
      return new StoreUnavailableError(failure.message);
  }
}

/** SQLite's message is "UNIQUE constraint failed: table.column, table.column". */
const conflictFields = (message: string): string[] =>
  (message.split(": ")[1] ?? "")
    .split(", ")
    .map(column => column.slice(column.indexOf(".") + 1).replace(/^_id$/, "id"));
