import type { Service, ServiceSchema } from "moleculer";
import { startSweeper, type Sweeper } from "./sweeper.ts";

const EVERY_MS = 15_000;

export interface WithSweep {
  sweeper: Sweeper;
}

/**
 * Runs `sweep` at the start of the service and about every 15 s. `this.sweeper.soon()` requests a run at once. List it
 * before the mixins that it uses, because Moleculer starts the last mixin first and stops it last.
 */
export function sweepMixin<Self>(sweep: (this: Self, now: Date) => Promise<void>): Partial<ServiceSchema> {
  return {
    started(this: Service & Partial<WithSweep>) {
      const failed = (error: unknown) => this.logger.warn("The sweep failed; the next one tries again.", error);
      this.sweeper = startSweeper(() => sweep.call(this as Self, new Date()), EVERY_MS, failed);
      return Promise.resolve();
    },
    async stopped(this: Service & Partial<WithSweep>) {
      await this.sweeper?.stop();
    },
  };
}
