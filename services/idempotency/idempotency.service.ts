import type { Service, ServiceSchema } from "moleculer";
import { hashKeyMixin } from "../../service-kit/hash-key.mixin.ts";
import { removeAll } from "../../service-kit/remove-all.ts";
import { sealerFor } from "../../service-kit/sealer.ts";
import { storeMixin, type WithStore } from "../../service-kit/store.mixin.ts";
import { sweepMixin } from "../../service-kit/sweep.mixin.ts";
import { ANSWERS, idempotencyKeys } from "./model.ts";
import { answered, reserve } from "./reserve.ts";
import type { IdempotencyService } from "./service.ts";
import { purge, renew, settle } from "./settle.ts";

const sweepExpired = sweepMixin<WithStore>(function (now) {
  return removeAll(this.store.global(idempotencyKeys), { expiresAt: { $lte: now } });
});

/** Stores the responses of calls with an Idempotency-Key. middlewares/idempotency.ts makes the calls. */
const idempotency: ServiceSchema = {
  name: "idempotency",
  mixins: [sweepExpired, hashKeyMixin, storeMixin([idempotencyKeys])],
  actions: { reserve, answered, renew, settle, purge },
  created(this: Service & Partial<IdempotencyService>) {
    this.sealer = sealerFor(ANSWERS);
  },
};

export default idempotency;
