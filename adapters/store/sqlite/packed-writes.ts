import type { SqlParam } from "../driver.ts";
import type { PackedWrite, Row, Sql, WireOp } from "./protocol.ts";

const INSERT = 0;
const UPDATE = 1;
const REMOVE = 2;
const INDEX = 3;

export function packed(ops: readonly WireOp[]): PackedWrite {
  const out: PackedWrite = [];
  for (const op of ops) pack(out, op);
  return out;
}

function pack(out: PackedWrite, op: WireOp): void {
  switch (op.kind) {
    case "insert":
      out.push(INSERT, op.table, op.sql, op.rows.length);
      for (const row of op.rows) packList(out, row);
      out.push(op.taken.length);
      for (const taken of op.taken) {
        packSql(out, taken);
        out.push(taken.conflict);
      }
      return;
    case "update":
      out.push(UPDATE);
      packSql(out, op.select);
      out.push(op.fetch);
      packSql(out, op.update);
      out.push(op.change, op.required, op.returning);
      return;
    case "remove":
      out.push(REMOVE);
      return packSql(out, op.remove);
    case "index":
      out.push(INDEX, op.statements.length);
      for (const sql of op.statements) packSql(out, sql);
  }
}

function packSql(out: PackedWrite, { text, params }: Sql): void {
  out.push(text);
  packList(out, params);
}

function packList(out: PackedWrite, values: readonly SqlParam[]): void {
  out.push(values.length);
  for (const value of values) out.push(value);
}

/** Reverses `packed`. */
export function unpacked(write: PackedWrite): WireOp[] {
  const reader = new Reader(write);
  const ops: WireOp[] = [];
  while (!reader.isOver) ops.push(reader.op());
  return ops;
}

class Reader {
  readonly #write: PackedWrite;
  #at = 0;

  constructor(write: PackedWrite) {
    this.#write = write;
  }

  get isOver(): boolean {
    return this.#at >= this.#write.length;
  }

  op(): WireOp {
    switch (this.#next()) {
      case INSERT: {
        const [table, sql] = [this.#next<string>(), this.#next<string>()];
        const rows = this.#times(() => this.#values() as Row);
        return { kind: "insert", table, sql, rows, taken: this.#times(() => this.#taken()) };
      }
      case UPDATE: {
        const [select, fetch, update] = [this.#sql(), this.#next<string | null>(), this.#sql()];
        const [change, required, returning] = [this.#next<string>(), this.#next<boolean>(), this.#next<boolean>()];
        return { kind: "update", select, fetch, update, change, required, returning };
      }
      case REMOVE:
        return { kind: "remove", remove: this.#sql() };
      default:
        return { kind: "index", statements: this.#times(() => this.#sql()) };
    }
  }

  #next<T>(): T {
    return this.#write[this.#at++] as T;
  }

  #times<T>(read: () => T): T[] {
    const list: T[] = [];
    for (let left = this.#next<number>(); left > 0; left--) list.push(read());
    return list;
  }

  #values(): SqlParam[] {
    const start = this.#at + 1;
    this.#at = start + this.#next<number>();
    return this.#write.slice(start, this.#at) as SqlParam[];
  }

  #sql(): Sql {
    return { text: this.#next<string>(), params: this.#values() };
  }

  #taken(): Sql & { conflict: string } {
    return { ...this.#sql(), conflict: this.#next<string>() };
  }
}
