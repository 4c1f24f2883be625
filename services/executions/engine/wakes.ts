import { startSweeper, type Sweeper } from "../../../service-kit/sweeper.ts";
import { Executions } from "../store/model.ts";
import type { EngineParts } from "./parts.ts";

/**
 * Runs with waits up to a second are held in memory. One poll per second therefore finds nearly every other wait before
 * its end.
 */
const POLL_MS = 1_000;
/** The minimum pause between two polls, however many executions become due. */
const PAUSE_MS = 250;
const BATCH = 500;

/** Queues executions that are due, after long delays, before late retries, or when a question expires. */
export function startWakes(parts: EngineParts, onWoken: () => void): Sweeper {
  const failed = (error: unknown) => parts.warn("Due executions could not be woken; Weft tries again.", error);
  return startSweeper(() => wakeDue(parts, onWoken), POLL_MS, failed);
}

/** Resolves with the ms until the next execution is due, if that is soon. */
async function wakeDue(parts: EngineParts, onWoken: () => void): Promise<number | void> {
  const { store, queue } = parts;
  const all = store.acrossTenants(Executions);
  for (;;) {
    const now = new Date();
    const soon = { wakeAt: { $lte: new Date(now.getTime() + POLL_MS) } };
    const { items } = await all.find(soon, { sort: { wakeAt: 1 }, limit: BATCH });
    const due = items.filter(({ wakeAt }) => wakeAt && wakeAt <= now);
    const [next] = items.slice(due.length);
    if (due.length > 0 && !parts.isStopping()) {
      // The fair tags keep thousands of executions that are due at the same time from delaying other workspaces.
      await queue.queue(due, ordered =>
        store.write(
          ordered.map(({ doc, order }) =>
            all.ops.updateOne(
              { id: doc.id, wakeAt: { $lte: now } },
              { $set: { queued: true, order }, $unset: { wakeAt: 1 } },
              { counted: false },
            ),
          ),
        ),
      );
      onWoken();
    }
    if (next?.wakeAt) return Math.max(PAUSE_MS, next.wakeAt.getTime() - Date.now());
    if (due.length < BATCH || parts.isStopping()) return;
  }
}
