import { callerOf, handle } from "../../contracts/call.ts";
import { notFound } from "../../contracts/errors.ts";
import { boundedPage } from "../../service-kit/bounded-page.ts";
import type { WithStore } from "../../service-kit/store.mixin.ts";
import { inboxOf, type NotificationDoc, present, REMOVED_FIELDS, VISIBLE } from "./model.ts";

/** The size of a notification in a response, without its texts. */
const FRAME_BYTES = 500;

const withBytes = (doc: NotificationDoc) => ({
  ...doc,
  bytes: FRAME_BYTES + Buffer.byteLength(`${doc.title ?? ""}${doc.body ?? ""}${doc.link ?? ""}`),
});

export const list = handle<"notifications.list", WithStore>("notifications.list", async function (ctx) {
  const { unread, limit, cursor = null } = ctx.params;
  const inbox = inboxOf(this.store, callerOf(ctx).userId);
  const filter = { ...VISIBLE, ...(unread && { readAt: null }) };
  const page = await boundedPage(
    async (max, after) => {
      const { items, next } = await inbox.find(filter, { sort: { seq: -1 }, limit: max, after });
      return { items: items.map(withBytes), next };
    },
    limit,
    cursor,
  );
  return { items: page.items.map(present), next: page.next };
});

const MAX_COUNTED = 1_000;

export const countUnread = handle<"notifications.countUnread", WithStore>(
  "notifications.countUnread",
  async function (ctx) {
    const inbox = inboxOf(this.store, callerOf(ctx).userId);
    return { unread: await inbox.count({ ...VISIBLE, readAt: null }, { limit: MAX_COUNTED }) };
  },
);

export const read = handle<"notifications.read", WithStore>("notifications.read", async function (ctx) {
  const inbox = inboxOf(this.store, callerOf(ctx).userId);
  const filter = { id: ctx.params.id, ...VISIBLE };
  const changed = await inbox.updateOne({ ...filter, readAt: null }, { $set: { readAt: new Date() } });
  // A notification that was read earlier keeps its time.
  const doc = changed ?? (await inbox.get(filter));
  if (!doc) throw notFound("notification");
  return present(doc);
});

export const readAll = handle<"notifications.readAll", WithStore>("notifications.readAll", async function (ctx) {
  const inbox = inboxOf(this.store, callerOf(ctx).userId);
  return { updated: await inbox.updateMany({ readAt: null, ...VISIBLE }, { $set: { readAt: new Date() } }) };
});

export const remove = handle<"notifications.remove", WithStore>("notifications.remove", async function (ctx) {
  const inbox = inboxOf(this.store, callerOf(ctx).userId);
  if (!(await inbox.updateOne({ id: ctx.params.id, ...VISIBLE }, REMOVED_FIELDS))) throw notFound("notification");
  return null;
});

export const since = handle<"notifications.since", WithStore>("notifications.since", async function (ctx) {
  const { after, limit } = ctx.params;
  const inbox = inboxOf(this.store, callerOf(ctx).userId);
  if (after === undefined) return { seq: await inbox.newest(), items: [], more: false };
  const { items, next } = await inbox.find({ seq: { $gt: after }, ...VISIBLE }, { sort: { seq: 1 }, limit });
  const last = items.at(-1);
  return {
    // A position beyond the newest notification would make the client miss later ones.
    seq: last ? last.seq : Math.min(after, await inbox.newest()),
    items: items.map(doc => ({ seq: doc.seq, notification: present(doc) })),
    more: next !== null,
  };
});
