import type { Embedder, Search, UnembeddedEntry } from "../adapters/search/port.ts";
import { backoffMs } from "../core/backoff.ts";
import { unit } from "../core/search/vectors.ts";
import { gauge } from "../telemetry/instruments.ts";
import { byWorkspace, type DocumentRef, keyOf, type IndexedDocuments } from "./indexed-documents.ts";

const waitingNow = gauge("weft_index_waiting");
const lag = gauge("weft_index_lag_seconds");

/** The number of texts in one call of the model. */
const BATCH = 64;
/**
 * A batch is drawn from this many waiting entries, so that an entry that cannot be embedded does not always block the
 * same others.
 */
const DRAWN_FROM = 512;
/** The limit of one run. The next run continues. */
const MAX_BATCHES = 10_000;
const EMBED_MS = 60_000;
const REST = { firstMs: 1_000, mostMs: 300_000 };
/** How often a single text may fail while the model embeds others. */
const MAX_TRIES = 3;
/** A text that any model can embed. It shows whether the model or the texts cause a failure. */
const HARMLESS = "weft";

/**
 * Creates the vectors that entries of a kind wait for. The index stores the waiting entries, so another process can
 * continue after this one ends. A failing model is retried with growing pauses. A text that fails alone is given up.
 */
export class EmbeddingQueue<Self> {
  readonly #search: Search;
  readonly #source: IndexedDocuments<Self>;
  readonly #self: Self;
  readonly #onBegun: () => void;
  readonly #tries = new Map<string, number>();
  #failures = 0;
  #waitsSince: number | undefined;
  #waiting: number | null = null;
  #restsUntil = -Infinity;

  /** `onBegun` is called when an index was rebuilt and does not yet contain every document. */
  constructor(search: Search, source: IndexedDocuments<Self>, self: Self, onBegun: () => void = () => undefined) {
    this.#search = search;
    this.#source = source;
    this.#self = self;
    this.#onBegun = onBegun;
  }

  /**
   * Runs until no entry waits. Does nothing if the pause after a failure has not passed.
   * @throws the error of the model or the index
   */
  async run(signal: AbortSignal, now = performance.now()): Promise<void> {
    if (this.#waitsSince !== undefined) lag(this.#source.kind).set((now - this.#waitsSince) / 1_000);
    if (now < this.#restsUntil) return;
    try {
      await this.#run(signal);
      this.#failures = 0;
    } catch (error) {
      this.#restsUntil = now + backoffMs(REST, ++this.#failures);
      await this.#look().catch(() => this.#lost());
      throw error;
    }
  }

  async #run(signal: AbortSignal): Promise<void> {
    const { kind } = this.#source;
    const embedder = await this.#source.embedder.call(this.#self);
    await this.#search.useEmbedder(kind, embedder);
    if ((await this.#search.begun(kind)) !== null) this.#onBegun();
    for (let batch = 0; batch < MAX_BATCHES && !signal.aborted; batch++) {
      const waiting = await this.#search.unembedded(kind, DRAWN_FROM);
      this.#measure(kind, waiting.length);
      if (waiting.length > 0) await this.#embed(embedder, draw(waiting, BATCH), signal);
      else {
        // After a switch to a new model, entries may appear that it has not embedded yet.
        await this.#search.settle(kind);
        if ((await this.#search.unembedded(kind, 1)).length === 0) return;
      }
    }
  }

  /** The state as of the last check. `waiting` is null while the index is unavailable, or before the first check. */
  state(): { waiting: number | null; lagSeconds: number } {
    const since = this.#waitsSince;
    return {
      waiting: this.#waiting,
      lagSeconds: since === undefined ? 0 : Math.max(0, performance.now() - since) / 1_000,
    };
  }

  async #look(): Promise<void> {
    const { kind } = this.#source;
    this.#measure(kind, (await this.#search.unembedded(kind, DRAWN_FROM)).length);
  }

  /** Handles an unavailable index. Whether texts wait is unknown, but no new vector can be found. */
  #lost(): void {
    this.#waitsSince ??= performance.now();
    this.#waiting = null;
    waitingNow(this.#source.kind).forget();
  }

  #measure(kind: string, waiting: number): void {
    this.#waitsSince = waiting > 0 ? (this.#waitsSince ?? performance.now()) : undefined;
    this.#waiting = waiting;
    waitingNow(kind).set(waiting);
    lag(kind).set(this.#waitsSince === undefined ? 0 : (performance.now() - this.#waitsSince) / 1_000);
  }

  async #embed(embedder: Embedder, entries: UnembeddedEntry[], signal: AbortSignal): Promise<void> {
    let vectors: ArrayLike<number>[];
    try {
      vectors = await this.#vectorsOf(embedder, entries, signal);
    } catch (error) {
      if (signal.aborted || !(await this.#works(embedder, signal))) throw error;
      for (const entry of entries) await this.#embedAlone(embedder, entry, signal);
      return;
    }
    await this.#keep(embedder, entries, vectors);
  }

  async #embedAlone(embedder: Embedder, entry: UnembeddedEntry, signal: AbortSignal): Promise<void> {
    const key = keyOf(entry) + entry.revision;
    let vectors: ArrayLike<number>[];
    try {
      vectors = await this.#vectorsOf(embedder, [entry], signal);
    } catch (error) {
      if (signal.aborted) throw error;
      const tries = (this.#tries.get(key) ?? 0) + 1;
      if (this.#tries.size > DRAWN_FROM) this.#tries.clear();
      this.#tries.set(key, tries);
      if (tries < MAX_TRIES) return;
      await this.#search.giveUp(this.#source.kind, [entry]);
      this.#tries.delete(key);
      await this.#source.failed?.call(this.#self, [entry]);
      return;
    }
    this.#tries.delete(key);
    await this.#keep(embedder, [entry], vectors);
  }

  async #works(embedder: Embedder, signal: AbortSignal): Promise<boolean> {
    try {
      await this.#vectorsOf(embedder, [{ text: HARMLESS }], signal);
      return true;
    } catch {
      return false;
    }
  }

  async #vectorsOf(
    { id, dimension }: Embedder,
    entries: readonly { text: string }[],
    signal: AbortSignal,
  ): Promise<ArrayLike<number>[]> {
    const limit = AbortSignal.any([signal, AbortSignal.timeout(EMBED_MS)]);
    const texts = entries.map(({ text }) => text);
    const vectors = await orAborted(this.#source.embed.call(this.#self, texts, limit), limit);
    if (vectors.length !== texts.length)
      throw new Error(`${id} gave ${vectors.length} vectors for ${texts.length} texts`);
    if (vectors.some(vector => vector.length !== dimension || unit(vector) === null))
      throw new Error(`${id} gave what is not a vector of ${dimension} dimensions`);
    return vectors;
  }

  async #keep({ id: embedder }: Embedder, entries: UnembeddedEntry[], vectors: ArrayLike<number>[]): Promise<void> {
    const updates = entries.map((entry, place) => ({ ...entry, values: vectors[place] as ArrayLike<number> }));
    for (const [workspaceId, own] of byWorkspace(updates)) {
      const index = this.#search.tenant(this.#source.kind, workspaceId);
      await index.setVectors(own.map(({ id, revision, values }) => ({ id, revision, vector: { embedder, values } })));
    }
    await this.#source.embedded?.call(this.#self, entries);
  }
}

function orAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const abort = () => reject(signal.reason as Error);
  signal.addEventListener("abort", abort, { once: true });
  if (signal.aborted) abort();
  return Promise.race([work, promise]).finally(() => signal.removeEventListener("abort", abort));
}

/** Draws some entries of each workspace in turn, from a random start. */
function draw<T extends DocumentRef>(items: readonly T[], count: number): T[] {
  const lots = [...byWorkspace(items).values()].map(lot => {
    const start = Math.floor(Math.random() * lot.length);
    return [...lot.slice(start), ...lot.slice(0, start)];
  });
  const rounds = Math.min(count, Math.max(...lots.map(lot => lot.length)));
  const inTurn = Array.from({ length: rounds }, (_, round) => lots.flatMap(lot => lot.slice(round, round + 1)));
  return inTurn.flat().slice(0, count);
}
