import type { z } from "zod";
import type { Handle, NodeCategory, NodeExample, Widget } from "../../../contracts/entities/node-type.ts";
import type { CredentialTypeName } from "../../../contracts/credentials/types.ts";
import type { DataOf, NodeTypeName } from "../node-types.ts";

/** What people and forms need to know about a field. Fields are shown in the order of their table. */
export interface FieldWords {
  title: string;
  /** Markdown. Links are relative to `/docs/`. */
  docs: string;
  /** The text of forms in place of `docs`, if the control itself explains the rest. Empty if it explains everything. */
  hint?: string;
  widget?: Widget;
  /** The types of credentials that the field accepts. The default is all types that sign calls. */
  credentialType?: CredentialTypeName | readonly CredentialTypeName[];
  /** The title of the collapsible group in which the form shows the field. */
  group?: string;
  /** The sibling field that this one accompanies. For siblings of which only one is given. */
  belongsTo?: string;
}

type KeysOf<T> = T extends unknown ? keyof T & string : never;
type Fields<N extends NodeTypeName> = Record<KeysOf<DataOf<N>>, FieldWords> & Record<`${string}.${string}`, FieldWords>;

/** What people, the palette and forms need to know about a node type, in addition to `NODE_TYPES`. */
export interface NodeWords<N extends NodeTypeName = NodeTypeName> {
  category: NodeCategory;
  title: string;
  /** One sentence. */
  summary: string;
  /** Markdown. Links are relative to `/docs/`. */
  docs: string;
  /** The name of a Lucide icon. */
  icon: string;
  keywords: readonly string[];
  /** The fields of the data. A nested field has a dotted name, such as `pagination.next`. */
  fields: Fields<N>;
  /** The handles of a type with fixed handles. Handles without an entry are plain: see `PLAIN_HANDLES`. */
  handles?: Record<string, Pick<Handle, "title"> & Partial<Pick<Handle, "tone" | "sameAs">>>;
  /** The handles of a type that has one for each item of a list. */
  handlesFrom?: { from: string; id: string; plus: readonly string[] };
  output: z.ZodType;
  waits?: boolean;
  limits?: Readonly<Record<string, number>>;
  /** The data of a new node. */
  defaults: Readonly<Record<string, unknown>>;
  examples: readonly NodeExample[];
}

export type WordsOf<N extends NodeTypeName> = { [K in N]: NodeWords<K> };

/** The ids in examples. */
export const EXAMPLE_ID = {
  workflow: "01890000-0000-7000-8000-000000000000",
  tool: "01890000-0000-7000-8000-000000000001",
  knowledgeBase: "01890000-0000-7000-8000-000000000002",
  operation: "01890000-0000-7000-8000-000000000003",
  storage: "01890000-0000-7000-8000-000000000004",
  mail: "01890000-0000-7000-8000-000000000005",
  database: "01890000-0000-7000-8000-000000000006",
  file: "01890000-0000-7000-8000-000000000008",
} as const;
/** The address that examples call. */
export const EXAMPLE_URL = "https://api.example.com";
