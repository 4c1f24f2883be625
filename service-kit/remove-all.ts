import type { Collection, Doc, Filter } from "../adapters/store/port.ts";

const BATCH = 500;
/** A bound for the loop. No workspace has this many batches. */
const MAX_BATCHES = 20_000;

/** Removes every match in batches, so that other writes get their turn in between. */
export async function removeAll<T extends Doc>(docs: Collection<T>, filter: Filter<T>): Promise<void> {
  for (let batch = 0; batch < MAX_BATCHES; batch++) {
    if ((await docs.remove(filter, { limit: BATCH })) < BATCH) return;
  }
}
