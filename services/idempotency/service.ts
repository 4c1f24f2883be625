import type { Sealer } from "../../adapters/secrets/sealer.ts";
import type { WithHashKey } from "../../service-kit/hash-key.mixin.ts";
import { keyedHash } from "../../service-kit/keyed-hash.ts";
import type { WithStore } from "../../service-kit/store.mixin.ts";

/** The members of the service that its actions use. */
export interface IdempotencyService extends WithStore, WithHashKey {
  sealer: Sealer;
}

/** A keyed hash, so that keys and bodies cannot be guessed from the stored data. */
export const hashOf = ({ hashKey }: WithHashKey, digest: string): string =>
  keyedHash(hashKey, "idempotency keys", digest).toString("base64url");
