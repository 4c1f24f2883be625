import type { Embedder, Entry, SearchKind, UnembeddedEntry, SearchHit } from "../adapters/search/port.ts";

export interface DocumentRef {
  workspaceId: string;
  id: string;
}

/** Defines how a service's documents are put into the index. The index is also reconciled from them. */
export interface IndexedDocuments<Self> {
  kind: SearchKind;
  /** The model in use. Errors are retried. */
  embedder(this: Self): Promise<Embedder>;
  /** Returns a vector for each text, in order. Aborted after a minute. Errors are retried with growing pauses. */
  embed(this: Self, texts: string[], signal: AbortSignal): Promise<ArrayLike<number>[]>;
  /** All documents of all workspaces that belong in the index, as entries without vectors, at most 1000 per page. */
  documents(
    this: Self,
    after: string | null,
  ): Promise<{ items: (DocumentRef & Pick<Entry, "text" | "payload">)[]; next: string | null }>;
  /** The documents among these, at most 1000, that still belong in the index. */
  existing(this: Self, refs: DocumentRef[]): Promise<DocumentRef[]>;
  /** Called when these entries have their vectors. */
  embedded?(this: Self, entries: UnembeddedEntry[]): Promise<void>;
  /** Called for entries that cannot be embedded although others can. They are skipped until their text changes. */
  failed?(this: Self, entries: UnembeddedEntry[]): Promise<void>;
}

export const keyOf = ({ workspaceId, id }: DocumentRef): string => JSON.stringify([workspaceId, id]);

/** Groups by workspace, each group in the given order. */
export const byWorkspace = <T extends DocumentRef>(items: readonly T[]): Map<string, T[]> =>
  Map.groupBy(items, ({ workspaceId }) => workspaceId);

/**
 * The hits whose documents exist, with the documents, in order. `gone` is called if some are missing, because the index
 * is then outdated.
 */
export async function confirmedHits<T extends { id: string }>(
  hits: readonly SearchHit[],
  read: (ids: string[]) => Promise<readonly T[]>,
  gone: () => void = () => undefined,
): Promise<{ hit: SearchHit; document: T }[]> {
  if (hits.length === 0) return [];
  const documents = new Map((await read(hits.map(({ id }) => id))).map(document => [document.id, document]));
  const confirmed = hits.flatMap(hit => {
    const document = documents.get(hit.id);
    return document ? [{ hit, document }] : [];
  });
  if (confirmed.length < hits.length) gone();
  return confirmed;
}
