import { z } from "zod";
import { action } from "../define-action.ts";
import {
  notification,
  notificationBody,
  notificationLink,
  notificationTitle,
  notificationType,
} from "../entities/notification.ts";
import { id, nothing, page, pageInput, role } from "../primitives.ts";

const seq = z.int().min(0);
/** As many as stay below what a message between nodes may carry. */
const MAX_NEWS = 20;

/** A user's own: no workspace, and no role in one. */
export const notificationsActions = {
  "notifications.list": action("user", { unread: z.boolean().default(false), ...pageInput }, page(notification)),
  "notifications.read": action("user", { id }, notification),
  "notifications.readAll": action("user", {}, z.object({ updated: z.int().min(0) })),
  "notifications.remove": action("user", { id }, nothing),
  /**
   * The caller's notifications behind `after`, oldest first, each with its place; none without `after`. `seq` is where to
   * go on.
   */
  "notifications.since": action(
    "user",
    { after: seq.optional(), limit: z.int().min(1).max(MAX_NEWS).default(MAX_NEWS) },
    z.object({ seq, items: z.array(z.object({ seq, notification })), more: z.boolean() }),
  ),
  /**
   * Notifies users by id, and everyone in the workspace with at least this role. A user gets one notification of a key,
   * however often this is called. `notified` counts whoever has it now. Types that are for members take a workspace, and
   * pass over whoever is none. Errors: validation_failed, unavailable.
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
      to: z.object({ userIds: z.array(id).max(10_000).optional(), role: role.optional() }),
    },
    z.object({ notified: z.int().min(0) }),
  ),
  "notifications.purge": action("internal", { workspaceId: id }, nothing),
};
