import type { Sealer } from "../../adapters/secrets/sealer.ts";
import type { WithHashKey } from "../../mixins/hash-key.mixin.ts";
import { keyedHash } from "../../mixins/keyed-hash.ts";
import type { WithStore } from "../../mixins/store.mixin.ts";

/** What the actions of this service find on it. */
export interface IdempotencyService extends WithStore, WithHashKey {
  sealer: Sealer;
}

/** So that neither keys nor bodies can be tried out on what is stored. */
export const hashOf = ({ hashKey }: WithHashKey, digest: string): string =>
  keyedHash(hashKey, "idempotency keys", digest).toString("base64url");
