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
import { SearchUnavailableError } from "../errors.ts";
import { EMBEDDERS_FRESH_MS, KnownEmbedders } from "../known-embedders.ts";
import {
  SEARCH_KINDS,
  type Embedder,
  type EmbedderState,
  type Entry,
  type IndexedEntry,
  type Search,
  type SearchHealth,
  type SearchKind,
  type SearchQuery,
  type SearchResult,
  type TenantIndex,
  type UnembeddedEntry,
  type VectorUpdate,
} from "../port.ts";
import { Collections, embeddersOf, inUse, isReady, newest, type KindState, type Staged } from "./collections.ts";
import { CollectionGoneError, PointGoneError, QdrantConnection, type QdrantSettings } from "./connection.ts";
import { entryOf, filterOf, pointId, type PointPayload } from "./points.ts";
import { searchPoints } from "./search-points.ts";
import { waitingPoints } from "./waiting-points.ts";
import { copyMissing, clearPending, putPoints, setVectors } from "./write-points.ts";

/** The fields that reconciling reads. */
const LISTED = ["workspaceId", "id", "revision", "payload"];

/** How long a failed write affects the health, in ms. This node or another one repeats it within 15 seconds. */
const FAILED_MS = 60_000;

/** Words and vectors in Qdrant. Its `ops` are writes that follow the documents. `onLost` receives their failures. */
export class QdrantIndex implements Search {
  readonly #connection: QdrantConnection;
  readonly #collections: Collections;
  readonly #known: KnownEmbedders;
  readonly #onLost: (error: unknown) => void;
  /** When the last write failed, if none has succeeded since. A server with a full disk still answers searches. */
  #writeFailedAt = -Infinity;

  constructor(settings: QdrantSettings, onLost: (error: unknown) => void) {
    this.#connection = new QdrantConnection(settings);
    this.#collections = new Collections(this.#connection);
    this.#known = new KnownEmbedders(async kind => embeddersOf(await this.#collections.refresh(kind)));
    this.#onLost = onLost;
  }

  tenant(kind: SearchKind, workspaceId: string): TenantIndex {
    checkId(workspaceId, "a workspace's id");
    const later = (work: () => Promise<void>): IndexOp[] => [
      { kind: "index", statements: [], after: () => work().catch(this.#onLost) },
    ];
    const put = (entries: readonly CheckedEntry[]) =>
      this.#each(kind, held => putPoints(this.#connection, held, workspaceId, entries));
    const vectors = (updates: readonly (VectorUpdate & { checked: CheckedVector })[]) =>
      this.#each(kind, held => setVectors(this.#connection, held, workspaceId, updates));
    const remove = (ids: readonly string[]) => {
      const points = checkBatch(ids).map(id => pointId(workspaceId, checkId(id)));
      return this.#eachThere(kind, name => this.#connection.run(client => client.remove(name, { points })));
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
        await this.#eachThere(kind, name => this.#connection.run(client => client.remove(name, chosen)));
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
    return this.#known.ask(kind, async () => embeddersOf(await this.#collections.state(kind, EMBEDDERS_FRESH_MS)));
  }

  async begun(kind: SearchKind): Promise<string | null> {
    const { active } = await this.#collections.state(kind, 0);
    return active?.stage === "begun" ? active.marks.join() : null;
  }

  async filled(kind: SearchKind, making: string): Promise<void> {
    const { active, building } = await this.#collections.refresh(kind);
    const marks = active?.marks.filter(mark => making.split(",").includes(mark)) ?? [];
    if (active?.stage !== "begun" || marks.length === 0) return;
    const vectors = building === null && (await this.unembedded(kind, 1)).length === 0;
    await this.#collections.advance(kind, { ...active, marks }, vectors ? "whole" : "words");
  }

  async unembedded(kind: SearchKind, limit: number): Promise<UnembeddedEntry[]> {
    const waiting = await this.#collections.with(kind, state =>
      waitingPoints(this.#connection, newest(state).address, checkLimit(limit)),
    );
    return waiting.map(({ workspaceId, id, text, revision }) => {
      return { workspaceId, id, text: text.slice(0, MAX_EMBEDDED_CHARS), revision };
    });
  }

  async giveUp(kind: SearchKind, entries: readonly UnembeddedEntry[]): Promise<void> {
    const texts = checkBatch(entries).map(({ workspaceId, id, revision }) => {
      return { point: pointId(workspaceId, id), revision };
    });
    if (texts.length === 0) return;
    await this.#collections.with(kind, state =>
      this.#connection.run(client => client.update(newest(state).address, [clearPending(texts)])),
    );
  }

  async settle(kind: SearchKind): Promise<boolean> {
    const { active, building } = await this.#collections.refresh(kind);
    if (!building && active?.stage !== "words") return false;
    if ((await this.unembedded(kind, 1)).length > 0) return false;
    if (!building) {
      if (active) await this.#collections.advance(kind, active, "whole");
      return false;
    }
    if (active && (await copyMissing(this.#connection, active.address, building.address)) > 0) return false;
    await this.#collections.activate(kind, building);
    return true;
  }

  entries(kind: SearchKind, after: string | null, limit: number) {
    return this.#collections.with(kind, async state => {
      const [first] = inUse(state);
      if (!first) return { items: [], next: null };
      const asked = { limit: checkLimit(limit), offset: after, with_payload: LISTED };
      const page = await this.#connection.run(client => client.scroll(first.address, asked));
      return { items: page.points.map(({ payload }) => entryOf(payload as PointPayload)), next: page.next_page_offset };
    });
  }

  held(kind: SearchKind, wanted: readonly { workspaceId: string; id: string }[]): Promise<IndexedEntry[]> {
    const ids = checkBatch(wanted).map(({ workspaceId, id }) => pointId(workspaceId, id));
    return this.#collections.with(kind, async state => {
      const [first] = inUse(state);
      if (!first || ids.length === 0) return [];
      const points = await this.#connection.run(client => client.points(first.address, ids, { with_payload: LISTED }));
      return points.map(({ payload }) => entryOf(payload as PointPayload));
    });
  }

  async ping(): Promise<SearchHealth> {
    const whole = await this.#collections.areWhole();
    return whole && performance.now() - this.#writeFailedAt > FAILED_MS ? "ok" : "degraded";
  }

  version(): Promise<string | null> {
    return this.#connection.run(client => client.version());
  }

  close(): Promise<void> {
    return this.#connection.close();
  }

  #search(kind: SearchKind, workspaceId: string, query: SearchQuery): Promise<SearchResult> {
    return this.#collections.with(kind, async state => {
      const { active } = state;
      if (!active) throw new CollectionGoneError("Qdrant has no collection of this kind");
      if (!isReady(state)) throw new SearchUnavailableError("Qdrant does not hold all entries yet");
      await this.#known.learn(kind, [query]);
      const checked = checkQuery(query, this.#known.of(kind));
      const asked = checked.vector?.embedder ?? active.embedder.id;
      const chosen = inUse(state).find(({ embedder }) => embedder.id === asked) ?? active;
      const { id, dimension } = chosen.embedder;
      const dense = id === asked && dimension === (checked.vector?.values.length ?? dimension);
      const hits = await searchPoints(this.#connection, chosen.address, workspaceId, checked, dense);
      const whole = dense && chosen === active && active.stage === "whole";
      return { hits, degraded: checked.vector !== null && !whole };
    });
  }

  /** Runs `work` on the searched collection and on the one being built, if they exist. */
  async #eachThere(kind: SearchKind, work: (name: string) => Promise<unknown>): Promise<void> {
    await this.#write(kind, async state => {
      for (const { address } of inUse(state)) await work(address);
    });
  }

  /**
   * Runs `work` on the searched collection and on the one being built.
   * @throws {CollectionGoneError} when neither exists, so that no write is lost silently.
   */
  async #each(kind: SearchKind, work: (held: Staged) => Promise<unknown>): Promise<void> {
    await this.#write(kind, async state => {
      newest(state);
      for (const held of inUse(state)) await work(held);
    });
  }

  async #write(kind: SearchKind, work: (state: KindState) => Promise<void>): Promise<void> {
    try {
      await this.#collections.with(kind, work);
      this.#writeFailedAt = -Infinity;
    } catch (error) {
      if (!(error instanceof PointGoneError)) this.#writeFailedAt = performance.now();
      throw error;
    }
  }
}
