import { z } from "zod";
import { action } from "../define-action.ts";
import {
  notification,
  askedQuestion,
  notificationBody,
  notificationLink,
  notificationTitle,
  notificationType,
} from "../entities/notification.ts";
import { mailContent } from "../entities/mail.ts";
import { email } from "../entities/user.ts";
import { id, nothing, page, pageInput, role, timestamp } from "../primitives.ts";

const seq = z.int().min(0);
/** The most notifications in one response. More might exceed the size of a message between nodes. */
const MAX_NEWS = 20;

/** A user's own notifications. These actions need no workspace and no role. */
export const notificationsActions = {
  "notifications.list": action("user", { unread: z.boolean().default(false), ...pageInput }, page(notification)),
  /** counted up to 1,000 */
  "notifications.countUnread": action("user", {}, z.object({ unread: z.int().min(0) })),
  "notifications.read": action("user", { id }, notification),
  "notifications.readAll": action("user", {}, z.object({ updated: z.int().min(0) })),
  "notifications.remove": action("user", { id }, nothing),
  /**
   * The caller's notifications after `after`, oldest first, each with its position; none if `after` is absent. The next
   * call continues from `seq`.
   */
  "notifications.since": action(
    "user",
    { after: seq.optional(), limit: z.int().min(1).max(MAX_NEWS).default(MAX_NEWS) },
    z.object({ seq, items: z.array(z.object({ seq, notification })), more: z.boolean() }),
  ),
  /**
   * Notifies users by id, and everyone in the workspace with at least this role. A user gets one notification per key,
   * however often this action is called. `notified` counts the users who have it now. Types for members require a
   * workspace and skip users who are not members. Errors: validation_failed, unavailable.
   */
  "notifications.notify": action(
    "internal",
    {
      key: z.string().min(1).max(300),
      workspaceId: id.optional(),
      type: notificationType,
      title: notificationTitle,
      body: notificationBody.default(""),
      link: notificationLink.optional(),
      asked: askedQuestion.optional(),
      to: z.object({ userIds: z.array(id).max(10_000).optional(), role: role.optional() }),
    },
    z.object({ notified: z.int().min(0) }),
  ),
  /** Sends a mail once per key and time, even if the process dies. `queued` is false if there is no SMTP server. */
  "notifications.mail.send": action(
    "internal",
    { key: z.string().min(1).max(300), at: timestamp, to: email, content: mailContent, expiresAt: timestamp },
    z.object({ queued: z.boolean() }),
  ),
  /** Removes the notifications of a deleted user. */
  "notifications.forgetUser": action("internal", { userId: id }, nothing),
  "notifications.purge": action("internal", { workspaceId: id }, nothing),
};
