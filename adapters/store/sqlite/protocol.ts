// What travels between the calling thread and the writer thread. Messages are lists of requests; replies are lists in the same order.

import type { SqlParam } from "../driver.ts";

export type SqlValue = string | number | null;

export interface Sql {
  text: string;
  params: SqlParam[];
}

/** A document as it travels: itself without its free-form JSON, then one text (or null) for each free-form field. */
export type Row = (string | null)[];

type Path = readonly string[];

/** A change with its dates as milliseconds; free-form JSON is in the statement itself. It travels as text: cheaper than as objects. */
export interface WireChange {
  set: readonly (readonly [Path, unknown])[];
  unset: readonly Path[];
  inc: readonly (readonly [Path, number])[];
  push: readonly (readonly [Path, string])[];
  /** Of what indexes look at, that which it may change. */
  keys: readonly Path[];
}

export type WireOp =
  /** `sql` takes a Row, its id before it, and the values of the table's keys. */
  | { kind: "insert"; table: string; sql: string; rows: Row[] }
  /**
   * Of one document, `select` gives the rowid and its Row; of many the rowids, and `fetch` the Row of each.
   * `update` takes the new doc, its own params, the values of the keys that the change may change, and the rowid.
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
  /** What it is derived from, as SQL over `doc`. */
  derivation?: string;
}

/** What one collection needs to exist: columns (by name) beside `_id` and `doc`, and indexes (name → SQL). */
export interface TablePlan {
  table: string;
  columns: Record<string, ColumnPlan>;
  /** Where the values of its key columns are in a document, as its inserts name them. */
  keys: readonly Path[];
  indexes: Record<string, string>;
}

/** A list is a write. */
export type WireRequest =
  | WireOp[]
  | { kind: "table"; plan: TablePlan }
  | { kind: "prepare"; sql: string }
  | { kind: "checkpoint" }
  /** Writes; with `large` so much that it finds no place where larger writes have found none. */
  | { kind: "ping"; large: boolean }
  | { kind: "close" };

/** How many documents were written, or the new one: its free-form JSON is that from before the change. */
export type WireOutcome = number | Row;

export interface WireFailure {
  /** `unsure`: who is in the way may be dead, which shows soon. */
  reason: "conflict" | "not_matched" | "change" | "busy" | "unsure" | "failed";
  message: string;
  /** The op that failed, and of its rows those in conflict. */
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
  /** Shared memory: this process's number on the file. */
  self: Int32Array;
}

/** What the thread that shortens the write-ahead log tells: that the log is long, and when checkpoints begin to fail and succeed again. */
export type CheckpointNews = { kind: "long" } | { kind: "well" } | { kind: "failing"; message: string };
