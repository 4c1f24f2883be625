import type { z } from "zod";
import type { Handle, NodeCategory, NodeExample, Widget } from "../../../contracts/entities/node-type.ts";
import type { CredentialTypeName } from "../../../contracts/credentials/types.ts";
import type { DataOf, NodeTypeName } from "../node-types.ts";

/** What people and forms need to know of a field. Fields are shown in the order of their table. */
export interface FieldWords {
  title: string;
  /** Markdown. Links are relative to `/docs/`. */
  docs: string;
  /** What forms say in place of `docs`, where the control itself tells the rest. Empty where it tells all. */
  hint?: string;
  widget?: Widget;
  /** The type of the credentials that the field takes. Those that sign calls, where it names none. */
  credentialType?: CredentialTypeName | readonly CredentialTypeName[];
  /** The title of the fold that the form keeps the field in. */
  group?: string;
  /** The field beside it, of several of which one is given, that it belongs to. */
  belongsTo?: string;
}

type KeysOf<T> = T extends unknown ? keyof T & string : never;
type Fields<N extends NodeTypeName> = Record<KeysOf<DataOf<N>>, FieldWords> & Record<`${string}.${string}`, FieldWords>;

/** What people, the palette and forms need to know of a node type, beside what `NODE_TYPES` says of it. */
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
  /** The fields of the data. The name of a field inside another one has both, as in `pagination.next`. */
  fields: Fields<N>;
  /** The handles of a type whose handles are always the same. All others are plain: see `PLAIN_HANDLES`. */
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

/** What ids in examples stand for. */
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
