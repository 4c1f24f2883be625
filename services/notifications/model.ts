import { config } from "../../config.ts";
import { defineCollection, type DocumentOf, where } from "../../adapters/store/define-collection.ts";
import {
  boolean,
  date,
  json,
  number,
  oneOf,
  optional,
  optionalOrNull,
  string,
} from "../../adapters/store/field-types.ts";
import type { Collection, Filter, Store } from "../../adapters/store/port.ts";
import {
  notification,
  NOTIFICATION_TYPES,
  notificationType,
  type NotificationType,
} from "../../contracts/entities/notification.ts";
import { consolePageOf } from "../../core/console-page.ts";
import type { AskedAt } from "../../service-kit/answer-link.ts";
import { publicUrl } from "../../service-kit/public-url.ts";
import { presenter } from "../../service-kit/present.ts";

/**
 * A notification of one user. A user's seqs count up from 1 and are unique, so a reader that continues after one of
 * them misses no concurrent write. The unique key makes a repeated notification harmless. For both reasons a removed
 * notification remains as an empty document until newer ones replace it, and a user's newest one always remains.
 */
export const notifications = defineCollection({
  name: "notifications",
  tenant: false,
  fields: {
    userId: string(),
    seq: number(),
    key: string(),
    type: oneOf(notificationType.options),
    title: optionalOrNull(string()),
    body: optionalOrNull(string()),
    link: optionalOrNull(string()),
    workspaceId: optionalOrNull(string()),
    asked: optional(json<AskedAt>()),
    readAt: optionalOrNull(date()),
    removed: optionalOrNull(boolean()),
    /** When to check whether its user wants it by mail. */
    mailAt: optionalOrNull(date()),
    createdAt: date(),
    expiresAt: date(),
  },
  indexes: [
    [{ userId: 1, seq: -1 }, { unique: true }],
    [{ userId: 1, key: 1 }, { unique: true }],
    [{ expiresAt: 1 }],
    [{ workspaceId: 1 }, where("workspaceId")],
    [{ mailAt: 1 }, where("mailAt")],
  ],
});
export type NotificationDoc = DocumentOf<typeof notifications>;

/** The fields that remain of a removed notification. */
export const REMOVED_FIELDS = {
  $set: { removed: true },
  $unset: { title: true, body: true, link: true, workspaceId: true, asked: true },
} as const;

/** A filter for the notifications that their user can see. */
export const VISIBLE = { removed: null };

type Asked = "get" | "find" | "count" | "updateOne" | "updateMany" | "remove";

/** One user's notifications. Every query for notifications uses this function and is bound to the user. */
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
    /** The seq of the newest notification; 0 if there never was one. */
    async newest() {
      const { items } = await all.find({ userId }, { sort: { seq: -1 }, limit: 1 });
      return items[0]?.seq ?? 0;
    },
  };
}

export const present = presenter(notification, notifications, doc => ({
  title: doc.title ?? "",
  body: doc.body ?? "",
  consoleUrl: consoleUrlOf(doc),
}));

/** The address of the page about a notification's subject. */
export function consoleUrlOf(doc: Pick<NotificationDoc, "type" | "link">): string | undefined {
  const page = config().CONSOLE ? consolePageOf(doc) : undefined;
  return page && publicUrl() + page;
}

export const isForMembers = (type: NotificationType): boolean => NOTIFICATION_TYPES[type].to === "members";
