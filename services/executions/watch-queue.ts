import type { Store } from "../../adapters/store/port.ts";
import type { Warn } from "../../mixins/seldom.ts";
import { startSweeper, type Sweeper } from "../../mixins/sweeper.ts";
import { gauge } from "../../telemetry/instruments.ts";
import { Executions, Workers } from "./model.ts";

const EVERY_MS = 10_000;
/** Beyond this a queue is simply long, and counting it would cost more than the answer is worth. */
const MAX_COUNTED = 10_000;
/** The oldest is looked for among the first in the queue: within each workspace that is the order of time. */
const LOOKED_AT = 100;

const depth = gauge("weft_queue_depth");
const oldest = gauge("weft_queue_oldest_seconds");
const workers = gauge("weft_workers");
const capacity = gauge("weft_worker_capacity");

async function look(store: Store): Promise<void> {
  const all = store.acrossTenants(Executions);
  const now = new Date();
  const counted = { limit: MAX_COUNTED };
  const [queued, holding, sleeping, first, late, alive] = await Promise.all([
    all.count({ queued: true }, counted),
    all.count({ workerId: { $exists: true } }, counted),
    all.count({ wakeAt: { $exists: true } }, counted),
    all.find({ queued: true }, { sort: { order: 1 }, limit: LOOKED_AT }),
    all.find({ wakeAt: { $exists: true, $lte: now } }, { sort: { wakeAt: 1 }, limit: 1 }),
    store.global(Workers).count({ expiresAt: { $gt: now } }, counted),
  ]);
  depth("queued").set(queued);
  depth("held").set(holding);
  depth("sleeping").set(sleeping);
  workers().set(alive);
  const secondsSince = (then: Date | undefined) => (then ? Math.max(0, now.getTime() - then.getTime()) / 1_000 : 0);
  // One that was begun is queued again for what it waited for; since when, nothing says.
  const fresh = first.items.filter(doc => !doc.startedAt).map(doc => secondsSince(doc.createdAt));
  oldest("queued").set(Math.max(0, ...fresh));
  oldest("sleeping").set(secondsSince(late.items[0]?.wakeAt));
}

/** Looks at the queue now and then, by a few bounded queries over partial indexes; never when a page is asked for. */
export function watchQueue(store: Store, concurrency: number, warn: Warn): Sweeper {
  capacity().set(concurrency);
  const failed = (error: unknown) => warn("The queue could not be measured; it is tried again.", error);
  return startSweeper(() => look(store), EVERY_MS, failed);
}
