import type { Service } from "moleculer";
import type { Store } from "../../adapters/store/port.ts";
import { call } from "../../contracts/call.ts";
import { MAX_TITLE } from "../../contracts/entities/notification.ts";
import { clip } from "../../core/clip.ts";
import { dayOf } from "../../core/stats/days.ts";
import type { WithHashKey } from "../../service-kit/hash-key.mixin.ts";
import { sendMail } from "../../service-kit/mail.ts";
import { type Notice, outboxOf } from "../../service-kit/outbox.ts";
import { ALIVE } from "../../service-kit/tombstone.ts";
import type { WithStore } from "../../service-kit/store.mixin.ts";
import { inviteLink, isInviteToken, makeInviteToken } from "./invite-token.ts";
import { type InviteDoc, invites, workspaces } from "./model.ts";

const DAY_MS = 24 * 3_600_000;

/** Notifies the inviter, so that the inviter does not keep waiting for a declined invite. */
async function declined(store: Store, { id, workspaceId, email, role, invitedBy }: InviteDoc): Promise<Notice[]> {
  const workspace = await store.global(workspaces).get({ id: workspaceId, ...ALIVE });
  if (!workspace) return [];
  return [
    {
      key: `declined:${id}`,
      type: "invite_declined",
      workspaceId,
      title: clip(`${email} declined the invite to ${workspace.name}`, MAX_TITLE),
      body: `The invite gave the role ${role}.`,
      link: `/v1/workspaces/${workspaceId}/invites`,
      to: { userIds: [invitedBy] },
    },
  ];
}

/**
 * Mails an invite to its address, and notifies the invited user if there is one. Only the mail and the inviting member
 * have the token, so the notification names that member instead of linking to the invite. Only the inviter is notified
 * of a declined invite.
 */
export const invitations = outboxOf<InviteDoc, Service & WithStore & WithHashKey>({
  collection: invites,
  async notices(doc) {
    const { id, workspaceId, email, role, hash, invitedBy, pending, createdAt, expiresAt } = doc;
    if (doc.declinedAt) return declined(this.store, doc);
    if (!pending) return [];
    const [user, workspace, [inviter]] = await Promise.all([
      call(this.broker, "identity.userByEmail", { email }),
      this.store.global(workspaces).get({ id: workspaceId, ...ALIVE }),
      call(this.broker, "identity.users", { ids: [invitedBy] }),
    ]);
    if (!workspace || !inviter) return [];
    const by = inviter.name ? `${inviter.name} (${inviter.email})` : inviter.email;
    const { token } = makeInviteToken(this.hashKey, id);
    // The token of an invite of an earlier version is known only to the member who created it.
    if (isInviteToken(this.hashKey, token, hash)) {
      const lifetimeMs = expiresAt.getTime() - createdAt.getTime();
      const days = Math.round(lifetimeMs / DAY_MS);
      const content = { workspace: workspace.name, invitedBy: by, role, days, link: inviteLink(token) };
      const mail = { to: email, content: { template: "invite" as const, ...content }, lifetimeMs };
      await sendMail(this.broker, { key: `invite:${id}`, at: createdAt, ...mail });
    }
    if (!user) return [];
    return [
      {
        // At most one notification a day, so that repeated invites do not fill an inbox.
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
