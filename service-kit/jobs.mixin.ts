import type { Service, ServiceSchema } from "moleculer";
import { openBackend } from "../adapters/jobs/backend.ts";
import { type Jobs, startJobs } from "../adapters/jobs/jobs.ts";
import { acquireStore } from "../adapters/store/open-store.ts";
import { throttledWarn } from "./throttled-warn.ts";
import { storeSettings } from "./store.mixin.ts";
import { untilReachable } from "./until-reachable.ts";

interface Held {
  jobs?: Jobs;
  releaseJobStore?: () => Promise<void>;
}

/** A job of a service. See `Job`. */
export interface ServiceJob<Self> {
  every: number | string;
  run: (service: Self, signal: AbortSignal) => Promise<void>;
}

/**
 * Runs these jobs on one node at a time, through Agenda. Every job must tolerate running twice at the same time,
 * because a node that lost its connection to the store does not know that it lost its lock. List it before the mixins
 * that the jobs use.
 */
export function jobsMixin<Self>(jobs: Record<string, ServiceJob<Self>>): Partial<ServiceSchema> {
  return {
    async started(this: Service & Held) {
      const settings = storeSettings(this);
      const { mongodbUri } = settings;
      const acquired = await untilReachable(this, () => acquireStore(settings));
      this.releaseJobStore = () => acquired.release();
      const warn = throttledWarn(this.logger);
      const backend = await untilReachable(this, () =>
        openBackend({ store: acquired.store, mongodbUri }, error =>
          warn("The lock of a job could not be released.", error),
        ),
      );
      const own = Object.entries(jobs).map(([name, { every, run }]) => {
        return { name, every, run: (signal: AbortSignal) => run(this as Self, signal) };
      });
      this.jobs = await startJobs(backend, own, (name, error) =>
        warn(`The job ${name} failed; its turn comes again.`, error),
      );
    },
    async stopped(this: Service & Held) {
      await this.jobs?.stop();
      await this.releaseJobStore?.();
    },
  };
}
