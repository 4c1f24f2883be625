import { config } from "../../../config.ts";
import { DAY_MS } from "../../../core/stats/days.ts";
import type { WithStore } from "../../../service-kit/store.mixin.ts";
import type { WithSweep } from "../../../service-kit/sweep.mixin.ts";
import { repeatWithPauses } from "../../../service-kit/repeat-with-pauses.ts";
import { BulkJobs, BulkRuns } from "../store/bulk-model.ts";
import { Signals } from "../store/signal-model.ts";
import { removeExpired } from "./remove-expired.ts";
import type { ExecutionsService } from "./service.ts";

/** How many expired signals one sweep removes. */
const SIGNALS_AT_ONCE = 1_000;
/** How long a bulk job can be read after it was started. */
const BULK_JOB_DAYS = 30;
const JOBS_AT_ONCE = 100;
/** How long one sweep removes executions, so that a stop does not have to wait. */
const TURN_MS = 500;

/** Removes executions that finished more than `days` days ago; 0 keeps all. Returns whether there may be more. */
export async function removeOld({ store }: WithStore, now: Date, days: number): Promise<boolean> {
  if (days === 0) return false;
  const before = new Date(now.getTime() - days * DAY_MS);
  let cursor: string | null = null;
  return repeatWithPauses(TURN_MS, async () => {
    const turn = await removeExpired(store, before, cursor);
    cursor = turn.cursor;
    return turn.more;
  });
}

/**
 * Counts finished executions, and fills in durations that earlier versions did not write. Removes expired signals,
 * executions beyond their retention, and journals without an execution.
 */
export async function sweepExecutions(this: ExecutionsService & WithSweep, now: Date): Promise<void> {
  const uncounted = await this.counting.run();
  const unmeasured = await this.durations.run();
  const old = await removeOld(this, now, config().EXECUTIONS_RETENTION_DAYS);
  const forgotten = await this.store
    .acrossTenants(Signals)
    .remove({ expiresAt: { $lt: now } }, { limit: SIGNALS_AT_ONCE });
  const started = { createdAt: { $lt: new Date(now.getTime() - BULK_JOB_DAYS * DAY_MS) } };
  for (const jobs of [BulkJobs, BulkRuns])
    await this.store.acrossTenants(jobs as typeof BulkRuns).remove(started, { limit: JOBS_AT_ONCE });
  const orphans = await this.orphanJournals.run(now);
  if (orphans > 0) this.logger.info(`Removed ${orphans} journals of executions whose start was cut off.`);
  if (uncounted || unmeasured || old || forgotten === SIGNALS_AT_ONCE) this.sweeper.soon();
}
