import { Executions } from "../store/model.ts";
import type { EngineParts } from "./parts.ts";

const POLL_MS = 250;
const BATCH = 500;

/** Queues the executions that are due: after long delays, late retries and approvals that expire. */
export class Wakes {
  private readonly parts: EngineParts;
  private readonly onWoken: () => void;
  private timer: NodeJS.Timeout | undefined;
  private polling: Promise<void> | undefined;

  constructor(parts: EngineParts, onWoken: () => void) {
    this.parts = parts;
    this.onWoken = onWoken;
  }

  start(): void {
    this.timer = setInterval(() => {
      this.polling ??= this.poll()
        .catch((error: unknown) => this.parts.warn("Due executions were not woken; it is tried again.", error))
        .finally(() => (this.polling = undefined));
    }, POLL_MS);
  }

  async stop(): Promise<void> {
    clearInterval(this.timer);
    await this.polling;
  }

  private async poll(): Promise<void> {
    const { store, queue } = this.parts;
    const all = store.acrossTenants(Executions);
    for (;;) {
      const now = new Date();
      const due = await all.find({ wakeAt: { $lte: now } }, { sort: { wakeAt: 1 }, limit: BATCH });
      if (due.items.length === 0 || this.parts.isStopping()) return;
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
      this.onWoken();
    }
  }
}
