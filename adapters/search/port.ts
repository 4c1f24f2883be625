import type { Payload, PayloadFilter } from "../../core/search/payload.ts";
import type { Scored, SearchMode } from "../../core/search/score.ts";
import type { WriteOp } from "../store/port.ts";

export const SEARCH_KINDS = ["memory", "knowledge", "tool"] as const;
/** Each has an index of its own. */
export type SearchKind = (typeof SEARCH_KINDS)[number];

/** A model that makes vectors. Those of two models, or of two dimensions, are never compared. */
export interface Embedder {
  id: string;
  dimension: number;
}

export interface Vector {
  /** The embedder's id. */
  embedder: string;
  /** Of any length but zero; only the direction counts. */
  values: ArrayLike<number>;
}

export interface Entry {
  /** The document's own id; one per workspace and kind. */
  id: string;
  /** What keywords are found in. */
  text: string;
  payload?: Payload;
  /** Without it, the entry keeps the vector it has for as long as its text stays the same. */
  vector?: Vector;
}

export interface SearchQuery {
  text?: string;
  vector?: Vector;
  filter?: PayloadFilter;
  /** 1 to 1000. */
  limit: number;
  /**
   * `hybrid` (the default) finds by either and orders by `scoreOf`; `vector` by meaning alone; `keyword` by words alone,
   * ordered by their weight.
   */
  mode?: SearchMode;
}

export interface SearchHit extends Scored {
  payload: Payload;
}

export interface SearchResult {
  /** The documents behind them have to be read, and those that are gone left out: an index is never the truth. */
  hits: SearchHit[];
  /** Not all that was asked could be looked up: the index is away and keywords alone were, or its vectors are still being made. */
  degraded: boolean;
}

export interface VectorUpdate {
  id: string;
  vector: Vector;
  /** As `revisionOf(text)` of the text that the vector was made from: one of an older text is left out. */
  revision?: string;
}

/** One workspace's entries of one kind. Errors: those of `errors.ts`. */
export interface TenantIndex {
  /** Adds entries or replaces them. Keywords find them at once. At most 1000. */
  put(entries: readonly Entry[]): Promise<void>;
  /** UnknownEmbedderError. At most 1000. */
  setVectors(updates: readonly VectorUpdate[]): Promise<void>;
  remove(ids: readonly string[]): Promise<void>;
  /** All that the filter holds for; without one, all. In batches: searches see some gone before others. */
  removeAll(filter?: PayloadFilter): Promise<void>;
  search(query: SearchQuery): Promise<SearchResult>;
  /**
   * For `Store.write`, in front of nothing that they depend on: with the index in the store's own file they commit with the
   * documents. Elsewhere they follow the documents, and what is lost there, reconciling makes good.
   */
  readonly ops: {
    put(entry: Entry): WriteOp[];
    setVector(update: VectorUpdate): WriteOp[];
    remove(id: string): WriteOp[];
  };
}

/** An entry as the index holds it. */
export interface IndexedEntry {
  workspaceId: string;
  id: string;
  revision: string;
  payload: Payload;
}

export interface UnembeddedEntry {
  workspaceId: string;
  id: string;
  /** Its first 32,768 characters. */
  text: string;
  revision: string;
}

export interface EmbedderState {
  /** Searches without another wish go there. Null before the first. */
  active: Embedder | null;
  /** Its vectors are being made beside those of the active one, which it replaces once none is missing. */
  building: Embedder | null;
}

/**
 * Of an index that answers. `degraded`: searches miss entries or vectors, because the index of a kind is missing or still being
 * filled, or because it refuses writes.
 */
export type SearchHealth = "ok" | "degraded";

export interface Search {
  tenant(kind: SearchKind, workspaceId: string): TenantIndex;
  /** All kinds' entries of a workspace that is gone. */
  removeWorkspace(workspaceId: string): Promise<void>;
  /** From now on vectors are of this model. Where the index holds those of another, it goes on with them until these are all there. */
  useEmbedder(kind: SearchKind, embedder: Embedder): Promise<EmbedderState>;
  embedders(kind: SearchKind): Promise<EmbedderState>;
  /**
   * Names the making of an index that does not hold every document yet; null where it does, or where there is none. Such an
   * index answers no search (SearchUnavailableError).
   */
  begun(kind: SearchKind): Promise<string | null>;
  /** Every document there was when `begun` gave this name is in the index now. Nothing where it has been made anew since. */
  filled(kind: SearchKind, making: string): Promise<void>;
  /**
   * Entries without a vector of the newest embedder, in no order, at most `limit` (1 to 1000). Where more wait, each workspace
   * has its share: one that waits for thousands hides no other's.
   */
  unembedded(kind: SearchKind, limit: number): Promise<UnembeddedEntry[]>;
  /** These cannot be embedded: they are not asked for again until their text changes. */
  giveUp(kind: SearchKind, entries: readonly UnembeddedEntry[]): Promise<void>;
  /** Where no vector is missing: lets the building embedder take over, and removes what is left of others. Whether one took over. */
  settle(kind: SearchKind): Promise<boolean>;
  /** All entries of all workspaces, a page at a time, for reconciling. `after` is the `next` of the page before. */
  entries(
    kind: SearchKind,
    after: string | null,
    limit: number,
  ): Promise<{ items: IndexedEntry[]; next: string | null }>;
  /** Those of these that the index holds. */
  held(kind: SearchKind, wanted: readonly { workspaceId: string; id: string }[]): Promise<IndexedEntry[]>;
  /** @throws {SearchUnavailableError} or SearchTimeoutError where the index does not answer */
  ping(): Promise<SearchHealth>;
  close(): Promise<void>;
}
