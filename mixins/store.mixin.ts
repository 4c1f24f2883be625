import type { Service, ServiceSchema } from "moleculer";
import { acquireStore } from "../adapters/store/open-store.ts";
import type { CollectionSpec, Store } from "../adapters/store/port.ts";
import { config } from "../config.ts";

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
      const { DATA_DIR: dataDir, MONGODB_URI: mongodbUri, STORE_SYNC: sync } = config();
      const acquired = await acquireStore({ dataDir, mongodbUri, sync, collections });
      this.store = acquired.store;
      this.releaseStore = () => acquired.release();
    },
    async stopped(this: Service & Held) {
      await this.releaseStore?.();
    },
  };
}
