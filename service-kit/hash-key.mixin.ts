import type { Service, ServiceSchema } from "moleculer";
import { hashKey } from "../adapters/secrets/hash-key.ts";
import { keyring } from "./sealer.ts";
import type { WithStore } from "./store.mixin.ts";

export interface WithHashKey {
  /** The key for `keyedHash`. */
  hashKey: string;
}

/** Gives a service the key of keyed hashes. List it before the store mixin: Moleculer starts the last mixin first. */
export const hashKeyMixin: Partial<ServiceSchema> = {
  async started(this: Service & Partial<WithStore & WithHashKey>) {
    this.hashKey = await hashKey(this.store!, keyring());
  },
};
