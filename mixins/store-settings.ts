import type { Service } from "moleculer";
import type { StoreSettings } from "../adapters/store/open-store.ts";
import { config } from "../config.ts";

/** The store that the environment names; what it has to tell goes into this service's log. */
export function storeSettings({ logger }: Service): StoreSettings {
  const { DATA_DIR: dataDir, MONGODB_URI: mongodbUri, MONGODB_SLOW_MS: slowMs, STORE_SYNC: sync } = config();
  return { dataDir, mongodbUri, sync, slowMs, warn: message => logger.warn(message) };
}
