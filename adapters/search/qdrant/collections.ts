import type { Embedder, EmbedderState, SearchKind } from "../port.ts";
import { CollectionGoneError, type QdrantConnection } from "./connection.ts";

// One collection per kind and embedder; the alias of a kind points to the one that is searched.

export const DENSE = "dense";
export const SPARSE = "words";

/** What others may have changed is asked for again after that long. */
const FRESH_MS = 30_000;

interface Known extends EmbedderState {
  at: number;
}

/** Which collections a kind has, and how they come and go. */
export class Collections {
  readonly #connection: QdrantConnection;
  readonly #known = new Map<SearchKind, Known>();

  constructor(connection: QdrantConnection) {
    this.#connection = connection;
  }

  #aliasOf(kind: SearchKind): string {
    return `${this.#connection.prefix}_${kind}`;
  }

  /** The name says the embedder, so that every node reads from the server alone what it holds. */
  nameOf(kind: SearchKind, { id, dimension }: Embedder): string {
    return `${this.#aliasOf(kind)}_${dimension}_${Buffer.from(id).toString("base64url")}`;
  }

  #embedderOf(kind: SearchKind, collection: string): Embedder | null {
    const [, dimension, id] = new RegExp(`^${this.#aliasOf(kind)}_(\\d+)_([\\w-]+)$`).exec(collection) ?? [];
    return dimension && id ? { id: Buffer.from(id, "base64url").toString(), dimension: Number(dimension) } : null;
  }

  async state(kind: SearchKind): Promise<EmbedderState> {
    const known = this.#known.get(kind);
    return known && performance.now() - known.at < FRESH_MS ? known : this.refresh(kind);
  }

  async refresh(kind: SearchKind): Promise<EmbedderState> {
    const [{ aliases }, { collections }] = await this.#connection.run(client =>
      Promise.all([client.getAliases(), client.getCollections()]),
    );
    const target = aliases.find(({ alias_name }) => alias_name === this.#aliasOf(kind))?.collection_name;
    const others = collections.map(({ name }) => name).filter(name => name !== target);
    const state: Known = {
      active: target === undefined ? null : this.#embedderOf(kind, target),
      building: others.map(name => this.#embedderOf(kind, name)).find(embedder => embedder !== null) ?? null,
      at: performance.now(),
    };
    this.#known.set(kind, state);
    return state;
  }

  /** Runs it with what is known; once more where that turns out to be old. */
  async with<T>(kind: SearchKind, work: (state: EmbedderState) => Promise<T>): Promise<T> {
    try {
      return await work(await this.state(kind));
    } catch (error) {
      if (!(error instanceof CollectionGoneError)) throw error;
      return work(await this.refresh(kind));
    }
  }

  async use(kind: SearchKind, embedder: Embedder): Promise<EmbedderState> {
    const { active, building } = await this.refresh(kind);
    const wanted = this.nameOf(kind, embedder);
    const names = [active, building].flatMap(known => (known ? [this.nameOf(kind, known)] : []));
    for (const name of names)
      if (name !== wanted && (!active || name !== this.nameOf(kind, active)))
        await this.#connection.run(client => client.deleteCollection(name));
    await this.#prepare(wanted, embedder.dimension, !names.includes(wanted));
    if (!active) await this.activate(kind, embedder);
    return this.refresh(kind);
  }

  /** Searches go there from now on. */
  async activate(kind: SearchKind, embedder: Embedder): Promise<void> {
    const alias_name = this.#aliasOf(kind);
    const collection_name = this.nameOf(kind, embedder);
    const { active } = await this.refresh(kind);
    const former = active && this.nameOf(kind, active);
    // Another node may have been quicker; what it made must not be taken for what is to go.
    if (former === collection_name) return;
    const create = { create_alias: { collection_name, alias_name } };
    // Both in one request: no search finds neither.
    const actions = former ? [{ delete_alias: { alias_name } }, create] : [create];
    await this.#connection.run(client => client.updateCollectionAliases({ actions }));
    if (former) await this.#connection.run(client => client.deleteCollection(former));
    await this.refresh(kind);
  }

  /** Makes a collection whole, whoever has begun it: an index that is missing is a search through all of it. */
  async #prepare(name: string, dimension: number, create: boolean): Promise<void> {
    await this.#connection.run(async client => {
      if (create) await client.createCollection(name, collectionConfig(dimension)).catch(unlessThere);
      const { payload_schema: held } = await client.getCollection(name);
      for (const [field_name, field_schema] of Object.entries(INDEXES))
        if (!(field_name in held)) await client.createPayloadIndex(name, { field_name, field_schema, wait: true });
    });
  }
}

/** Another node was quicker. */
function unlessThere(error: unknown): void {
  if ((error as { status?: unknown }).status !== 409) throw error;
}

const collectionConfig = (dimension: number) => ({
  // Bytes in memory to find by, the vectors themselves on disk to compare what was found.
  vectors: { [DENSE]: { size: dimension, distance: "Cosine" as const, on_disk: true } },
  quantization_config: { scalar: { type: "int8" as const, quantile: 0.99, always_ram: true } },
  sparse_vectors: { [SPARSE]: { modifier: "idf" as const } },
  // Every search is of one workspace: a graph for each instead of one for all.
  hnsw_config: { m: 0, payload_m: 16 },
  on_disk_payload: true,
});

/**
 * All that is filtered by: Qdrant in its strict mode, as in its cloud, refuses a filter on anything else. Only workspaces have
 * graphs of their own; one for each word would cost more than all else. Before 1.17, Qdrant knows no `enable_hnsw` and makes
 * one for each word that thousands of points share.
 */
const INDEXES = {
  workspaceId: { type: "keyword", is_tenant: true },
  tags: { type: "keyword", enable_hnsw: false },
  words: { type: "keyword", enable_hnsw: false },
  pending: { type: "bool", enable_hnsw: false },
  revision: { type: "keyword", enable_hnsw: false, on_disk: true },
} as const;
