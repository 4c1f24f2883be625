export type FieldKind = "string" | "number" | "boolean" | "date" | "strings" | "json";

/** A field as its collection declares it. The document's id is `_id` here. */
export interface DeclaredField {
  readonly path: string;
  /** Undefined if the store does not keep such values. */
  readonly kind: FieldKind | undefined;
  readonly required: boolean;
  readonly values: readonly string[] | undefined;
  readonly default: unknown;
}

export interface Field {
  readonly path: string;
  readonly keys: readonly string[];
  readonly kind: FieldKind;
  readonly required: boolean;
  /**
   * True for required fields, fields of unique indexes (MongoDB treats nulls as equal there, SQLite does not), and
   * fields whose existence decides whether a partial index contains the document.
   */
  readonly neverNull: boolean;
  /** True for fields whose existence decides whether a partial index contains the document. */
  readonly inPartial: boolean;
  readonly values: readonly string[] | null;
  readonly default: unknown;
}

export interface Branch {
  readonly path: string;
  readonly children: Map<string, Field | Branch>;
}

/** All fields of a collection, by path and as a tree. */
export interface Fields {
  readonly root: Branch;
  readonly fields: ReadonlyMap<string, Field>;
}

export const isField = (node: Field | Branch): node is Field => "kind" in node;
