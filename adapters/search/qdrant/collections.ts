import type { Embedder, EmbedderState, SearchKind } from "../port.ts";
import { CollectionGoneError, type QdrantConnection } from "./connection.ts";

// One collection per kind and embedder; the alias of a kind points to the one that is searched.

export const DENSE = "dense";
export const SPARSE = "words";

/** What others may have changed is asked for again after that long. */
const FRESH_MS = 30_000;

export const aliasOf = (kind: SearchKind): string => `weft_${kind}`;

/** The name says the embedder, so that every node reads from the server alone what it holds. */
export const collectionOf = (kind: SearchKind, { id, dimension }: Embedder): string =>
  `weft_${kind}_${dimension}_${Buffer.from(id).toString("base64url")}`;

function embedderOf(kind: SearchKind, collection: string): Embedder | null {
  const [, dimension, id] = new RegExp(`^weft_${kind}_(\\d+)_([\\w-]+)$`).exec(collection) ?? [];
  return dimension && id ? { id: Buffer.from(id, "base64url").toString(), dimension: Number(dimension) } : null;
}

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

  async state(kind: SearchKind): Promise<EmbedderState> {
    const known = this.#known.get(kind);
    return known && performance.now() - known.at < FRESH_MS ? known : this.refresh(kind);
  }

  async refresh(kind: SearchKind): Promise<EmbedderState> {
    const [{ aliases }, { collections }] = await this.#connection.run(client =>
      Promise.all([client.getAliases(), client.getCollections()]),
    );
    const target = aliases.find(({ alias_name }) => alias_name === aliasOf(kind))?.collection_name;
    const others = collections.map(({ name }) => name).filter(name => name !== target);
    const state: Known = {
      active: target === undefined ? null : embedderOf(kind, target),
      building: others.map(name => embedderOf(kind, name)).find(embedder => embedder !== null) ?? null,
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
    const wanted = collectionOf(kind, embedder);
    const names = [active, building].flatMap(known => (known ? [collectionOf(kind, known)] : []));
    for (const name of names)
      if (name !== wanted && (!active || name !== collectionOf(kind, active)))
        await this.#connection.run(client => client.deleteCollection(name));
    if (!names.includes(wanted)) await this.#create(wanted, embedder.dimension);
    if (!active) await this.activate(kind, embedder);
    return this.refresh(kind);
  }

  /** Searches go there from now on. */
  async activate(kind: SearchKind, embedder: Embedder): Promise<void> {
    const alias_name = aliasOf(kind);
    const { active } = await this.refresh(kind);
    const create = { create_alias: { collection_name: collectionOf(kind, embedder), alias_name } };
    // Both in one request: no search finds neither.
    const actions = active ? [{ delete_alias: { alias_name } }, create] : [create];
    await this.#connection.run(client => client.updateCollectionAliases({ actions }));
    if (active) await this.#connection.run(client => client.deleteCollection(collectionOf(kind, active)));
    await this.refresh(kind);
  }

  async #create(name: string, dimension: number): Promise<void> {
    await this.#connection.run(async client => {
      await client.createCollection(name, {
        vectors: { [DENSE]: { size: dimension, distance: "Cosine" } },
        sparse_vectors: { [SPARSE]: { modifier: "idf" } },
        // Every search is of one workspace: a graph for each instead of one for all.
        hnsw_config: { m: 0, payload_m: 16 },
        on_disk_payload: true,
      });
      const tenant = { type: "keyword", is_tenant: true } as const;
      await client.createPayloadIndex(name, { field_name: "workspaceId", field_schema: tenant, wait: true });
      for (const field_name of ["tags", "words"])
        await client.createPayloadIndex(name, { field_name, field_schema: "keyword", wait: true });
      await client.createPayloadIndex(name, { field_name: "pending", field_schema: "bool", wait: true });
    });
  }
}
