import type { Store } from "../../../adapters/store/port.ts";
import { Executions } from "../model.ts";

/** The tag of the execution at the head of the queue; null when nothing waits. */
export async function headOrder(store: Store): Promise<number | null> {
  const { items } = await store.acrossTenants(Executions).find({ queued: true }, { sort: { order: 1 }, limit: 1 });
  return items[0]?.order ?? null;
}

/**
 * Start-time fair queueing (Goyal, Vin, Cheng 1996) with equal weights and a cost of one a run: the tag is the greater of
 * the virtual time, which is the tag at the head of the queue, and the workspace's last tag plus one. So a workspace that
 * queues thousands of runs only ever stands in its own way.
 */
export class QueueOrder {
  private readonly store: Store;
  /** By workspace: the last tag given, and how many are given that may not be in the store yet. */
  private readonly given = new Map<string, { last: number; underWay: number }>();

  constructor(store: Store) {
    this.store = store;
  }

  /** Has a run of this workspace inserted with the tag of its turn: who starts many at once gets no more turns for it. */
  async insert(workspaceId: string, insert: (order: number) => Promise<unknown>): Promise<void> {
    const next = await this.next(workspaceId);
    const given = this.given.get(workspaceId) ?? { last: next - 1, underWay: 0 };
    this.given.set(workspaceId, given);
    // Those under way may or may not have been seen in the store; it cannot be more of them than there are.
    given.last = Math.max(next, Math.min(given.last + 1, next + given.underWay));
    given.underWay++;
    try {
      await insert(given.last);
    } finally {
      if (--given.underWay === 0) this.given.delete(workspaceId);
    }
  }

  private async next(workspaceId: string): Promise<number> {
    const head = (await headOrder(this.store)) ?? 0;
    const mine = this.store.tenant(Executions, workspaceId);
    const { items } = await mine.find({ queued: true }, { sort: { order: -1 }, limit: 1 });
    const last = items[0]?.order;
    return last === undefined ? head : Math.max(head, last + 1);
  }
}
