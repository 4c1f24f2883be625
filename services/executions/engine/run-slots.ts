import { isUniqueConflict } from "../../../adapters/store/errors.ts";
import type { Store } from "../../../adapters/store/port.ts";
import { MAX_AT_ONCE, type Quotas, UNLIMITED } from "../../../contracts/entities/quota.ts";
import { AppError } from "../../../contracts/errors.ts";
import { isFinal } from "../../../core/run/state.ts";
import { Executions, Slots, type SlotDoc } from "../store/model.ts";

/** The group of the slots, apart from those of workflows. */
const GROUP = "at-once";
/** A slot is taken before its run is stored. A run that is not there after this was never stored. */
const BIRTH_MS = 60_000;
const RETRY_SECONDS = 5;

/** The largest number of unfinished runs that a quota allows; null without such a quota. */
export const atOnceOf = ({ executions_at_once: allowed }: Quotas): number | null =>
  allowed < UNLIMITED ? Math.min(allowed, MAX_AT_ONCE) : null;

const slotsOf = (store: Store, workspaceId: string) => store.tenant(Slots, workspaceId);

/** The slots of runs that have ended, or were never stored. */
async function stale(store: Store, workspaceId: string, slots: SlotDoc[]): Promise<SlotDoc[]> {
  const ids = slots.map(slot => slot.executionId);
  const { items } = await store.tenant(Executions, workspaceId).find({ id: { $in: ids } }, { limit: MAX_AT_ONCE });
  const status = new Map(items.map(doc => [doc.id, doc.status]));
  const born = Date.now() - BIRTH_MS;
  return slots.filter(({ executionId, takenAt }) => {
    const now = status.get(executionId);
    return now === undefined ? takenAt.getTime() < born : isFinal(now);
  });
}

/**
 * Takes one of `allowed` slots for a run of a workspace. Slots are documents with unique ids, so processes cannot exceed
 * the quota together.
 * @returns how many are taken now
 * @throws {AppError} quota_exceeded when all are taken
 */
export async function takeSlot(
  store: Store,
  workspaceId: string,
  executionId: string,
  allowed: number,
): Promise<number> {
  const all = slotsOf(store, workspaceId);
  const { items } = await all.find({ group: GROUP }, { limit: MAX_AT_ONCE });
  const taken = new Set(items.map(slot => slot.id));
  for (const slot of taken.size >= allowed ? await stale(store, workspaceId, items) : []) {
    await all.remove({ id: slot.id, executionId: slot.executionId });
    taken.delete(slot.id);
  }
  for (let place = 0; place < allowed && taken.size < allowed; place++) {
    const id = `${workspaceId}:${GROUP}:${place}`;
    if (taken.has(id)) continue;
    try {
      await all.insert({ id, workspaceId, group: GROUP, executionId, takenAt: new Date() });
      return taken.size + 1;
    } catch (error) {
      if (!isUniqueConflict(error)) throw error;
      taken.add(id);
    }
  }
  throw new AppError("quota_exceeded", {
    detail: `The quota is ${allowed} unfinished runs in a workspace. A run that ends makes room for another.`,
    retryAfterSeconds: RETRY_SECONDS,
  });
}

export const releaseSlot = (store: Store, workspaceId: string, executionId: string): Promise<number> =>
  slotsOf(store, workspaceId).remove({ group: GROUP, executionId });

/** How many runs hold a slot. Runs hold some only where there is a quota. */
export const countSlots = (store: Store, workspaceId: string): Promise<number> =>
  slotsOf(store, workspaceId).count({ group: GROUP }, { limit: MAX_AT_ONCE });
