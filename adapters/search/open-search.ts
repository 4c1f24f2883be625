import { resolve } from "node:path";
import { acquireStore, type StoreSettings } from "../store/open-store.ts";
import type { Store } from "../store/port.ts";
import { EmbeddedIndex } from "./embedded/embedded-index.ts";
import { ownFile, storesFile } from "./embedded/index-files.ts";
import { FallbackIndex } from "./fallback-index.ts";
import type { Search } from "./port.ts";
import { WordMirror } from "./word-mirror.ts";

export interface SearchSettings {
  store: Store;
  dataDir: string;
  sync: "normal" | "full";
  /** Uses Qdrant at this address, if given. A password in it is the API key. */
  qdrantUrl?: string | undefined;
  /** Called for each failed write to an index outside the store's file. Reconciling repairs the loss. */
  onLost?: (error: unknown) => void;
  /** The cache for the codes of recently searched vectors. About 30 MB hold 100,000 vectors of 1,024 dimensions. */
  cacheBytes?: number;
}

const CACHE_BYTES = 256 * 1024 * 1024;

/**
 * Opens the index. With Qdrant, the index is in Qdrant, and its words are also in the store for when Qdrant is
 * unavailable. Otherwise it is embedded: in the store's own file or, with MongoDB, in a file of this node. Close the
 * index before the store.
 * @throws {SearchUnavailableError} when the index cannot be opened.
 */
export async function openSearch(settings: SearchSettings): Promise<Search> {
  const { store, qdrantUrl, onLost = () => undefined, cacheBytes = CACHE_BYTES } = settings;
  const inStore = store.embedded && (await storesFile(store, store.embedded));
  if (qdrantUrl !== undefined) {
    const words = inStore ? new EmbeddedIndex(inStore, cacheBytes) : await WordMirror.open(store, onLost);
    // Loaded on demand, because a node without Qdrant does not need the memory of the client.
    const { QdrantIndex } = await import("./qdrant/qdrant-index.ts");
    return new FallbackIndex(new QdrantIndex({ url: qdrantUrl }, onLost), words);
  }
  return new EmbeddedIndex(inStore ?? (await ownFile(settings, onLost)), cacheBytes);
}

export type SharedSearchSettings = Omit<SearchSettings, "store"> & Omit<StoreSettings, "collections">;

interface Shared {
  opened: Promise<{ search: Search; close(): Promise<void> }>;
  holders: Set<(error: unknown) => void>;
}

const shared = new Map<string, Shared>();

/**
 * Acquires this process's shared index over its shared store: one thread, one cache. A failed write is reported to the
 * `onLost` of every holder. The last `release` closes the index.
 * @throws {SearchUnavailableError} when the index cannot be opened.
 * @throws {StoreUnavailableError} when the store cannot be opened.
 */
export async function acquireSearch(
  settings: SharedSearchSettings,
): Promise<{ search: Search; release(): Promise<void> }> {
  const key = JSON.stringify([settings.mongodbUri ?? resolve(settings.dataDir), settings.qdrantUrl]);
  const held: Shared = shared.get(key) ?? {
    opened: openShared(settings, error => told(held, error)),
    holders: new Set(),
  };
  shared.set(key, held);
  const holder = (error: unknown) => settings.onLost?.(error);
  held.holders.add(holder);
  const release = async (): Promise<void> => {
    if (!held.holders.delete(holder) || held.holders.size > 0) return;
    shared.delete(key);
    await (await held.opened).close();
  };
  try {
    return { search: (await held.opened).search, release };
  } catch (error) {
    await release().catch(() => undefined);
    throw error;
  }
}

const told = ({ holders }: Shared, error: unknown): void => holders.forEach(holder => holder(error));

async function openShared(settings: SharedSearchSettings, onLost: (error: unknown) => void) {
  const acquired = await acquireStore(settings);
  try {
    const search = await openSearch({ ...settings, store: acquired.store, onLost });
    return {
      search,
      close: async () => {
        await search.close();
        await acquired.release();
      },
    };
  } catch (error) {
    await acquired.release();
    throw error;
  }
}
