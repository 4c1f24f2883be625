import type { Service, ServiceSchema } from "moleculer";
import { acquireStore, type StoreSettings } from "../adapters/store/open-store.ts";
import type { CollectionSpec, Store } from "../adapters/store/port.ts";
import { untilReachable } from "./until-reachable.ts";
import { config } from "../config.ts";

/** The store that the environment configures. All services of a process share it, so it has its own logger. */
export function storeSettings({ broker }: Service): StoreSettings {
  const logger = broker.getLogger("STORE");
  const { DATA_DIR: dataDir, MONGODB_URI: mongodbUri, MONGODB_SLOW_MS: slowMs, STORE_SYNC: sync } = config();
  return { dataDir, mongodbUri, sync, slowMs, warn: message => logger.warn(message) };
}

export interface WithStore {
  store: Store;
}

interface Held extends Partial<WithStore> {
  releaseStore?: () => Promise<void>;
}

/** Gives a service the process's one store as `this.store`, with these collections registered. */
export function storeMixin(collections: readonly CollectionSpec[]): Partial<ServiceSchema> {
  return {
    async started(this: Service & Held) {
      const acquired = await untilReachable(this, () => acquireStore({ ...storeSettings(this), collections }));
      this.store = acquired.store;
      this.releaseStore = () => acquired.release();
    },
    async stopped(this: Service & Held) {
      await this.releaseStore?.();
    },
  };
}
