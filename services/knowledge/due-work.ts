import { type IndexDefinition, where } from "../../adapters/store/define-collection.ts";
import { date, number, optionalOrNull, string } from "../../adapters/store/field-types.ts";
import type { Collection, Doc } from "../../adapters/store/port.ts";

/** A document behind which there is work to do, by one node at a time. */
export interface Due extends Doc {
  workspaceId: string;
  /** From when on it may be taken; while a node has it, when that node's hold ends. Not there: nothing is to be done. */
  dueAt?: Date | null;
  /** The node's turn that has it. */
  holder?: string | null;
  /** How often it was begun: also by nodes that were killed over it. */
  tries?: number | null;
}

/** For the collection's fields and indexes. */
export const DUE_FIELDS = {
  dueAt: optionalOrNull(date()),
  holder: optionalOrNull(string()),
  tries: optionalOrNull(number()),
};
export const DUE_INDEX: IndexDefinition = [{ dueAt: 1 }, where("dueAt")];

/** The part of a change that says that the work is done. */
export const DONE = { dueAt: true, holder: true, tries: true } as const;

/** Fields of a document whose work failed for now. */
export const again = (now: Date, delayMs: number) => ({ dueAt: new Date(now.getTime() + delayMs), holder: null });

interface Wanted {
  now: Date;
  holder: string;
  holdMs: number;
  limit: number;
  /** Workspaces whose turn it is not. */
  except?: readonly string[];
}

/** Takes up to `limit` documents that are due, those first that have waited longest, and holds them for `holdMs`. */
export async function take<T extends Due>(
  docs: Collection<T>,
  { now, holder, holdMs, limit, except = [] }: Wanted,
): Promise<T[]> {
  // Of a document's fields only those of `Due` matter here; the compiler cannot see them in an open T.
  const all = docs as unknown as Collection<Due>;
  // `$exists` is what lets both sides take the partial index.
  const due = { dueAt: { $exists: true, $lte: now }, ...(except.length > 0 && { workspaceId: { $nin: except } }) };
  const { items } = await all.find(due, { sort: { dueAt: 1 }, limit });
  const until = new Date(now.getTime() + holdMs);
  const taken = await Promise.all(
    items.map(({ id, dueAt = null }) =>
      all.updateOne({ id, dueAt }, { $set: { dueAt: until, holder }, $inc: { tries: 1 } }),
    ),
  );
  return taken.filter(doc => doc !== null) as unknown as T[];
}

/** In how many milliseconds the next document is due, or a node's hold of one ends; undefined where there is none. */
export async function nextDueMs<T extends Due>(docs: Collection<T>, now: Date): Promise<number | undefined> {
  const all = docs as unknown as Collection<Due>;
  const { items } = await all.find({ dueAt: { $exists: true, $gt: now } }, { sort: { dueAt: 1 }, limit: 1 });
  const dueAt = items[0]?.dueAt;
  return dueAt ? dueAt.getTime() - now.getTime() : undefined;
}

/** Goes on holding what was taken, until the function that it gives is called. */
export function keepHold<T extends Due>(
  docs: Collection<T>,
  holder: string,
  ids: string[],
  holdMs: number,
): () => void {
  const all = docs as unknown as Collection<Due>;
  const renew = () => {
    const until = new Date(Date.now() + holdMs);
    // A hold that cannot be renewed ends: another node does the work once more, which changes nothing.
    all.updateMany({ id: { $in: ids }, holder }, { $set: { dueAt: until } }).catch(() => undefined);
  };
  const beat = setInterval(renew, holdMs / 3);
  beat.unref();
  return () => clearInterval(beat);
}
