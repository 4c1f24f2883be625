import { isUniqueConflict } from "../../../adapters/store/errors.ts";
import type { Store } from "../../../adapters/store/port.ts";
import { isFinal } from "../../../core/run/state.ts";
import { Executions, Slots, type SlotDoc } from "./model.ts";

/** The largest number of slots of one group. */
export const MAX_SLOTS = 1_000;

interface SlotGroup {
  workspaceId: string;
  group: string;
  /** The beginning of the ids of the slots. */
  prefix: string;
  /** At most `MAX_SLOTS`. */
  limit: number;
  /** How long a slot may be held for a run that is not stored. */
  graceMs: number;
}

/** The slots whose runs ended without a release, or were never stored. */
async function stale(store: Store, { workspaceId, graceMs }: SlotGroup, slots: SlotDoc[]): Promise<SlotDoc[]> {
  const ids = slots.map(slot => slot.executionId);
  const { items } = await store.tenant(Executions, workspaceId).find({ id: { $in: ids } }, { limit: MAX_SLOTS });
  const statuses = new Map(items.map(doc => [doc.id, doc.status]));
  const lastGrace = Date.now() - graceMs;
  return slots.filter(({ executionId, takenAt }) => {
    const status = statuses.get(executionId);
    return status === undefined ? takenAt.getTime() <= lastGrace : isFinal(status);
  });
}

/**
 * Takes a free slot of a group for a run. If all slots are taken, those of ended runs are freed first. Slots are
 * documents with unique ids, so processes cannot exceed the limit together.
 * @returns the number of slots that are taken now; null if none was free
 */
export async function takeFreeSlot(store: Store, slots: SlotGroup, executionId: string): Promise<number | null> {
  const { workspaceId, group, prefix, limit } = slots;
  const all = store.tenant(Slots, workspaceId);
  const { items } = await all.find({ group }, { limit: MAX_SLOTS });
  const taken = new Set(items.map(slot => slot.id));
  for (const slot of taken.size >= limit ? await stale(store, slots, items) : []) {
    await all.remove({ id: slot.id, executionId: slot.executionId });
    taken.delete(slot.id);
  }
  for (let n = 0; n < limit && taken.size < limit; n++) {
    const id = `${prefix}:${n}`;
    if (taken.has(id)) continue;
    try {
      await all.insert({ id, workspaceId, group, executionId, takenAt: new Date() });
      return taken.size + 1;
    } catch (error) {
      if (!isUniqueConflict(error)) throw error;
      taken.add(id);
    }
  }
  return null;
}
