import { Schema } from "../../adapters/store/schema.ts";
import { defineCollection } from "../../adapters/store/define-collection.ts";
import type { Collection, Filter, Store } from "../../adapters/store/port.ts";
import {
  type Notification,
  NOTIFICATION_TYPES,
  notificationType,
  type NotificationType,
} from "../../contracts/entities/notification.ts";

/**
 * One notification of one user. A user's seqs count up from 1 and are unique, so that no reader that goes on behind one
 * misses another that was written at the same time. The key is what makes telling again harmless. For both, one that is
 * removed stays as an empty place until newer ones make it superfluous, and a user's newest always does.
 */
export interface NotificationDoc {
  id: string;
  userId: string;
  seq: number;
  key: string;
  type: NotificationType;
  title?: string | null;
  body?: string | null;
  link?: string | null;
  workspaceId?: string | null;
  readAt?: Date | null;
  removed?: boolean | null;
  createdAt: Date;
  expiresAt: Date;
}

const schema = new Schema({
  userId: { type: String, required: true },
  seq: { type: Number, required: true },
  key: { type: String, required: true },
  type: { type: String, required: true, enum: notificationType.options },
  title: String,
  body: String,
  link: String,
  workspaceId: String,
  readAt: Date,
  removed: Boolean,
  createdAt: { type: Date, required: true },
  expiresAt: { type: Date, required: true },
});
schema.index({ userId: 1, seq: -1 }, { unique: true });
schema.index({ userId: 1, key: 1 }, { unique: true });
schema.index({ expiresAt: 1 });
schema.index({ workspaceId: 1 }, { partialFilterExpression: { workspaceId: { $exists: true } } });

export const notifications = defineCollection<NotificationDoc>({ name: "notifications", schema, tenant: false });

/** What is left of a removed notification. */
export const EMPTIED = {
  $set: { removed: true },
  $unset: { title: true, body: true, link: true, workspaceId: true },
} as const;

/** Those that their user sees. */
export const THERE = { removed: null };

type Asked = "get" | "find" | "count" | "updateOne" | "updateMany" | "remove";

/** One user's notifications. Every query of them goes through here and begins with the user. */
export function inboxOf(
  store: Store,
  userId: string,
): Pick<Collection<NotificationDoc>, Asked> & { newest(): Promise<number> } {
  const all = store.global(notifications);
  const own = (filter: Filter<NotificationDoc>): Filter<NotificationDoc> => ({ $and: [{ userId }, filter] });
  return {
    get: filter => all.get(own(filter)),
    find: (filter, options) => all.find(own(filter), options),
    count: (filter, options) => all.count(own(filter), options),
    updateOne: (filter, change, options) => all.updateOne(own(filter), change, options),
    updateMany: (filter, change) => all.updateMany(own(filter), change),
    remove: (filter, options) => all.remove(own(filter), options),
    /** The seq of the newest, 0 where there never was one. */
    async newest() {
      const { items } = await all.find({ userId }, { sort: { seq: -1 }, limit: 1 });
      return items[0]?.seq ?? 0;
    },
  };
}

export const present = (doc: NotificationDoc): Notification => ({
  id: doc.id,
  type: doc.type,
  title: doc.title ?? "",
  body: doc.body ?? "",
  ...(doc.workspaceId && { workspaceId: doc.workspaceId }),
  ...(doc.link && { link: doc.link }),
  readAt: doc.readAt?.toISOString() ?? null,
  createdAt: doc.createdAt.toISOString(),
});

export const isForMembers = (type: NotificationType): boolean => NOTIFICATION_TYPES[type].to === "members";
