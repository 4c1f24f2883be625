import type { ServiceSchema } from "moleculer";
import { jobsMixin } from "../../service-kit/jobs.mixin.ts";
import { storeMixin } from "../../service-kit/store.mixin.ts";
import { schedules as collection } from "./model.ts";
import { create, list, listAll, preview, purge, read, remove, run, update, usage } from "./schedules.ts";
import { type SchedulesService, tick } from "./tick.ts";
import { importRecord } from "./import-record.ts";

/**
 * Runs are due at the beginning of a minute. The ticks in between catch up on schedules that a dead node or an
 * unavailable store left due.
 */
const EVERY = "*/5 * * * * *";

const schedules: ServiceSchema = {
  name: "schedules",
  mixins: [
    jobsMixin<SchedulesService>({
      "schedules.tick": { every: EVERY, run: (service, signal) => tick(service, new Date(), signal) },
    }),
    storeMixin([collection]),
  ],
  actions: { takeOver: importRecord, create, preview, list, listAll, read, run, update, remove, purge, usage },
};

export default schedules;
