import type { Service, ServiceSchema } from "moleculer";
import { acquireStore } from "../adapters/store/open-store.ts";
import type { CollectionSpec, Store } from "../adapters/store/port.ts";
import { storeSettings } from "./store-settings.ts";
import { untilReachable } from "./until-reachable.ts";

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
