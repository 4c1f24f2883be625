import type { Service, ServiceSchema } from "moleculer";
import { hashKeyMixin } from "../../mixins/hash-key.mixin.ts";
import { removeAll } from "../../mixins/remove-all.ts";
import { sealerFor } from "../../mixins/sealer.ts";
import { storeMixin, type WithStore } from "../../mixins/store.mixin.ts";
import { sweepMixin } from "../../mixins/sweep.mixin.ts";
import { ANSWERS, idempotencyKeys } from "./model.ts";
import { answered, reserve } from "./reserve.ts";
import type { IdempotencyService } from "./service.ts";
import { purge, renew, settle } from "./settle.ts";

const sweepExpired = sweepMixin<WithStore>(function (now) {
  return removeAll(this.store.global(idempotencyKeys), { expiresAt: { $lte: now } });
});

/** Keeps the answers of calls with an Idempotency-Key. The calls themselves are made by middlewares/idempotency.ts. */
const idempotency: ServiceSchema = {
  name: "idempotency",
  mixins: [sweepExpired, hashKeyMixin, storeMixin([idempotencyKeys])],
  actions: { reserve, answered, renew, settle, purge },
  created(this: Service & Partial<IdempotencyService>) {
    this.sealer = sealerFor(ANSWERS);
  },
};

export default idempotency;
