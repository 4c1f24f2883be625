import type { Service } from "moleculer";
import type { StoreSettings } from "../adapters/store/open-store.ts";
import { config } from "../config.ts";

/** The store that the environment names. All services of a process share it, so it has a logger of its own. */
export function storeSettings({ broker }: Service): StoreSettings {
  const logger = broker.getLogger("STORE");
  const { DATA_DIR: dataDir, MONGODB_URI: mongodbUri, MONGODB_SLOW_MS: slowMs, STORE_SYNC: sync } = config();
  return { dataDir, mongodbUri, sync, slowMs, warn: message => logger.warn(message) };
}
