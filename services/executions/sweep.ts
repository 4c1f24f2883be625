import { config } from "../../config.ts";
import { DAY_MS } from "../../core/stats/days.ts";
import type { WithSweep } from "../../mixins/sweep.mixin.ts";
import { inTurns } from "./in-turns.ts";
import { removeExpired } from "./remove-expired.ts";
import type { ExecutionsService } from "./service.ts";

/** How long removing goes on at a time, so that a stop need not wait. */
const TURN_MS = 500;

/** Counts what has finished, and removes what finished longer ago than executions are kept. */
export async function sweepExecutions(this: ExecutionsService & WithSweep, now: Date): Promise<void> {
  const uncounted = await this.counting.run();
  const { EXECUTIONS_RETENTION_DAYS: days } = config();
  const before = new Date(now.getTime() - days * DAY_MS);
  const expired = days > 0 && (await inTurns(TURN_MS, () => removeExpired(this.store, before)));
  if (uncounted || expired) this.sweeper.soon();
}
