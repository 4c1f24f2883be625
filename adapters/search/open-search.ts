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
  /** Qdrant where given; a password in it is the API key. */
  qdrantUrl?: string | undefined;
  /** Hears of writes to an index outside of the store's file that did not get there; reconciling makes them good. */
  onLost?: (error: unknown) => void;
  /** For the codes of the vectors searched last: about 30 MB hold 100,000 of 1,024 dimensions. */
  cacheBytes?: number;
}

const CACHE_BYTES = 256 * 1024 * 1024;

/**
 * With Qdrant: there, and the words in the store too, for while it is away. Else embedded: in the store's own file, or beside
 * MongoDB in a file of this node's own. Close it before the store. SearchUnavailableError.
 */
export async function openSearch(settings: SearchSettings): Promise<Search> {
  const { store, qdrantUrl, onLost = () => undefined, cacheBytes = CACHE_BYTES } = settings;
  const inStore = store.embedded && (await storesFile(store, store.embedded));
  if (qdrantUrl !== undefined) {
    const words = inStore ? new EmbeddedIndex(inStore, cacheBytes) : await WordMirror.open(store, onLost);
    // Its client takes memory that a node without a Qdrant need not spend.
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
 * The index that all of this process share, over the store that they share: one thread, one cache. Each holder's `onLost` hears
 * of what is lost. The last `release` closes it. SearchUnavailableError, StoreUnavailableError.
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
