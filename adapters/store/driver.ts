import type { Condition } from "./filter.ts";
import type { CheckedChange } from "./change.ts";
import type { CheckedDocument } from "./document.ts";
import type { Layout } from "./layout.ts";
import type { SortKey } from "./sort.ts";

/** A write whose arguments are checked, in the form that both sides take. */
export type WriteOp =
  | { readonly kind: "insert"; readonly layout: Layout; readonly docs: readonly CheckedDocument[] }
  | {
      readonly kind: "update";
      readonly layout: Layout;
      readonly where: Condition;
      readonly change: CheckedChange;
      readonly sort: readonly SortKey[];
      readonly many: boolean;
      readonly required: boolean;
      /** Whether the new document is wanted back. */
      readonly returning: boolean;
    }
  | { readonly kind: "remove"; readonly layout: Layout; readonly where: Condition; readonly limit: number | null }
  | IndexOp;

/** A write to an index that is derived from documents. */
export interface IndexOp {
  readonly kind: "index";
  /** For the embedded side, inside of the transaction; none where the index is elsewhere. */
  readonly statements: readonly { readonly text: string; readonly params: readonly SqlParam[] }[];
  /** For an index that is elsewhere: runs once all the documents are written, and keeps its failures to itself. */
  readonly after?: () => Promise<void>;
}

export type SqlParam = string | number | null | Uint8Array;

/** The embedded side's file, for what is derived from documents and should commit with them. */
export interface EmbeddedFile {
  readonly path: string;
  /** Makes tables, with statements that may run again. Their names begin with the name of what is derived and a colon. */
  prepare(sql: string): Promise<void>;
}

export interface WriteOutcome {
  count: number;
  /** The new document of an update with `returning`. */
  document?: Record<string, unknown>;
}

/** What a side has to be able to do; everything else about the port is common to both. */
export interface Driver {
  register(layouts: readonly Layout[]): Promise<void>;
  /** In order, up to the first failure, which is thrown. */
  write(ops: readonly WriteOp[]): Promise<WriteOutcome[]>;
  /** The first match by id, or null. */
  get(layout: Layout, where: Condition): Promise<Record<string, unknown> | null>;
  find(layout: Layout, where: Condition, sort: readonly SortKey[], limit: number): Promise<Record<string, unknown>[]>;
  count(layout: Layout, where: Condition, limit: number | null): Promise<number>;
  tally(layout: Layout, where: Condition, path: string): Promise<Record<string, number>>;
  /**
   * A number that stays the same for as long as nobody but this process has surely written anything, null while that is not
   * sure: another process's write is never acknowledged before.
   */
  epoch(): number | null;
  readonly embedded: EmbeddedFile | null;
  ping(): Promise<void>;
  close(): Promise<void>;
}
