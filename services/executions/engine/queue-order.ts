import type { Store } from "../../../adapters/store/port.ts";
import { FairTags } from "../../../core/run/fair-tag.ts";
import { Executions } from "../model.ts";

/** The tag of the execution at the head of the queue; null when nothing waits. */
export async function headOrder(store: Store): Promise<number | null> {
  const { items } = await store.acrossTenants(Executions).find({ queued: true }, { sort: { order: 1 }, limit: 1 });
  return items[0]?.order ?? null;
}

/** Gives new runs the tags by which they are claimed. */
export class QueueOrder {
  private readonly store: Store;
  private readonly tags = new FairTags();

  constructor(store: Store) {
    this.store = store;
  }

  /** Has a run of this workspace inserted with the tag of its turn: who starts many at once gets no more turns for it. */
  async insert(workspaceId: string, insert: (order: number) => Promise<unknown>): Promise<void> {
    const head = await headOrder(this.store);
    const mine = this.store.tenant(Executions, workspaceId);
    const { items } = await mine.find({ queued: true }, { sort: { order: -1 }, limit: 1 });
    const order = this.tags.give(workspaceId, { head, last: items[0]?.order ?? null });
    try {
      await insert(order);
    } finally {
      this.tags.settled(workspaceId);
    }
  }
}
