import type { Service } from "moleculer";
import type { Collection, Doc } from "../adapters/store/port.ts";

/**
 * How long after a first purge comes the second and last. A call that had passed its checks before the deletion may write
 * until its time limit, which is shorter.
 */
const GRACE_MS = 60_000;
const MAX_PER_SWEEP = 100;

/** A document whose deletion has consequences elsewhere. While `purgeAt` is set it is not there for readers. */
export interface Mortal extends Doc {
  purgeAt?: Date | null;
  /** What belongs to it was purged once. */
  purged?: boolean | null;
}

/** For the Mongoose schema; with `schema.index(...TOMBSTONE_INDEX)`. */
export const TOMBSTONE_FIELDS = { purgeAt: Date, purged: Boolean };
export const TOMBSTONE_INDEX = [{ purgeAt: 1 }, { partialFilterExpression: { purgeAt: { $exists: true } } }] as const;

/** The filter for what readers may see. */
export const ALIVE = { purgeAt: null };

/** Fields that delete a document: its sweep will purge what belongs to it. */
export const buried = (now: Date) => ({ purgeAt: now, purged: false });

/** Fields of a document that takes several steps to make: left half-way, it is purged like a deleted one. */
export const unborn = (now: Date) => ({ purgeAt: new Date(now.getTime() + GRACE_MS), purged: true });

/** The change that makes an unborn document visible. */
export const BORN = { $unset: { purgeAt: true, purged: true } } as const;

/**
 * Purges what belongs to the deleted documents that are due, oldest first. Each is purged twice, a minute apart, and then
 * removed. `purge` must be idempotent; where it throws, the document stays for a later sweep, behind the others.
 */
export async function sweepTombstones<T extends Mortal>(
  docs: Collection<Mortal & T>,
  now: Date,
  purge: (doc: T) => Promise<void>,
  logger: Service["logger"],
): Promise<void> {
  const mortals = docs as unknown as Collection<Mortal>;
  const due = await docs.find({ purgeAt: { $lte: now } } as never, {
    sort: { purgeAt: 1 } as never,
    limit: MAX_PER_SWEEP,
  });
  for (const doc of due.items) {
    try {
      await purge(doc);
      if (doc.purged) await mortals.remove({ id: doc.id, purgeAt: doc.purgeAt ?? null });
      else await mortals.updateOne({ id: doc.id, purged: false }, { $set: { ...unborn(now) } });
    } catch (error) {
      logger.warn(`The purge behind ${doc.id} is not finished; a later sweep goes on.`, error);
      await mortals.updateOne({ id: doc.id, purgeAt: doc.purgeAt ?? null }, { $set: { purgeAt: now } });
    }
  }
}
