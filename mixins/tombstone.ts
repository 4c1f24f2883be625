import type { Service } from "moleculer";
import { type IndexDefinition, where } from "../adapters/store/define-collection.ts";
import { boolean, date, optionalOrNull } from "../adapters/store/field-types.ts";
import type { Collection, Doc } from "../adapters/store/port.ts";

/**
 * How long after a first purge comes the second and last. A call that had passed its checks before the deletion may write
 * until its time limit, which is shorter.
 */
const GRACE_MS = 60_000;
const MAX_PER_SWEEP = 100;

/** A document whose deletion has consequences elsewhere. While `purgeAt` is set it is not there for readers. */
export interface Deletable extends Doc {
  purgeAt?: Date | null;
  /** What belongs to it was purged once. */
  purged?: boolean | null;
}

/** For the collection's fields and indexes. */
export const TOMBSTONE_FIELDS = { purgeAt: optionalOrNull(date()), purged: optionalOrNull(boolean()) };
export const TOMBSTONE_INDEX: IndexDefinition = [{ purgeAt: 1 }, where("purgeAt")];

/** The filter for what readers may see. */
export const ALIVE = { purgeAt: null };

/** The fields that delete a document. A sweep purges what belongs to it. */
export const markDeleted = (now: Date) => ({ purgeAt: now, purged: false });

/** The fields of a document that takes several writes to create. If they are cut off, it is purged like a deleted one. */
export const draft = (now: Date) => ({ purgeAt: new Date(now.getTime() + GRACE_MS), purged: true });

/** The change that makes a draft visible. */
export const PUBLISH = { $unset: { purgeAt: true, purged: true } } as const;

/**
 * Purges what belongs to the deleted documents that are due, oldest first. Each is purged twice, a minute apart, and then
 * removed. `purge` must be idempotent; where it throws, the document stays for a later sweep, behind the others.
 */
export async function sweepTombstones<T extends Deletable>(
  docs: Collection<T>,
  now: Date,
  purge: (doc: T) => Promise<void>,
  logger: Service["logger"],
): Promise<void> {
  // Of a document's fields only those of a tombstone matter here; the compiler cannot see them in an open T.
  const tombstones = docs as unknown as Collection<Deletable>;
  // `$exists` is what lets both sides take the partial index.
  const due = { purgeAt: { $exists: true, $lte: now } };
  const { items } = await tombstones.find(due, { sort: { purgeAt: 1 }, limit: MAX_PER_SWEEP });
  for (const doc of items) {
    const { id, purged, purgeAt = null } = doc;
    try {
      await purge(doc as T);
      if (purged) await tombstones.remove({ id, purgeAt });
      else await tombstones.updateOne({ id, purged: false }, { $set: draft(now) });
    } catch (error) {
      logger.warn(`The purge behind ${id} is not finished; a later sweep goes on.`, error);
      await tombstones.updateOne({ id, purgeAt }, { $set: { purgeAt: now } });
    }
  }
}
