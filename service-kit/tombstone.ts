import type { Service } from "moleculer";
import { type IndexDefinition, where } from "../adapters/store/define-collection.ts";
import { boolean, date, optionalOrNull } from "../adapters/store/field-types.ts";
import type { Collection, Doc } from "../adapters/store/port.ts";

/**
 * The time between the first purge and the final one. A call that passed its checks before the deletion may write until
 * its time limit, which is shorter.
 */
const GRACE_MS = 60_000;
/** The maximum time of a creation. It is longer than the clocks of two nodes may differ. */
const DRAFT_MS = 300_000;
const MAX_PER_SWEEP = 100;

/** A document whose deletion has consequences elsewhere. Readers do not see it while `purgeAt` is set. */
export interface Deletable extends Doc {
  purgeAt?: Date | null;
  /** True if the data that belongs to it was purged once. */
  purged?: boolean | null;
}

/** The tombstone fields and index of a collection. */
export const TOMBSTONE_FIELDS = { purgeAt: optionalOrNull(date()), purged: optionalOrNull(boolean()) };
export const TOMBSTONE_INDEX: IndexDefinition = [{ purgeAt: 1 }, where("purgeAt")];

/** The filter for the documents that readers may see. */
export const ALIVE = { purgeAt: null };

/** The fields that delete a document. A sweep then purges the data that belongs to it. */
export const markDeleted = (now: Date) => ({ purgeAt: now, purged: false });

/**
 * The fields of a document whose creation needs several writes. After an interruption, it is purged like a deleted one.
 * The write that publishes the document must match these fields.
 */
export const draft = (now: Date) => ({ purgeAt: new Date(now.getTime() + DRAFT_MS), purged: true });

const finalPurge = (now: Date) => ({ purgeAt: new Date(now.getTime() + GRACE_MS), purged: true });

/** The change that makes a draft visible. */
export const PUBLISH = { $unset: { purgeAt: true, purged: true } } as const;

/**
 * Purges the data of deleted documents that are due, oldest first. Each document is purged twice, a minute apart, and
 * then removed. `purge` must be idempotent. If it throws, a later sweep handles the document after the others. A draft
 * is taken before its purge, so that its creation cannot publish it later; the clock of the creating node may be
 * behind, and the creation may be slow.
 */
export async function sweepTombstones<T extends Deletable>(
  docs: Collection<T>,
  now: Date,
  purge: (doc: T) => Promise<void>,
  logger: Service["logger"],
): Promise<void> {
  // This code uses only the tombstone fields, which the compiler cannot infer for an open T.
  const tombstones = docs as unknown as Collection<Deletable>;
  const due = { purgeAt: { $lte: now } };
  const { items } = await tombstones.find(due, { sort: { purgeAt: 1 }, limit: MAX_PER_SWEEP });
  for (const doc of items) {
    const { id, purged, purgeAt = null } = doc;
    try {
      if (purged && !(await tombstones.updateOne({ id, purgeAt, purged: true }, { $set: { purged: false } }))) continue;
      await purge(doc as T);
      if (purged) await tombstones.remove({ id, purgeAt });
      else await tombstones.updateOne({ id, purged: false }, { $set: finalPurge(now) });
    } catch (error) {
      logger.warn(`The purge of the data of ${id} is not finished; a later sweep continues it.`, error);
      await tombstones.updateOne({ id, purgeAt }, { $set: { purgeAt: now } });
    }
  }
}
