import type { IndexOp } from "../../store/port.ts";
import {
  checkBatch,
  checkEmbedder,
  checkEntry,
  checkFilter,
  checkId,
  checkLimit,
  checkQuery,
  checkVector,
  type CheckedEntry,
  MAX_EMBEDDED_CHARS,
  type CheckedVector,
} from "../check.ts";
import { UnknownEmbedderError } from "../errors.ts";
import { KnownEmbedders } from "../known-embedders.ts";
import {
  SEARCH_KINDS,
  type Embedder,
  type EmbedderState,
  type Entry,
  type IndexedEntry,
  type Search,
  type SearchKind,
  type SearchQuery,
  type SearchResult,
  type TenantIndex,
  type UnembeddedEntry,
  type VectorUpdate,
} from "../port.ts";
import { Collections } from "./collections.ts";
import { QdrantConnection, type QdrantSettings } from "./connection.ts";
import { entryOf, filterOf, filterOfRevision, pointId, type PointPayload } from "./points.ts";
import { searchPoints } from "./search-points.ts";
import { waitingPoints } from "./waiting-points.ts";
import { copyMissing, putPoints, setVectors } from "./write-points.ts";

/** What reconciling looks at. */
const LISTED = ["workspaceId", "id", "revision", "payload"];

const inUse = ({ active, building }: EmbedderState): Embedder[] =>
  [active, building].filter(embedder => embedder !== null);

/** Words and vectors in Qdrant. Its `ops` are writes that follow the documents; what fails then goes to `onLost`. */
export class QdrantIndex implements Search {
  readonly #connection: QdrantConnection;
  readonly #collections: Collections;
  readonly #known: KnownEmbedders;
  readonly #onLost: (error: unknown) => void;

  constructor(settings: QdrantSettings, onLost: (error: unknown) => void) {
    this.#connection = new QdrantConnection(settings);
    this.#collections = new Collections(this.#connection);
    this.#known = new KnownEmbedders(kind => this.#collections.refresh(kind));
    this.#onLost = onLost;
  }

  tenant(kind: SearchKind, workspaceId: string): TenantIndex {
    checkId(workspaceId, "a workspace's id");
    const later = (work: () => Promise<void>): IndexOp[] => [
      { kind: "index", statements: [], after: () => work().catch(this.#onLost) },
    ];
    const put = async (entries: readonly CheckedEntry[]) => {
      if (inUse(await this.#collections.state(kind)).length === 0) throw new UnknownEmbedderError("any model yet");
      await this.#each(kind, (name, embedder) => putPoints(this.#connection, name, embedder, workspaceId, entries));
    };
    const vectors = (updates: readonly (VectorUpdate & { checked: CheckedVector })[]) =>
      this.#each(kind, (name, embedder) => setVectors(this.#connection, name, embedder, workspaceId, updates));
    const remove = (ids: readonly string[]) => {
      const points = checkBatch(ids).map(id => pointId(workspaceId, checkId(id)));
      return this.#each(kind, name => this.#connection.run(client => client.delete(name, { wait: true, points })));
    };
    const checkedEntry = (entry: Entry) => checkEntry(entry, this.#known.of(kind));
    const checkedUpdate = (update: VectorUpdate) => {
      checkId(update.id);
      return { ...update, checked: checkVector(update.vector, this.#known.of(kind)(update.vector.embedder)) };
    };
    return {
      put: async entries => {
        await this.#known.learn(kind, entries);
        await put(checkBatch(entries).map(checkedEntry));
      },
      setVectors: async updates => {
        await this.#known.learn(kind, updates);
        await vectors(checkBatch(updates).map(checkedUpdate));
      },
      remove,
      removeAll: async filter => {
        const clauses = checkFilter(filter);
        if (clauses.some(({ not, values }) => !not && values.length === 0)) return;
        const chosen = { filter: filterOf(workspaceId, clauses) };
        await this.#each(kind, name => this.#connection.run(client => client.delete(name, { wait: true, ...chosen })));
      },
      search: query => this.#search(kind, workspaceId, query),
      ops: {
        put: entry => {
          const checked = [checkedEntry(entry)];
          return later(() => put(checked));
        },
        setVector: update => {
          const checked = [checkedUpdate(update)];
          return later(() => vectors(checked));
        },
        remove: id => later(() => remove([id])),
      },
    };
  }

  async removeWorkspace(workspaceId: string): Promise<void> {
    for (const kind of SEARCH_KINDS) await this.tenant(kind, workspaceId).removeAll();
  }

  async useEmbedder(kind: SearchKind, embedder: Embedder): Promise<EmbedderState> {
    await this.#collections.use(kind, checkEmbedder(embedder));
    return this.embedders(kind);
  }

  async embedders(kind: SearchKind): Promise<EmbedderState> {
    const { active, building } = await this.#known.ask(kind);
    return { active, building };
  }

  async unembedded(kind: SearchKind, limit: number): Promise<UnembeddedEntry[]> {
    const waiting = await this.#collections.with(kind, async state => {
      const newest = inUse(state).at(-1);
      return newest ? waitingPoints(this.#connection, this.#collections.nameOf(kind, newest), checkLimit(limit)) : [];
    });
    return waiting.map(({ workspaceId, id, text, revision }) => {
      return { workspaceId, id, text: text.slice(0, MAX_EMBEDDED_CHARS), revision };
    });
  }

  async giveUp(kind: SearchKind, entries: readonly UnembeddedEntry[]): Promise<void> {
    if (checkBatch(entries).length === 0) return;
    const operations = entries.map(({ workspaceId, id, revision }) => {
      const filter = filterOfRevision(pointId(workspaceId, id), revision);
      return { set_payload: { payload: { pending: false }, filter } };
    });
    await this.#collections.with(kind, async state => {
      const newest = inUse(state).at(-1);
      if (!newest) return;
      await this.#connection.run(client =>
        client.batchUpdate(this.#collections.nameOf(kind, newest), { wait: true, operations }),
      );
    });
  }

  async settle(kind: SearchKind): Promise<boolean> {
    const { active, building } = await this.#collections.refresh(kind);
    if (!building) return false;
    if ((await this.unembedded(kind, 1)).length > 0) return false;
    if (active) {
      const [from, to] = [this.#collections.nameOf(kind, active), this.#collections.nameOf(kind, building)];
      if ((await copyMissing(this.#connection, from, to)) > 0) return false;
    }
    await this.#collections.activate(kind, building);
    return true;
  }

  entries(kind: SearchKind, after: string | null, limit: number) {
    return this.#collections.with(kind, async state => {
      const [first] = inUse(state);
      if (!first) return { items: [], next: null };
      const page = await this.#connection.run(client =>
        client.scroll(this.#collections.nameOf(kind, first), {
          limit: checkLimit(limit),
          offset: after,
          with_payload: LISTED,
        }),
      );
      const items = page.points.map(({ payload }) => entryOf(payload as unknown as PointPayload));
      const next = page.next_page_offset;
      return { items, next: typeof next === "string" ? next : null };
    });
  }

  held(kind: SearchKind, wanted: readonly { workspaceId: string; id: string }[]): Promise<IndexedEntry[]> {
    const ids = checkBatch(wanted).map(({ workspaceId, id }) => pointId(workspaceId, id));
    return this.#collections.with(kind, async state => {
      const [first] = inUse(state);
      if (!first || ids.length === 0) return [];
      const points = await this.#connection.run(client =>
        client.retrieve(this.#collections.nameOf(kind, first), { ids, with_payload: LISTED }),
      );
      return points.map(({ payload }) => entryOf(payload as unknown as PointPayload));
    });
  }

  async ping(): Promise<void> {
    await this.#connection.run(client => client.getCollections());
  }

  close(): Promise<void> {
    return Promise.resolve();
  }

  async #search(kind: SearchKind, workspaceId: string, query: SearchQuery): Promise<SearchResult> {
    await this.#known.learn(kind, [query]);
    const checked = checkQuery(query, this.#known.of(kind));
    return this.#collections.with(kind, async state => {
      const [first] = inUse(state);
      if (!first) return { hits: [], degraded: true };
      const asked = checked.vector?.embedder ?? first.id;
      const chosen = inUse(state).find(({ id }) => id === asked) ?? first;
      const dense = chosen.id === asked && chosen.dimension === (checked.vector?.values.length ?? chosen.dimension);
      const name = this.#collections.nameOf(kind, chosen);
      const hits = await searchPoints(this.#connection, name, workspaceId, checked, dense);
      return { hits, degraded: checked.vector !== null && !(dense && chosen === state.active) };
    });
  }

  /** Of the collection that is searched and of one that is being made. */
  async #each(kind: SearchKind, work: (name: string, embedder: Embedder) => Promise<unknown>): Promise<void> {
    await this.#collections.with(kind, async state => {
      for (const embedder of inUse(state)) await work(this.#collections.nameOf(kind, embedder), embedder);
    });
  }
}
