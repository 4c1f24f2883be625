import { mkdirSync } from "node:fs";
import type { Store } from "../store/port.ts";
import { EmbeddedIndex } from "./embedded/embedded-index.ts";
import { ownFile, storesFile } from "./embedded/index-files.ts";
import type { Search } from "./port.ts";

export interface SearchSettings {
  store: Store;
  dataDir: string;
  sync: "normal" | "full";
  /** Hears of writes to an index outside of the store's file that did not get there; reconciling makes them good. */
  onLost?: (error: unknown) => void;
  /** For the codes of the vectors searched last: about 27 MB hold 100,000 of 1,024 dimensions. */
  cacheBytes?: number;
}

const CACHE_BYTES = 256 * 1024 * 1024;

/** SearchUnavailableError. */
export async function openSearch(settings: SearchSettings): Promise<Search> {
  const { store, dataDir, sync, onLost = () => undefined, cacheBytes = CACHE_BYTES } = settings;
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const file = store.embedded ? await storesFile(store, store.embedded) : await ownFile({ dataDir, sync }, onLost);
  return new EmbeddedIndex(file, cacheBytes);
}
