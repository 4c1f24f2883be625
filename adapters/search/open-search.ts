import type { Store } from "../store/port.ts";
import { EmbeddedIndex } from "./embedded/embedded-index.ts";
import { ownFile, storesFile } from "./embedded/index-files.ts";
import { FallbackIndex } from "./fallback-index.ts";
import type { Search } from "./port.ts";
import { QdrantIndex } from "./qdrant/qdrant-index.ts";
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
    const words = inStore ? new EmbeddedIndex(inStore, cacheBytes) : await WordMirror.open(store);
    return new FallbackIndex(new QdrantIndex({ url: qdrantUrl }, onLost), words);
  }
  return new EmbeddedIndex(inStore ?? (await ownFile(settings, onLost)), cacheBytes);
}
