import type { Collection, Doc, Filter } from "../adapters/store/port.ts";

/** No more documents are counted, as a count goes through all of them. */
const MAX_COUNTED = 100_000;

/** The number of documents that count for a limit, up to a hundred thousand. */
export const usedOf = <T extends Doc>(docs: Collection<T>, filter: Filter<T> = {}): Promise<number> =>
  docs.count(filter, { limit: MAX_COUNTED });

/** The number in the space that has the most: the limit applies to each space. */
export async function usedOfFullestSpace<T extends Doc & { spaceId: string }>(docs: Collection<T>): Promise<number> {
  return Math.max(0, ...Object.values(await docs.tally({}, "spaceId")));
}
