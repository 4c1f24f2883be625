export type FieldKind = "string" | "number" | "boolean" | "date" | "strings" | "json";

export interface Field {
  readonly path: string;
  readonly keys: readonly string[];
  readonly kind: FieldKind;
  readonly required: boolean;
  /**
   * Required fields, those of unique indexes (MongoDB holds nulls for equal there, SQLite does not), and those whose
   * existence decides on a place in an index.
   */
  readonly neverNull: boolean;
  readonly values: readonly string[] | null;
  readonly default: unknown;
}

export interface Branch {
  readonly path: string;
  readonly children: Map<string, Field | Branch>;
}

/** All fields of a collection, by their paths and as the tree that these make. */
export interface Fields {
  readonly root: Branch;
  readonly fields: ReadonlyMap<string, Field>;
}

export const isField = (node: Field | Branch): node is Field => "kind" in node;
