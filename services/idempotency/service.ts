import type { Sealer } from "../../adapters/secrets/sealer.ts";
import type { WithStore } from "../../mixins/store.mixin.ts";

/** What the actions of this service find on it. */
export interface IdempotencyService extends WithStore {
  sealer: Sealer;
  /** So that neither keys nor bodies can be tried out on what is stored. */
  hash: (digest: string) => string;
}
