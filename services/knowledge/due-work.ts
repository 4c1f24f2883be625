import { type IndexDefinition, where } from "../../adapters/store/define-collection.ts";
import { date, number, optionalOrNull, string } from "../../adapters/store/field-types.ts";
import type { Collection, Doc } from "../../adapters/store/port.ts";
import { renewEvery } from "../../service-kit/renew-every.ts";

/** A document that needs work. One node at a time holds it and does the work. */
export interface Due extends Doc {
  workspaceId: string;
  /**
   * The time from which a node may take the document. While a node holds it, the end of that hold. Unset if there is
   * nothing to do.
   */
  dueAt?: Date | null;
  /** The id of the holder's turn. */
  holder?: string | null;
  /** How often nodes began the work, including nodes that died during it. */
  tries?: number | null;
}

/** These are for the fields and indexes of a collection. */
export const DUE_FIELDS = {
  dueAt: optionalOrNull(date()),
  holder: optionalOrNull(string()),
  tries: optionalOrNull(number()),
};
export const DUE_INDEX: IndexDefinition = [{ dueAt: 1 }, where("dueAt")];

/** The part of an update that marks the work as done. */
export const DONE = { dueAt: true, holder: true, tries: true } as const;

/** The fields of a document whose work failed and is due again after the delay. */
export const dueAgainAfter = (now: Date, delayMs: number) => ({
  dueAt: new Date(now.getTime() + delayMs),
  holder: null,
});

interface Wanted {
  now: Date;
  holder: string;
  holdMs: number;
  limit: number;
  /** Workspaces to skip this time. */
  except?: readonly string[];
}

/** Takes up to `limit` due documents, the longest waiting first, and holds them for `holdMs`. */
export async function takeDue<T extends Due>(
  docs: Collection<T>,
  { now, holder, holdMs, limit, except = [] }: Wanted,
): Promise<T[]> {
  // This code uses only the fields of `Due`, which the compiler cannot infer for a generic T.
  const all = docs as unknown as Collection<Due>;
  const due = { dueAt: { $lte: now }, ...(except.length > 0 && { workspaceId: { $nin: except } }) };
  const { items } = await all.find(due, { sort: { dueAt: 1 }, limit });
  const until = new Date(now.getTime() + holdMs);
  const taken = await Promise.all(
    items.map(({ id, dueAt = null }) =>
      all.updateOne({ id, dueAt }, { $set: { dueAt: until, holder }, $inc: { tries: 1 } }),
    ),
  );
  return taken.filter(doc => doc !== null) as unknown as T[];
}

/** The milliseconds until the next document is due or a node's hold ends; undefined if there is no such document. */
export async function nextDueMs<T extends Due>(docs: Collection<T>, now: Date): Promise<number | undefined> {
  const all = docs as unknown as Collection<Due>;
  const { items } = await all.find({ dueAt: { $gt: now } }, { sort: { dueAt: 1 }, limit: 1 });
  const dueAt = items[0]?.dueAt;
  return dueAt ? dueAt.getTime() - now.getTime() : undefined;
}

/** Renews the hold on the taken documents until the returned function is called. */
export function keepHold<T extends Due>(
  docs: Collection<T>,
  holder: string,
  ids: string[],
  holdMs: number,
): () => void {
  const all = docs as unknown as Collection<Due>;
  // If a hold cannot be renewed, another node repeats the work, which is harmless.
  return renewEvery(holdMs / 3, () =>
    all.updateMany({ id: { $in: ids }, holder }, { $set: { dueAt: new Date(Date.now() + holdMs) } }),
  );
}
