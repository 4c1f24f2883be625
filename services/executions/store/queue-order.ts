import type { Store } from "../../../adapters/store/port.ts";
import { FairTags, type QueueSnapshot } from "../../../core/run/fair-tag.ts";
import { Executions } from "./model.ts";

/** The tag of the execution at the head of the queue; null when nothing waits. */
export async function headOrder(store: Store): Promise<number | null> {
  const { items } = await store.acrossTenants(Executions).find({ queued: true }, { sort: { order: 1 }, limit: 1 });
  return items[0]?.order ?? null;
}

/** Assigns fair tags to queued runs. Workers claim by these tags. */
export class QueueOrder {
  private readonly store: Store;
  private readonly tags = new FairTags();

  constructor(store: Store) {
    this.store = store;
  }

  /**
   * Inserts a run with the fair tag of its workspace's next turn. A workspace that starts many runs at once gets no
   * extra turns.
   */
  async insert(workspaceId: string, insert: (order: number) => Promise<unknown>): Promise<void> {
    const order = this.tags.give(workspaceId, await this.glimpse(workspaceId));
    try {
      await insert(order);
    } finally {
      this.tags.settled(workspaceId);
    }
  }

  /** Puts these runs back into the queue in the given order, each with the fair tag of its workspace's turn. */
  async queue<T extends { workspaceId: string }>(
    docs: readonly T[],
    write: (ordered: { doc: T; order: number }[]) => Promise<unknown>,
  ): Promise<void> {
    const glimpses = new Map<string, QueueSnapshot>();
    for (const { workspaceId } of docs) {
      if (!glimpses.has(workspaceId)) glimpses.set(workspaceId, await this.glimpse(workspaceId));
    }
    const ordered = docs.map(doc => {
      const glimpse = glimpses.get(doc.workspaceId) ?? { head: null, last: null };
      return { doc, order: this.tags.give(doc.workspaceId, glimpse) };
    });
    try {
      await write(ordered);
    } finally {
      for (const { workspaceId } of docs) this.tags.settled(workspaceId);
    }
  }

  private async glimpse(workspaceId: string): Promise<QueueSnapshot> {
    const head = await headOrder(this.store);
    const mine = this.store.tenant(Executions, workspaceId);
    const { items } = await mine.find({ queued: true }, { sort: { order: -1 }, limit: 1 });
    return { head, last: items[0]?.order ?? null };
  }
}
