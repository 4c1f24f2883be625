import { SEARCH_KINDS, type Embedder, type EmbedderState, type SearchKind } from "../port.ts";
import { QdrantRefusal, type AliasAction } from "./client.ts";
import { collectionConfig, INDEXES } from "./collection-config.ts";
import { CollectionGoneError, type QdrantConnection } from "./connection.ts";
import { Names, STAGES, type Stage } from "./names.ts";

/** A collection of a kind. */
export interface Staged {
  embedder: Embedder;
  collection: string;
  /** The name in requests: the alias of its stage, or the collection's own name if an earlier version created it. */
  address: string;
  stage: Stage;
  /** All aliases that name this stage. Nodes that create a collection at the same moment each add one. */
  marks: readonly string[];
}

export interface KindState {
  /** The collection that is searched. */
  active: Staged | null;
  /** The collection whose vectors are being created. */
  building: Staged | null;
}

/** How long the known state is used. Other nodes may change the collections. */
const FRESH_MS = 30_000;
/** The same for an index that is not ready for searches. It changes within seconds. */
const UNREADY_MS = 1_000;
const CONFLICT = 409;

/** Manages the collections of each kind: one per kind and embedder. */
export class Collections {
  readonly #connection: QdrantConnection;
  readonly #names: Names;
  readonly #known = new Map<SearchKind, KindState & { at: number }>();

  constructor(connection: QdrantConnection) {
    this.#connection = connection;
    this.#names = new Names(connection.prefix);
  }

  /** The known state. It is read again if it is older than `freshMs`. */
  async state(kind: SearchKind, freshMs = FRESH_MS): Promise<KindState> {
    const known = this.#known.get(kind);
    if (!known) return this.refresh(kind);
    const limit = isReady(known) ? freshMs : Math.min(freshMs, UNREADY_MS);
    return performance.now() - known.at < limit ? known : this.refresh(kind);
  }

  /** Whether every kind has a collection that holds all entries with their vectors. Asks the server. */
  async areWhole(): Promise<boolean> {
    const states = await Promise.all(SEARCH_KINDS.map(kind => this.refresh(kind)));
    return states.every(({ active }) => active?.stage === "whole");
  }

  async refresh(kind: SearchKind): Promise<KindState> {
    const [{ aliases }, { collections }] = await this.#connection.run(client =>
      Promise.all([client.aliases(), client.collections()]),
    );
    const held = collections.flatMap(({ name }): Staged[] => {
      const embedder = this.#names.embedder(kind, name);
      if (!embedder) return [];
      const own = aliases.filter(alias => alias.collection_name === name).map(alias => alias.alias_name);
      // If aliases name several stages, the earliest stage counts.
      const [least] = STAGES.flatMap(stage => {
        const marks = own.filter(alias => this.#names.stage(kind, alias) === stage).sort();
        return marks[0] === undefined ? [] : [{ address: marks[0], stage, marks }];
      });
      return [{ embedder, collection: name, ...(least ?? { address: name, stage: "whole", marks: [] }) }];
    });
    const target = aliases.find(({ alias_name }) => alias_name === this.#names.active(kind))?.collection_name;
    const state = {
      active: held.find(({ collection }) => collection === target) ?? null,
      building: held.find(({ collection }) => collection !== target) ?? null,
      at: performance.now(),
    };
    this.#known.set(kind, state);
    return state;
  }

  /**
   * Runs `work` with the known state. If a collection turns out to be gone, it runs once more with the current state.
   */
  async with<T>(kind: SearchKind, work: (state: KindState) => Promise<T>): Promise<T> {
    try {
      return await work(await this.state(kind));
    } catch (error) {
      if (!(error instanceof CollectionGoneError)) throw error;
      return work(await this.refresh(kind));
    }
  }

  async use(kind: SearchKind, embedder: Embedder): Promise<void> {
    const wanted = this.#names.collection(kind, embedder);
    const { active, building } = await this.refresh(kind);
    if (building && building.collection !== wanted) await this.#drop(building.collection);
    const held = [active, building].some(one => one?.collection === wanted);
    await this.#prepare(wanted, embedder.dimension, !held);
    const now = await this.refresh(kind);
    const one = [now.active, now.building].find(other => other?.collection === wanted);
    const alias_name = this.#names.active(kind);
    const actions: AliasAction[] = [];
    // The collection has no stage yet. An active collection is already in use. Any other was never compared with the
    // documents.
    if (one?.address === wanted) {
      const stage = one === now.active ? "whole" : "begun";
      const name = this.#names.newStageAlias(kind, stage);
      actions.push({ create_alias: { collection_name: wanted, alias_name: name } });
    }
    if (!now.active) actions.push({ create_alias: { collection_name: wanted, alias_name } });
    if (actions.length === 0) return;
    await this.#connection.run(client => client.changeAliases(actions));
    await this.refresh(kind);
  }

  /** Directs searches to `next`, which has all vectors and at least as many documents as the former collection. */
  async activate(kind: SearchKind, next: Staged): Promise<void> {
    const alias_name = this.#names.active(kind);
    const { active: former } = await this.refresh(kind);
    // Another node may have been faster. The collection that it activated must not be dropped as the former one.
    if (former?.collection === next.collection) return;
    const stage = former && former.stage !== "begun" ? "whole" : "begun";
    const create = { create_alias: { collection_name: next.collection, alias_name } };
    const actions: AliasAction[] = [
      ...(former ? [{ delete_alias: { alias_name } }] : []),
      create,
      ...this.#renamed(kind, next, stage),
    ];
    // One atomic request, so that every search finds a collection.
    await this.#connection.run(client => client.changeAliases(actions));
    if (former) await this.#drop(former.collection);
    await this.refresh(kind);
  }

  /** @throws {CollectionGoneError} when the collection was lost, rebuilt or moved to another stage meanwhile. */
  async advance(kind: SearchKind, held: Staged, stage: Stage): Promise<void> {
    const actions = this.#renamed(kind, held, stage);
    if (actions.length > 0) await this.#connection.run(client => client.changeAliases(actions));
    await this.refresh(kind);
  }

  #renamed(kind: SearchKind, { marks, stage: former }: Staged, stage: Stage): AliasAction[] {
    if (former === stage) return [];
    return marks.map(mark => {
      return { rename_alias: { old_alias_name: mark, new_alias_name: this.#names.atStage(kind, mark, stage) } };
    });
  }

  async #drop(collection: string): Promise<void> {
    await this.#connection.run(client => client.deleteCollection(collection));
  }

  /** Completes a collection that any node may have begun. Without its indexes, a search would scan all points. */
  async #prepare(name: string, dimension: number, create: boolean): Promise<void> {
    await this.#connection.run(async client => {
      if (create) await client.createCollection(name, collectionConfig(dimension)).catch(unlessThere);
      const { payload_schema: held } = await client.collection(name);
      for (const [field_name, field_schema] of Object.entries(INDEXES))
        if (!(field_name in held)) await client.createIndex(name, { field_name, field_schema });
    });
  }
}

export const inUse = ({ active, building }: KindState): Staged[] => [active, building].filter(held => held !== null);

export const embeddersOf = ({ active, building }: KindState): EmbedderState => ({
  active: active && active.embedder,
  building: building && building.embedder,
});

/** @throws {CollectionGoneError} when there is no collection. */
export function newest(state: KindState): Staged {
  const held = inUse(state).at(-1);
  if (held) return held;
  throw new CollectionGoneError("Qdrant has no collection of this kind");
}

/** Whether searches are answered from this state. */
export const isReady = ({ active }: KindState): boolean => active !== null && active.stage !== "begun";

/** Ignores a conflict: another node created the collection first. */
function unlessThere(error: unknown): void {
  if (!(error instanceof QdrantRefusal) || error.status !== CONFLICT) throw error;
}
