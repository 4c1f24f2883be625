// The messages between the calling thread and the writer thread. A message is a list of requests; its reply is a list
// in the same order.

import type { SqlParam } from "../driver.ts";

export type SqlValue = string | number | null;

export interface Sql {
  text: string;
  params: SqlParam[];
}

/** A document in a message: the document without its free-form JSON, then one text (or null) per free-form field. */
export type Row = (string | null)[];

type Path = readonly string[];

/**
 * A change with dates as milliseconds. Free-form JSON is in the statement itself. The change is sent as text, which is
 * cheaper than objects.
 */
export interface WireChange {
  set: readonly (readonly [Path, unknown])[];
  unset: readonly Path[];
  inc: readonly (readonly [Path, number])[];
  push: readonly (readonly [Path, string])[];
  /** The paths of the indexed fields that the change may affect. */
  keys: readonly Path[];
}

export type WireOp =
  /** `sql` takes the id, the Row, and the values of the table's keys. `taken` are queries that must find nothing. */
  | { kind: "insert"; table: string; sql: string; rows: Row[]; taken: (Sql & { conflict: string })[] }
  /**
   * For one document, `select` returns the rowid and its Row. For many, it returns the rowids, and `fetch` returns each
   * Row. `update` takes the new doc, its own params, the values of the affected keys, and the rowid.
   */
  | {
      kind: "update";
      select: Sql;
      fetch: string | null;
      update: Sql;
      change: string;
      required: boolean;
      returning: boolean;
    }
  | { kind: "remove"; remove: Sql }
  | { kind: "index"; statements: Sql[] };

export interface ColumnPlan {
  definition: string;
  kind: "json" | "key" | "virtual";
  /** The derivation of the column, as SQL over `doc`. */
  derivation?: string;
}

/** The plan of a collection's table: columns (by name) besides `_id` and `doc`, and indexes (name → SQL). */
export interface TablePlan {
  table: string;
  columns: Record<string, ColumnPlan>;
  /** The paths of its key columns' values in a document, in the order of its inserts. */
  keys: readonly Path[];
  indexes: Record<string, string>;
}

/**
 * The operations of a write as one flat list. Copying nested objects between threads costs four times as much as
 * copying their values.
 */
export type PackedWrite = (SqlParam | boolean)[];

/** A list is a write. Objects are other requests. */
export type WireRequest =
  | PackedWrite
  | { kind: "table"; plan: TablePlan }
  | { kind: "prepare"; sql: string }
  | { kind: "checkpoint" }
  /** Writes a probe. With `large`, the probe fails on a disk that is too full for large writes. */
  | { kind: "ping"; large: boolean }
  | { kind: "close" };

/** The number of written documents, or the new document with its former free-form JSON. */
export type WireOutcome = number | Row;

export interface WireFailure {
  /** `unsure`: the blocking process may be dead, which becomes known soon. */
  reason: "conflict" | "not_matched" | "change" | "busy" | "unsure" | "failed";
  message: string;
  /** The failed operation, and its conflicting rows. */
  op: number;
  rows?: number[];
}

export type WireReply = WireOutcome[] | { failure: WireFailure };

export interface ThreadSettings {
  file: string;
  sync: "normal" | "full";
}

export interface WriterSettings extends ThreadSettings {
  deadAfterMs: number;
  /** Shared memory with this process's number on the file. */
  self: Int32Array;
}

/**
 * The messages of the checkpoint thread: the write-ahead log is long, checkpoints begin to fail, or they succeed again.
 */
export type CheckpointStatus = { kind: "long" } | { kind: "well" } | { kind: "failing"; message: string };
