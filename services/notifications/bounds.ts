import type { Service } from "moleculer";
import type { Store } from "../../adapters/store/port.ts";
import { handle } from "../../contracts/call.ts";
import { removeAll } from "../../service-kit/remove-all.ts";
import type { WithStore } from "../../service-kit/store.mixin.ts";
import { inboxOf, notifications, REMOVED_FIELDS } from "./model.ts";

/**
 * The most notifications of one user. Beyond it, removed ones are dropped first, then read ones, then unread ones, each
 * oldest first.
 */
export const MAX_KEPT = 1_000;
export const RETENTION_MS = 90 * 24 * 3_600_000;

const BATCH = 200;
/** Bounds the loops. A later sweep continues. */
const MAX_BATCHES = 10_000;

/** Removes a user's excess notifications. `newest` is the seq of the newest. */
export async function trim(store: Store, userId: string, newest: number): Promise<void> {
  // The user has had fewer notifications than the limit.
  if (newest <= MAX_KEPT) return;
  const inbox = inboxOf(store, userId);
  const older = { seq: { $lt: newest } };
  let over = (await inbox.count({}, { limit: MAX_KEPT + BATCH })) - MAX_KEPT;
  for (const filter of [{ removed: true }, { readAt: { $ne: null } }, {}]) {
    if (over > 0) over -= await inbox.remove({ ...filter, ...older }, { limit: over });
  }
}

/**
 * Removes notifications that are too old. A user's newest one is only emptied, because the next seq is counted from it.
 */
async function expire(store: Store, userId: string, now: Date): Promise<void> {
  const inbox = inboxOf(store, userId);
  const newest = await inbox.newest();
  const old = { expiresAt: { $lte: now } };
  await inbox.remove({ ...old, seq: { $lt: newest } });
  const { $set, $unset } = REMOVED_FIELDS;
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

/** Removes the notifications of a deleted workspace from all users. */
export const purge = handle<"notifications.purge", WithStore>("notifications.purge", async function (ctx) {
  const all = this.store.global(notifications);
  const filter = { workspaceId: ctx.params.workspaceId };
  for (let batch = 0; batch < MAX_BATCHES; batch++) {
    const { items } = await all.find(filter, { limit: BATCH });
    if (items.length === 0) break;
    await all.updateMany({ id: { $in: items.map(doc => doc.id) } }, REMOVED_FIELDS);
  }
  return null;
});

export const forgetUser = handle<"notifications.forgetUser", WithStore>(
  "notifications.forgetUser",
  async function (ctx) {
    await removeAll(this.store.global(notifications), { userId: ctx.params.userId });
    return null;
  },
);
