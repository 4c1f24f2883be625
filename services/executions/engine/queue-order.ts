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
export async function orderFor(store: Store, workspaceId: string): Promise<number> {
  const head = (await headOrder(store)) ?? 0;
  const mine = store.tenant(Executions, workspaceId);
  const { items } = await mine.find({ queued: true }, { sort: { order: -1 }, limit: 1 });
  const last = items[0]?.order;
  return last === undefined ? head : Math.max(head, last + 1);
}
