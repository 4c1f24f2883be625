import type { Condition } from "./filter.ts";
import type { CheckedChange } from "./change.ts";
import type { CheckedDocument } from "./document.ts";
import type { Index, Layout } from "./layout.ts";
import type { SortKey } from "./sort.ts";

/** A validated write, in the form for both drivers. */
export type WriteOp =
  | {
      readonly kind: "insert";
      readonly layout: Layout;
      readonly docs: readonly CheckedDocument[];
      readonly passing?: FreeValues;
    }
  | {
      readonly kind: "update";
      readonly layout: Layout;
      readonly where: Condition;
      readonly change: CheckedChange;
      readonly sort: readonly SortKey[];
      readonly many: boolean;
      readonly required: boolean;
      /** The caller does not need the number of matched documents. */
      readonly uncounted: boolean;
      /** Whether to return the new document. */
      readonly returning: boolean;
    }
  | { readonly kind: "remove"; readonly layout: Layout; readonly where: Condition; readonly limit: number | null }
  | IndexOp;

/**
 * Values that must be free when an insert's single document is written, and that the document does not keep. A driver
 * that executes writes one after another queries them (`taken`). Any other driver lets the unique index decide: it
 * inserts `held`, which has the values, and removes them with `release`.
 */
export interface FreeValues {
  /** For each unique index, the values of its keys, which are texts or numbers. */
  readonly taken: readonly { readonly index: Index; readonly values: readonly (string | number)[] }[];
  readonly held: () => CheckedDocument;
  readonly release: () => WriteOp;
}

/** A write to an index that is derived from documents. */
export interface IndexOp {
  readonly kind: "index";
  /** Runs inside the transaction of the embedded driver. Empty if the index is elsewhere. */
  readonly statements: readonly { readonly text: string; readonly params: readonly SqlParam[] }[];
  /** Runs after all documents are written, for an index that is elsewhere. Never rejects. */
  readonly after?: () => Promise<void>;
}

export type SqlParam = string | number | null | Uint8Array;

/** The embedded driver's file, for derived data that must commit with the documents. */
export interface EmbeddedFile {
  readonly path: string;
  /**
   * Creates tables with statements that are safe to repeat. Table names begin with the name of the derived data and a
   * colon.
   */
  prepare(sql: string): Promise<void>;
}

/** Sizes in bytes. */
export interface StoreSpace {
  /** The size of documents and indexes. Null if the server does not report it. */
  used: number | null;
  /** The free space on the disk of the data folder. Null with MongoDB. */
  free: number | null;
  /** The name and version of the database. Null if the server does not report it. */
  version: string | null;
}

export interface WriteOutcome {
  count: number;
  /** The new document of an update with `returning`. */
  document?: Record<string, unknown>;
}

/** A read of the first match by id. */
export interface PointRead {
  readonly layout: Layout;
  readonly where: Condition;
}

/** The operations that differ between the drivers. The rest of the port is common to both. */
export interface Driver {
  register(layouts: readonly Layout[]): Promise<void>;
  /**
   * Executes the operations in order, up to the first failure.
   * @throws the first failure.
   */
  write(ops: readonly WriteOp[]): Promise<WriteOutcome[]>;
  /** The first match by id, or null. */
  get(layout: Layout, where: Condition): Promise<Record<string, unknown> | null>;
  /** The result of `get` for each of these reads, with as few commands as the driver can use. */
  getEach(reads: readonly PointRead[]): Promise<(Record<string, unknown> | null)[]>;
  find(layout: Layout, where: Condition, sort: readonly SortKey[], limit: number): Promise<Record<string, unknown>[]>;
  count(layout: Layout, where: Condition, limit: number | null): Promise<number>;
  tally(layout: Layout, where: Condition, path: string, of?: string): Promise<Record<string, number>>;
  /**
   * A number that stays the same while certainly no other process has written. Null while that is uncertain. Another
   * process's write is acknowledged only after the number has changed or is null.
   */
  epoch(): number | null;
  readonly embedded: EmbeddedFile | null;
  space(): Promise<StoreSpace>;
  ping(): Promise<void>;
  close(): Promise<void>;
}
