import type { Embedder, Entry, SearchKind, UnembeddedEntry } from "../adapters/search/port.ts";

export interface DocumentRef {
  workspaceId: string;
  id: string;
}

/** How a service's documents get into the index: what the index is healed from. */
export interface IndexedDocuments<Self> {
  kind: SearchKind;
  /** The model in use. Whatever it throws is tried again. */
  embedder(this: Self): Promise<Embedder>;
  /** A vector for each text, in order. It is given up after a minute; what it throws is tried again, later and later. */
  embed(this: Self, texts: string[], signal: AbortSignal): Promise<ArrayLike<number>[]>;
  /** All documents of all workspaces that belong into the index, as entries without vectors, at most 1000 a page. */
  documents(
    this: Self,
    after: string | null,
  ): Promise<{ items: (DocumentRef & Pick<Entry, "text" | "payload">)[]; next: string | null }>;
  /** Those of these, at most 1000, that belong into the index still. */
  existing(this: Self, refs: DocumentRef[]): Promise<DocumentRef[]>;
  /** These have their vectors now. */
  embedded?(this: Self, entries: UnembeddedEntry[]): Promise<void>;
  /** These cannot be embedded, though others can: given up until their text changes. */
  failed?(this: Self, entries: UnembeddedEntry[]): Promise<void>;
}

export const keyOf = ({ workspaceId, id }: DocumentRef): string => JSON.stringify([workspaceId, id]);

/** By workspace, each group in the order given. */
export const byWorkspace = <T extends DocumentRef>(items: readonly T[]): Map<string, T[]> =>
  Map.groupBy(items, ({ workspaceId }) => workspaceId);
