import type { Service } from "moleculer";
import type { Store } from "../../adapters/store/port.ts";
import { handle } from "../../contracts/call.ts";
import type { WithStore } from "../../mixins/store.mixin.ts";
import { EMPTIED, inboxOf, notifications } from "./model.ts";

/** Of one user; removed ones leave first, then read ones, then unread ones, each from the oldest on. */
export const MAX_KEPT = 1_000;
export const RETENTION_MS = 90 * 24 * 3_600_000;

const BATCH = 200;
/** An end for the loops; a later sweep goes on. */
const MAX_BATCHES = 10_000;

/** Makes room behind a user's newest notification. */
export async function trim(store: Store, userId: string, newest: number): Promise<void> {
  // So many were never given, so there cannot be more.
  if (newest <= MAX_KEPT) return;
  const inbox = inboxOf(store, userId);
  const older = { seq: { $lt: newest } };
  let over = (await inbox.count({}, { limit: MAX_KEPT + BATCH })) - MAX_KEPT;
  for (const filter of [{ removed: true }, { readAt: { $ne: null } }, {}]) {
    if (over > 0) over -= await inbox.remove({ ...filter, ...older }, { limit: over });
  }
}

/** Removes what is too old. A user's newest is only emptied: its seq is what the next one counts from. */
async function expire(store: Store, userId: string, now: Date): Promise<void> {
  const inbox = inboxOf(store, userId);
  const newest = await inbox.newest();
  const old = { expiresAt: { $lte: now } };
  await inbox.remove({ ...old, seq: { $lt: newest } });
  const { $set, $unset } = EMPTIED;
  const expiresAt = new Date(now.getTime() + RETENTION_MS);
  await inbox.updateOne({ ...old, seq: newest }, { $set: { ...$set, expiresAt }, $unset });
}

export async function sweepExpired(this: Service & WithStore, now: Date): Promise<void> {
  const all = this.store.global(notifications);
  for (let batch = 0; batch < MAX_BATCHES; batch++) {
    const { items } = await all.find({ expiresAt: { $lte: now } }, { sort: { expiresAt: 1 }, limit: BATCH });
    for (const userId of new Set(items.map(doc => doc.userId))) await expire(this.store, userId, now);
    if (items.length < BATCH) return;
  }
}

/** Takes the notifications of a deleted workspace from all their users. */
export const purge = handle<"notifications.purge", WithStore>("notifications.purge", async function (ctx) {
  const all = this.store.global(notifications);
  // `$exists` is what lets both sides take the partial index.
  const filter = { workspaceId: { $exists: true, $eq: ctx.params.workspaceId } };
  for (let batch = 0; batch < MAX_BATCHES; batch++) {
    const { items } = await all.find(filter, { limit: BATCH });
    if (items.length === 0) break;
    await all.updateMany({ id: { $in: items.map(doc => doc.id) } }, EMPTIED);
  }
  return null;
});
