import { call } from "../../contracts/call.ts";
import { MAX_TITLE } from "../../contracts/entities/notification.ts";
import { clip } from "../../core/clip.ts";
import { dayOf } from "../../core/stats/days.ts";
import { outboxOf } from "../../service-kit/outbox.ts";
import { ALIVE } from "../../service-kit/tombstone.ts";
import { type InviteDoc, invites, workspaces } from "./model.ts";

/**
 * Notifies an invited user who is registered. Only the member who made the invite has its token, so the notification
 * names that member instead of linking to the invite.
 */
export const invitations = outboxOf<InviteDoc>({
  collection: invites,
  async notices({ workspaceId, email, role, invitedBy, pending, createdAt }) {
    if (!pending) return [];
    const [user, workspace, [inviter]] = await Promise.all([
      call(this.broker, "identity.userByEmail", { email }),
      this.store.global(workspaces).get({ id: workspaceId, ...ALIVE }),
      call(this.broker, "identity.users", { ids: [invitedBy] }),
    ]);
    if (!user || !workspace || !inviter) return [];
    const by = inviter.name ? `${inviter.name} (${inviter.email})` : inviter.email;
    return [
      {
        // One notification a day, so that repeated invites do not fill an inbox.
        key: `invite:${workspaceId}:${dayOf(createdAt)}`,
        type: "invite",
        workspaceId,
        title: clip(`You are invited to ${workspace.name}`, MAX_TITLE),
        body: `${by} invites you with the role ${role}, and has the link by which you accept.`,
        to: { userIds: [user.id] },
      },
    ];
  },
});
