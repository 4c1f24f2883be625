import type { Service, ServiceSchema } from "moleculer";
import { Sealer } from "../../adapters/secrets/sealer.ts";
import { config } from "../../config.ts";
import { keyedHash } from "../../mixins/keyed-hash.ts";
import { removeAll } from "../../mixins/remove-all.ts";
import { storeMixin, type WithStore } from "../../mixins/store.mixin.ts";
import { sweepMixin } from "../../mixins/sweep.mixin.ts";
import { idempotencyKeys } from "./model.ts";
import { reserve } from "./reserve.ts";
import type { IdempotencyService } from "./service.ts";
import { purge, renew, settle } from "./settle.ts";

const sweepExpired = sweepMixin<WithStore>(function (now) {
  return removeAll(this.store.global(idempotencyKeys), { expiresAt: { $lte: now } });
});

/** Remembers what calls with an Idempotency-Key gave. It carries nothing out: middlewares/idempotency.ts does. */
const idempotency: ServiceSchema = {
  name: "idempotency",
  mixins: [sweepExpired, storeMixin([idempotencyKeys])],
  actions: { reserve, renew, settle, purge },
  created(this: Service & Partial<IdempotencyService>) {
    const { SECRETS_KEY } = config();
    this.sealer = new Sealer(SECRETS_KEY, "idempotency answers");
    this.hash = digest => keyedHash(SECRETS_KEY, "idempotency keys", digest).toString("base64url");
  },
};

export default idempotency;
