import type { Store } from "../../../adapters/store/port.ts";
import type { Warn } from "../../../service-kit/throttled-warn.ts";
import { startSweeper, type Sweeper } from "../../../service-kit/sweeper.ts";
import { gauge } from "../../../telemetry/instruments.ts";
import { countQueue } from "../store/count-queue.ts";
import type { ExecutionDoc } from "../store/model.ts";
import { firstFree, isFresh, latestWake, secondsSince } from "../store/queue-ages.ts";

const EVERY_MS = 10_000;

const depth = gauge("weft_queue_depth");
const oldest = gauge("weft_queue_oldest_seconds");
const workers = gauge("weft_workers");
const capacity = gauge("weft_worker_capacity");
const STATES = ["queued", "held", "sleeping", "suspended"] as const;

interface Limits {
  /** The most executions that this worker holds, and the most of one workspace that all workers together hold. */
  concurrency: number;
  perWorkspace: number;
}

/**
 * Clears the metrics. A worker that cannot read the store must not repeat old values, because the highest value that
 * any worker reports counts.
 */
function forget(): void {
  for (const state of STATES) depth(state).forget();
  oldest("queued").forget();
  oldest("sleeping").forget();
  workers().forget();
}

/** The queue as this worker sees it. */
class Outlook {
  readonly #store: Store;
  readonly #perWorkspace: number;
  /** When requeued executions were first seen in the queue. Their documents do not contain that time. */
  #seen = new Map<string, Date>();

  constructor(store: Store, perWorkspace: number) {
    this.#store = store;
    this.#perWorkspace = perWorkspace;
  }

  async look(): Promise<void> {
    const now = new Date();
    const { count, holding } = await countQueue(this.#store, now);
    const [first, late] = await Promise.all([
      firstFree(this.#store, holding, this.#perWorkspace),
      latestWake(this.#store, now),
    ]);
    for (const state of STATES) depth(state).set(count[state]);
    workers().set(count.workers);
    oldest("queued").set(Math.max(0, ...this.#since(first, now).map(since => secondsSince(since, now))));
    oldest("sleeping").set(secondsSince(late, now));
  }

  #since(docs: readonly ExecutionDoc[], now: Date): Date[] {
    const seen = new Map<string, Date>();
    const since = docs.map(doc => {
      const { id, order, createdAt } = doc;
      if (isFresh(doc)) return createdAt;
      const key = `${id}:${order}`;
      const first = this.#seen.get(key) ?? now;
      seen.set(key, first);
      return first;
    });
    this.#seen = seen;
    return since;
  }
}

/**
 * Measures the queue periodically with a few bounded queries over partial indexes. Reading the metrics runs no query.
 */
export function watchQueue(store: Store, { concurrency, perWorkspace }: Limits, warn: Warn): Sweeper {
  capacity().set(concurrency);
  // Before the first measurement the values are unknown, which is not the same as zero.
  forget();
  const outlook = new Outlook(store, perWorkspace);
  const failed = (error: unknown) => {
    forget();
    warn("The queue could not be measured; Weft tries again.", error);
  };
  return startSweeper(() => outlook.look(), EVERY_MS, failed);
}
