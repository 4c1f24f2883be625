import type { Service, ServiceSchema } from "moleculer";
import { acquireSearch } from "../adapters/search/open-search.ts";
import type { Search } from "../adapters/search/port.ts";
import { config } from "../config.ts";
import { handle } from "../contracts/call.ts";
import { type Backoff, backoffMs } from "../core/backoff.ts";
import { EmbeddingQueue } from "./embedding-queue.ts";
import { reconcileIndex } from "./reconcile-index.ts";
import type { IndexedDocuments } from "./indexed-documents.ts";
import { throttledWarn } from "./throttled-warn.ts";
import { storeSettings } from "./store.mixin.ts";
import { startSweeper, type Sweeper } from "./sweeper.ts";
import { untilReachable } from "./until-reachable.ts";

export interface WithSearch {
  search: Search;
  embeddingQueue: { state(): { waiting: number | null; lagSeconds: number } };
  /** Call `soon()` after a write whose entries wait for vectors. */
  embeddings: Sweeper;
  /** Call `soon()` when a search finds an entry without a document in the store. */
  reconciling: Sweeper;
}

interface Held extends Partial<WithSearch> {
  releaseSearch?: () => Promise<void>;
  stopEmbedding?: AbortController;
}

type Embeddings = "memory.embeddings" | "knowledge.embeddings" | "mcp.embeddings";

/** Reports the texts that wait for vectors, as the action with this name. */
export const embeddingsOf = (name: Embeddings) =>
  handle<Embeddings, WithSearch>(name, function () {
    return Promise.resolve(this.embeddingQueue.state());
  });

const EMBED_EVERY_MS = 15_000;
const RECONCILE_EVERY_MS = 15 * 60_000;
/** A failed comparison is retried soon, because searches use only keywords until one succeeds. */
const AGAIN: Backoff = { firstMs: 1_000, mostMs: EMBED_EVERY_MS, spread: [0.75, 1.25] };

/**
 * Gives a service the process's index as `this.search`, creates the vectors of its documents, and reconciles the index
 * with them: at the start, about every 15 minutes, after the index was rebuilt, and soon after a lost write. List it
 * before the store mixin, because Moleculer starts the last mixin first and stops it last.
 */
export function searchMixin<Self>(documents: IndexedDocuments<Self>): Partial<ServiceSchema> {
  return {
    async started(this: Service & Held) {
      const settings = { ...storeSettings(this), qdrantUrl: config().QDRANT_URL };
      const warn = throttledWarn(this.logger);
      const onLost = (error: unknown) => {
        warn("A write did not reach the search index; a repair follows.", error);
        this.reconciling?.soon();
      };
      const acquired = await untilReachable(this, () => acquireSearch({ ...settings, onLost }));
      const search = (this.search = acquired.search);
      this.releaseSearch = () => acquired.release();
      const stop = (this.stopEmbedding = new AbortController());
      const queue = (this.embeddingQueue = new EmbeddingQueue(search, documents, this as Self, () =>
        this.reconciling?.soon(),
      ));
      this.embeddings = startSweeper(
        () => queue.run(stop.signal),
        EMBED_EVERY_MS,
        error => warn("Texts could not be embedded; Weft tries again.", error),
      );
      let failures = 0;
      this.reconciling = startSweeper(
        async () => {
          const { put, filled } = await reconcileIndex(search, documents, this as Self, stop.signal);
          failures = 0;
          if (put > 0 || filled) this.embeddings?.soon();
        },
        RECONCILE_EVERY_MS,
        error => {
          warn("The search index could not be compared with the documents; Weft tries again.", error);
          setTimeout(() => this.reconciling?.soon(), backoffMs(AGAIN, ++failures, Math.random())).unref();
        },
      );
    },
    async stopped(this: Service & Held) {
      this.stopEmbedding?.abort();
      await Promise.all([this.embeddings?.stop(), this.reconciling?.stop()]);
      await this.releaseSearch?.();
    },
  };
}
