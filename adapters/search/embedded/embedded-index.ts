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
} from "../check.ts";
import { KnownEmbedders } from "../known-embedders.ts";
import {
  SEARCH_KINDS,
  type Search,
  type SearchHealth,
  type SearchKind,
  type TenantIndex,
  type VectorUpdate,
} from "../port.ts";
import { spaceOf } from "./schema.ts";
import { SearchThread } from "./search-thread.ts";
import * as sql from "./statements.ts";

type Statements = IndexOp["statements"];

/** The storage of an embedded index. */
export interface IndexFile {
  readonly path: string;
  /** Runs the statements atomically. Returns the number of changed rows. */
  write(statements: Statements): Promise<number>;
  /**
   * An operation for the store. It is part of the store's transaction if the file is the store's own, else it runs
   * afterwards.
   */
  op(statements: Statements): IndexOp;
  close(): Promise<void>;
}

/** The number of items to prepare, and the longest time, before other work gets a turn. Items differ much in size. */
const PREPARED = 32;
const PREPARE_MS = 10;
const REMOVED = 500;
const DROPPED = 200;
/** Bounds the loops. No space holds this many batches. */
const MAX_BATCHES = 100_000;

const turn = (): Promise<void> => new Promise(resolve => setImmediate(resolve));

/** Words and vectors in one SQLite file, searched in a separate thread. */
export class EmbeddedIndex implements Search {
  readonly #file: IndexFile;
  readonly #startThread: () => SearchThread;
  #started: SearchThread | undefined;
  readonly #known: KnownEmbedders;

  /** The caller must have created SEARCH_SCHEMA in the file. */
  /** Started at the first search, because the thread takes memory. */
  get #thread(): SearchThread {
    return (this.#started ??= this.#startThread());
  }

  constructor(file: IndexFile, cacheBytes: number) {
    this.#file = file;
    this.#startThread = () => new SearchThread({ file: file.path, cacheBytes });
    this.#known = new KnownEmbedders(kind => this.#thread.ask("embedders", { kind }));
  }

  tenant(kind: SearchKind, workspaceId: string): TenantIndex {
    checkId(workspaceId, "a workspace's id");
    const file = this.#file;
    const put = (entry: Parameters<TenantIndex["ops"]["put"]>[0]) =>
      sql.putStatements(kind, workspaceId, checkEntry(entry, this.#known.of(kind)));
    const setVector = ({ id, vector, revision }: VectorUpdate) => {
      const known = checkVector(vector, this.#known.of(kind)(vector.embedder));
      return sql.vectorStatements(kind, workspaceId, checkId(id), known, revision ?? null);
    };
    const remove = (id: string) => sql.removeStatement(kind, workspaceId, checkId(id));
    return {
      put: async entries => {
        await this.#known.learn(kind, entries);
        await this.#writeAll(checkBatch(entries), put);
      },
      setVectors: async updates => {
        await this.#known.learn(kind, updates);
        await this.#writeAll(checkBatch(updates), setVector);
      },
      remove: async ids => {
        await this.#writeAll(checkBatch(ids), id => [remove(id)]);
      },
      removeAll: async filter => {
        const statement = sql.removeSomeStatement(kind, workspaceId, checkFilter(filter), REMOVED);
        if (statement) await this.#until(() => file.write([statement]));
      },
      search: async query => {
        await this.#known.learn(kind, [query]);
        const asks = checkQuery(query, this.#known.of(kind));
        return this.#thread.ask("search", { kind, space: spaceOf(kind, workspaceId), ...asks });
      },
      ops: {
        put: entry => [file.op(put(entry))],
        setVector: update => [file.op(setVector(update))],
        remove: id => [file.op([remove(id)])],
      },
    };
  }

  async removeWorkspace(workspaceId: string): Promise<void> {
    for (const kind of SEARCH_KINDS) await this.tenant(kind, workspaceId).removeAll();
  }

  async useEmbedder(kind: SearchKind, embedder: Parameters<Search["useEmbedder"]>[1]) {
    await this.#file.write(sql.useEmbedderStatements(kind, checkEmbedder(embedder)));
    return this.#known.ask(kind);
  }

  embedders(kind: SearchKind) {
    return this.#known.recent(kind);
  }

  /** The embedded index never has to be filled: its words are written with the documents, or restored at start. */
  begun(): Promise<null> {
    return Promise.resolve(null);
  }

  filled(): Promise<void> {
    return Promise.resolve();
  }

  unembedded(kind: SearchKind, limit: number) {
    return this.#thread.ask("unembedded", { kind, limit: checkLimit(limit) });
  }

  async giveUp(kind: SearchKind, entries: Parameters<Search["giveUp"]>[1]): Promise<void> {
    await this.#file.write(checkBatch(entries).map(entry => sql.giveUpStatement(kind, entry)));
  }

  async settle(kind: SearchKind): Promise<boolean> {
    const before = await this.#known.ask(kind);
    if (before.building) await this.#file.write(sql.settleStatements(kind));
    for (const g of await this.#thread.ask("leftovers", null))
      await this.#until(() => this.#file.write([sql.dropVectorsStatement(g, DROPPED)]));
    return before.building !== null && (await this.#known.ask(kind)).building === null;
  }

  async entries(kind: SearchKind, after: string | null, limit: number) {
    const place = after === null ? 0 : Number(after);
    const page = await this.#thread.ask("entries", { kind, after: place, limit: checkLimit(limit) });
    return { items: page.items, next: page.next === null ? null : String(page.next) };
  }

  held(kind: SearchKind, wanted: Parameters<Search["held"]>[1]) {
    const keys = checkBatch(wanted).map(({ workspaceId, id }) => ({ space: spaceOf(kind, workspaceId), id }));
    return this.#thread.ask("held", { wanted: keys });
  }

  async ping(): Promise<SearchHealth> {
    await this.#thread.ask("ping", null);
    return "ok";
  }

  async close(): Promise<void> {
    await this.#started?.close();
    await this.#file.close();
  }

  async #writeAll<T>(items: readonly T[], prepare: (item: T) => Statements): Promise<void> {
    for (let at = 0; at < items.length;) {
      if (at > 0) await turn();
      const statements: Statements[number][] = [];
      const [most, until] = [at + PREPARED, performance.now() + PREPARE_MS];
      do statements.push(...prepare(items[at++]!));
      while (at < Math.min(most, items.length) && performance.now() < until);
      await this.#file.write(statements);
    }
  }

  async #until(removeSome: () => Promise<number>): Promise<void> {
    for (let batch = 0; batch < MAX_BATCHES; batch++) if ((await removeSome()) === 0) return;
  }
}
