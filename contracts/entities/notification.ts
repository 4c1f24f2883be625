import { z } from "zod";
import { id, timestamp, trimmed } from "../primitives.ts";

/**
 * Every type of notification: who can receive it, and when it is created. `members` reaches only members of its
 * workspace, so that a workflow cannot send messages to other people. `anyone` is for messages of the service itself to
 * one person.
 */
export const NOTIFICATION_TYPES = {
  execution_failed: { to: "members", when: "a run has failed" },
  approval_needed: { to: "members", when: "a run waits for an answer" },
  invite: { to: "anyone", when: "a person was invited to a workspace" },
  invite_declined: { to: "members", when: "an invited person has declined; only the inviter is notified" },
  role_changed: { to: "members", when: "a member's role was changed" },
  member_removed: { to: "anyone", when: "a member was removed" },
  mcp_server_error: { to: "members", when: "an MCP server has become unavailable" },
  mcp_server_recovered: { to: "members", when: "an MCP server is available again" },
  mcp_tools_changed: { to: "members", when: "an MCP server has changed the description or schema of a tool" },
  credential_failed: { to: "members", when: "Weft can no longer get tokens for a credential" },
  import_finished: { to: "members", when: "an import has ended" },
  bulk_finished: { to: "members", when: "an action on many runs has ended" },
  quota_reached: { to: "members", when: "a workspace has used 80 % of a quota, or all of it" },
  message: { to: "members", when: "a `notify` step has sent a message" },
} as const satisfies Record<string, { to: "members" | "anyone"; when: string }>;

export type NotificationType = keyof typeof NOTIFICATION_TYPES;

export const notificationType = z.enum(Object.keys(NOTIFICATION_TYPES) as [NotificationType, ...NotificationType[]]);

export const MAX_TITLE = 200;
export const MAX_BODY = 10_000;
export const notificationTitle = trimmed(MAX_TITLE);
export const notificationBody = z.string().max(MAX_BODY);
/** Only a path on this service, so that a link never leads to another site. */
export const notificationLink = z
  .string()
  .max(2_000)
  .regex(/^\/(?![/\\])[\x21-\x7e]*$/, "Expected a path that begins with a single slash");

/** The question for which mails about a notification contain a link. Each reader gets a personal link. */
export const askedQuestion = z.object({
  workspaceId: id,
  executionId: id,
  nodeId: z.string().max(200),
  path: z.array(z.object({ nodeId: z.string().max(200), index: z.int().min(0) })).readonly(),
  attempt: z.int().min(1),
});

export const notification = z
  .object({
    id,
    type: notificationType,
    title: notificationTitle,
    body: notificationBody,
    workspaceId: id.optional(),
    link: notificationLink.optional(),
    /**
     * The console page about the same subject, as an absolute address. Absent if there is no such page or no console.
     */
    consoleUrl: z.string().max(4_000).optional(),
    readAt: timestamp.nullable(),
    createdAt: timestamp,
  })
  .meta({
    id: "Notification",
    description: Object.entries(NOTIFICATION_TYPES)
      .map(([type, { when }]) => `\`${type}\`: ${when}`)
      .join("; "),
  });
export type Notification = z.infer<typeof notification>;
