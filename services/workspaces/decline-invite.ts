import type { Context, Service } from "moleculer";
import { call, handle } from "../../contracts/call.ts";
import { AppError } from "../../contracts/errors.ts";
import type { RequestHeaders } from "../../contracts/request.ts";
import type { WithHashKey } from "../../service-kit/hash-key.mixin.ts";
import type { WithOutbox } from "../../service-kit/outbox.mixin.ts";
import { markForNotice } from "../../service-kit/outbox.ts";
import type { WithStore } from "../../service-kit/store.mixin.ts";
import { inviteOf, openInvite } from "./accept-invite.ts";
import { type InviteDoc, invites } from "./model.ts";

/**
 * Records the call before it takes effect. The middleware cannot do this, because it does not know whose token it is.
 */
async function record(ctx: Context<unknown>, { id, workspaceId, invitedBy, email }: InviteDoc): Promise<string> {
  const { address = "" } = (ctx as unknown as { headers: RequestHeaders }).headers;
  const entry = {
    ...{ workspaceId, actor: { kind: "link" as const, id, userId: invitedBy, email } },
    ...{ action: "workspaces.invites.decline", resourceType: "invite", resourceId: id, spaceId: null, fields: [] },
    ...{ requestId: ctx.requestID ?? "", address },
  };
  return (await call(ctx, "audit.record", { ...entry, outcome: "unknown", error: null })).id;
}

/** An invite that is accepted at the same moment is not declined, because the person is already a member. */
export const decline = handle<"workspaces.invites.decline", Service & WithStore & WithHashKey & WithOutbox>(
  "workspaces.invites.decline",
  async function (ctx) {
    const invite = await inviteOf(this, ctx.params.token);
    if (invite.declinedAt) return null;
    await openInvite(this.store, invite);
    const { id, workspaceId } = invite;
    const entry = await record(ctx, invite);
    const now = new Date();
    const open = { id, pending: true, acceptedBy: null, expiresAt: { $gt: now } };
    const change = { $set: { declinedAt: now, ...markForNotice(now) }, $unset: { pending: true as const } };
    const own = this.store.tenant(invites, workspaceId);
    // Another call may have declined it at the same moment.
    const isDeclined = (await own.updateOne(open, change)) !== null || Boolean((await own.get({ id }))?.declinedAt);
    const outcome = isDeclined ? ("succeeded" as const) : ("failed" as const);
    const end = { resourceId: id, outcome, error: isDeclined ? null : "invite_used" };
    await call(ctx, "audit.conclude", { workspaceId, id: entry, ...end }).catch((error: unknown) =>
      this.logger.warn("The outcome of a declined invite could not be written to its audit entry.", error),
    );
    if (!isDeclined) throw new AppError("invite_used");
    this.outbox.soon();
    return null;
  },
);
