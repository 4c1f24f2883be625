import type { Service, ServiceSchema } from "moleculer";
import type { Outbox } from "./outbox.ts";
import type { WithStore } from "./store.mixin.ts";
import { startSweeper, type Sweeper } from "./sweeper.ts";

const EVERY_MS = 15_000;

export interface WithOutbox {
  outbox: Sweeper;
}

/**
 * Empties these outboxes at the start of the service and about every 15 s. `this.outbox.soon()` empties them at once;
 * call it after a write that filled one. List it before the store mixin, because Moleculer starts the last mixin first
 * and stops it last.
 */
export function outboxMixin(...outboxes: readonly Outbox[]): Partial<ServiceSchema> {
  return {
    started(this: Service & Partial<WithOutbox>) {
      const self = this as Service & WithStore;
      const failed = (error: unknown) => this.logger.warn("The outbox could not be read; Weft tries again.", error);
      const run = async () => {
        for (const sweep of outboxes) await sweep.call(self, new Date());
      };
      this.outbox = startSweeper(run, EVERY_MS, failed);
      return Promise.resolve();
    },
    async stopped(this: Service & Partial<WithOutbox>) {
      await this.outbox?.stop();
    },
  };
}
