import { startSweeper, type Sweeper } from "../../../service-kit/sweeper.ts";
import { Executions } from "../store/model.ts";
import type { EngineParts } from "./parts.ts";

const POLL_MS = 250;
const BATCH = 500;

/** Queues the executions that are due: after long delays, late retries and approvals that expire. */
export function startWakes(parts: EngineParts, onWoken: () => void): Sweeper {
  const failed = (error: unknown) => parts.warn("Due executions could not be woken; it is tried again.", error);
  return startSweeper(() => wakeDue(parts, onWoken), POLL_MS, failed);
}

async function wakeDue(parts: EngineParts, onWoken: () => void): Promise<void> {
  const { store, queue } = parts;
  const all = store.acrossTenants(Executions);
  for (;;) {
    const now = new Date();
    const due = await all.find({ wakeAt: { $lte: now } }, { sort: { wakeAt: 1 }, limit: BATCH });
    if (due.items.length === 0 || parts.isStopping()) return;
    // Fair tags keep thousands of executions that are due at once from delaying other workspaces.
    await queue.queue(due.items, ordered =>
      store.write(
        ordered.map(({ doc, order }) =>
          all.ops.updateOne(
            { id: doc.id, wakeAt: { $lte: now } },
            { $set: { queued: true, order }, $unset: { wakeAt: 1 } },
          ),
        ),
      ),
    );
    onWoken();
  }
}
