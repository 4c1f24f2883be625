import type { Payload, PayloadFilter } from "../../core/search/payload.ts";
import type { Scored, SearchMode } from "../../core/search/score.ts";
import type { WriteOp } from "../store/port.ts";

export const SEARCH_KINDS = ["memory", "knowledge", "tool"] as const;
/** Each kind has its own index. */
export type SearchKind = (typeof SEARCH_KINDS)[number];

/** A model that creates vectors. Vectors of different models or dimensions are never compared. */
export interface Embedder {
  id: string;
  dimension: number;
}

export interface Vector {
  /** The embedder's id. */
  embedder: string;
  /** The vector may have any length except zero. Only its direction counts. */
  values: ArrayLike<number>;
}

export interface Entry {
  /** The document's own id, unique per workspace and kind. */
  id: string;
  /** The text in which keywords are searched. */
  text: string;
  payload?: Payload;
  /** Without a vector, the entry keeps its current one while its text stays the same. */
  vector?: Vector;
}

export interface SearchQuery {
  text?: string;
  vector?: Vector;
  filter?: PayloadFilter;
  /** 1 to 1000. */
  limit: number;
  /**
   * `hybrid` (the default) finds by words or meaning and orders by `scoreOf`. `vector` finds only by meaning. `keyword`
   * finds only by words, ordered by their weight.
   */
  mode?: SearchMode;
}

export interface SearchHit extends Scored {
  payload: Payload;
}

export interface SearchResult {
  /**
   * The caller reads the documents of the hits, and drops hits without a document, because an index may be outdated.
   */
  hits: SearchHit[];
  /**
   * Whether the search was incomplete: the index is unavailable and only keywords were searched, or its vectors are not
   * complete yet.
   */
  degraded: boolean;
}

export interface VectorUpdate {
  id: string;
  vector: Vector;
  /** The `revisionOf(text)` of the text that the vector was made from. A vector of an older text is dropped. */
  revision?: string;
}

/** One workspace's entries of one kind. The methods throw the errors of `errors.ts`. */
export interface TenantIndex {
  /** Adds or replaces at most 1000 entries. Keywords find them immediately. */
  put(entries: readonly Entry[]): Promise<void>;
  /**
   * Sets at most 1000 vectors.
   * @throws {UnknownEmbedderError} when a vector is of an unknown model.
   */
  setVectors(updates: readonly VectorUpdate[]): Promise<void>;
  remove(ids: readonly string[]): Promise<void>;
  /**
   * Removes all entries that match the filter, or all entries without a filter. It works in batches, so searches may
   * see a partial result.
   */
  removeAll(filter?: PayloadFilter): Promise<void>;
  search(query: SearchQuery): Promise<SearchResult>;
  /**
   * Operations for `Store.write`. Place them after the operations that they depend on. If the index is in the store's
   * own file, they commit with the documents. Otherwise they follow the documents, and reconciling repairs lost ones.
   */
  readonly ops: {
    put(entry: Entry): WriteOp[];
    setVector(update: VectorUpdate): WriteOp[];
    remove(id: string): WriteOp[];
  };
}

/** An entry in the index. */
export interface IndexedEntry {
  workspaceId: string;
  id: string;
  revision: string;
  payload: Payload;
}

export interface UnembeddedEntry {
  workspaceId: string;
  id: string;
  /** The first 32,768 characters. */
  text: string;
  revision: string;
}

export interface EmbedderState {
  /** The embedder that searches use by default. Null before the first one. */
  active: Embedder | null;
  /**
   * The embedder whose vectors are being created next to those of the active one. It takes over when no vector is
   * missing.
   */
  building: Embedder | null;
}

/**
 * The health of an index that answers. `degraded`: searches miss entries or vectors, because the index of a kind is
 * missing, still being filled, or refuses writes.
 */
export type SearchHealth = "ok" | "degraded";

export interface Search {
  tenant(kind: SearchKind, workspaceId: string): TenantIndex;
  /** Removes a deleted workspace's entries of all kinds. */
  removeWorkspace(workspaceId: string): Promise<void>;
  /**
   * Uses this model for vectors from now on. While its vectors are incomplete, searches continue with those of the
   * former model.
   */
  useEmbedder(kind: SearchKind, embedder: Embedder): Promise<EmbedderState>;
  embedders(kind: SearchKind): Promise<EmbedderState>;
  /**
   * Names the build of an index that does not hold every document yet. Null if the index is complete or does not exist.
   * An incomplete index answers searches with SearchUnavailableError.
   */
  begun(kind: SearchKind): Promise<string | null>;
  /**
   * Marks the index as complete: it holds every document that existed when `begun` returned this name. Has no effect if
   * the index has been rebuilt since.
   */
  filled(kind: SearchKind, making: string): Promise<void>;
  /**
   * At most `limit` (1 to 1000) entries without a vector of the newest embedder, in no order. If more wait, each
   * workspace gets a share, so that a workspace with thousands of entries does not block the others.
   */
  unembedded(kind: SearchKind, limit: number): Promise<UnembeddedEntry[]>;
  /** Marks entries that cannot be embedded. `unembedded` leaves them out until their text changes. */
  giveUp(kind: SearchKind, entries: readonly UnembeddedEntry[]): Promise<void>;
  /**
   * If no vector is missing, lets the building embedder take over, and removes the data of other embedders. Returns
   * whether one took over.
   */
  settle(kind: SearchKind): Promise<boolean>;
  /** All entries of all workspaces, page by page, for reconciling. `after` is the `next` of the previous page. */
  entries(
    kind: SearchKind,
    after: string | null,
    limit: number,
  ): Promise<{ items: IndexedEntry[]; next: string | null }>;
  /** The wanted entries that the index holds. */
  held(kind: SearchKind, wanted: readonly { workspaceId: string; id: string }[]): Promise<IndexedEntry[]>;
  /**
   * Checks that the index answers.
   * @throws {SearchUnavailableError} when the index is unavailable.
   * @throws {SearchTimeoutError} when the index does not answer in time.
   */
  ping(): Promise<SearchHealth>;
  /**
   * The version of the server. Only an index on a server has one.
   * @throws as `ping` does
   */
  version?(): Promise<string | null>;
  close(): Promise<void>;
}
