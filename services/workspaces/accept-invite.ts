import { v7 as uuid } from "uuid";
import type { Store } from "../../adapters/store/port.ts";
import { call, handle, userOf } from "../../contracts/call.ts";
import { AppError, notFound } from "../../contracts/errors.ts";
import { includesRole } from "../../core/roles.ts";
import type { WithHashKey } from "../../mixins/hash-key.mixin.ts";
import { isNotMatched, isUniqueConflict } from "../../mixins/store-conflicts.ts";
import type { WithStore } from "../../mixins/store.mixin.ts";
import { ALIVE } from "../../mixins/tombstone.ts";
import { inviteOfToken, isInviteToken } from "./invite-token.ts";
import { type InviteDoc, invites, members, presentWorkspace, workspaces } from "./model.ts";

/** The invite that this token opens. Errors: not_found, whatever of it is wrong. */
async function inviteOf({ store, hashKey }: WithStore & WithHashKey, token: string): Promise<InviteDoc> {
  const id = inviteOfToken(token);
  const invite = id && (await store.acrossTenants(invites).get({ id }));
  if (!invite || !isInviteToken(hashKey, token, invite.hash)) throw notFound("invite");
  return invite;
}

/**
 * The invite is claimed, the user joins, and only then is it used up: where MongoDB keeps the first of these writes and the
 * process ends, the user accepts once more.
 */
async function join(store: Store, { id, workspaceId, role }: InviteDoc, userId: string, now: Date): Promise<void> {
  const { ops } = store.tenant(invites, workspaceId);
  const member = { id: uuid(), workspaceId, userId, role, createdAt: now, updatedAt: now };
  const open = { id, pending: true, expiresAt: { $gt: now } };
  const used = ops.updateOne({ id }, { $set: { acceptedBy: userId }, $unset: { pending: true } });
  try {
    await store.write([
      ops.updateOne(open, { $set: { acceptedBy: userId } }, { required: true }),
      store.tenant(members, workspaceId).ops.insert(member),
      used,
    ]);
  } catch (error) {
    if (isNotMatched(error)) throw new AppError("invite_used");
    if (!isUniqueConflict(error)) throw error;
    await store.write([used]);
    throw new AppError("already_member");
  }
}

/**
 * Somebody else's token is told that it is for another address, and nothing more: whoever holds it knows that there is an
 * invite, but not whose, where to, nor whether it is still good.
 */
export const accept = handle<"workspaces.invites.accept", WithStore & WithHashKey>(
  "workspaces.invites.accept",
  async function (ctx) {
    const { userId } = userOf(ctx);
    const invite = await inviteOf(this, ctx.params.token);
    const [user] = await call(ctx, "identity.users", { ids: [userId] });
    if (user?.email !== invite.email) throw new AppError("invite_not_yours");
    const now = new Date();
    if (!invite.pending && invite.acceptedBy) throw new AppError("invite_used");
    if (invite.expiresAt <= now) throw new AppError("invite_expired");
    const workspace = await this.store.global(workspaces).get({ id: invite.workspaceId, ...ALIVE });
    const inviter = await this.store.tenant(members, invite.workspaceId).get({ userId: invite.invitedBy });
    // Nobody gives more than they hold now.
    if (!workspace || !inviter || !includesRole(inviter.role, invite.role)) throw notFound("invite");
    await join(this.store, invite, userId, now);
    return presentWorkspace(workspace, invite.role);
  },
);
