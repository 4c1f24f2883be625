import type { ServiceSchema } from "moleculer";
import { config } from "../../config.ts";
import { firstIdAt } from "../../core/id-time.ts";
import { removeAll } from "../../service-kit/remove-all.ts";
import { storeMixin, type WithStore } from "../../service-kit/store.mixin.ts";
import { sweepMixin } from "../../service-kit/sweep.mixin.ts";
import { conclude, list, purge, record } from "./entries.ts";
import { auditEntries } from "./model.ts";

const DAY_MS = 24 * 3_600_000;

const sweepOld = sweepMixin<WithStore>(function (now) {
  const oldest = new Date(now.getTime() - config().AUDIT_RETENTION_DAYS * DAY_MS);
  return removeAll(this.store.acrossTenants(auditEntries), { id: { $lt: firstIdAt(oldest) } });
});

/** The audit log. middlewares/audit.ts decides what is recorded, and when. */
const audit: ServiceSchema = {
  name: "audit",
  mixins: [sweepOld, storeMixin([auditEntries])],
  actions: { list, record, conclude, purge },
};

export default audit;
