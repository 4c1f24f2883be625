import { LIMITS } from "../../config.ts";
import { ensureRoom } from "../../service-kit/limit.ts";
import { notifyQuotaLevel } from "../../service-kit/quota-level.ts";
import { quotasOf } from "./quotas.ts";
import type { Service } from "moleculer";
import { v7 as uuid } from "uuid";
import type { Store } from "../../adapters/store/port.ts";
import { call, handle, userOf } from "../../contracts/call.ts";
import { AppError, notFound } from "../../contracts/errors.ts";
import { includesRole } from "../../core/roles.ts";
import type { WithHashKey } from "../../service-kit/hash-key.mixin.ts";
import { isNotMatched, isUniqueConflict } from "../../adapters/store/errors.ts";
import type { WithStore } from "../../service-kit/store.mixin.ts";
import { ALIVE } from "../../service-kit/tombstone.ts";
import { inviteOfToken, isInviteToken } from "./invite-token.ts";
import { type InviteDoc, invites, members, presentWorkspace, workspaces } from "./model.ts";

/**
 * The invite for this token.
 * @throws {AppError} not_found, whatever is wrong with the token
 */
export async function inviteOf({ store, hashKey }: WithStore & WithHashKey, token: string): Promise<InviteDoc> {
  const id = inviteOfToken(token);
  const invite = id && (await store.acrossTenants(invites).get({ id }));
  if (!invite || !isInviteToken(hashKey, token, invite.hash)) throw notFound("invite");
  return invite;
}

/**
 * Checks that an invite can be accepted. The inviter must still be able to grant the role. `by` is the inviter's name,
 * for the holder of a token that has ended.
 * @throws {AppError} invite_used, invite_declined, invite_expired, or not_found when the workspace is gone or the
 * inviter has lost the role
 */
export async function openInvite(store: Store, invite: InviteDoc, by?: string) {
  const { workspaceId, pending, acceptedBy, declinedAt, expiresAt, invitedBy, role } = invite;
  const next = by === undefined ? {} : { detail: `Ask ${by} for a new invite.` };
  if (!pending && acceptedBy) throw new AppError("invite_used", next);
  if (declinedAt) throw new AppError("invite_declined", next);
  if (expiresAt <= new Date()) throw new AppError("invite_expired", next);
  const workspace = await store.global(workspaces).get({ id: workspaceId, ...ALIVE });
  const inviter = await store.tenant(members, workspaceId).get({ userId: invitedBy });
  if (!workspace || !inviter || !includesRole(inviter.role, role)) throw notFound("invite");
  return workspace;
}

/**
 * Shows the invite to a person before signing in. The token is too long to guess, so it needs no further protection.
 */
export const read = handle<"workspaces.invites.read", WithStore & WithHashKey>(
  "workspaces.invites.read",
  async function (ctx) {
    const invite = await inviteOf(this, ctx.params.token);
    const [inviter] = await call(ctx, "identity.users", { ids: [invite.invitedBy] });
    const by = inviter?.name ?? inviter?.email;
    const workspace = await openInvite(this.store, invite, by);
    return {
      workspaceName: workspace.name,
      email: invite.email,
      role: invite.role,
      invitedBy: by ?? "",
      expiresAt: invite.expiresAt.toISOString(),
    };
  },
);

/**
 * First the invite is claimed, then the user joins, then the invite is marked as used. If the process dies in between
 * on MongoDB, the user can accept again. If the invite is revoked in between, it is not marked as used, so the user is
 * removed again.
 */
async function join(store: Store, { id, workspaceId, role }: InviteDoc, userId: string, now: Date): Promise<void> {
  const { ops } = store.tenant(invites, workspaceId);
  const member = { id: uuid(), workspaceId, userId, role, createdAt: now, updatedAt: now };
  const open = { id, pending: true, expiresAt: { $gt: now } };
  const used = ops.updateOne({ id }, { $set: { acceptedBy: userId }, $unset: { pending: true } }, { required: true });
  try {
    await store.write([
      ops.updateOne(open, { $set: { acceptedBy: userId } }, { required: true }),
      store.tenant(members, workspaceId).ops.insert(member),
      used,
    ]);
  } catch (error) {
    if (isNotMatched(error)) {
      await store.tenant(members, workspaceId).remove({ id: member.id }, { limit: 1 });
      throw new AppError("invite_used");
    }
    if (!isUniqueConflict(error)) throw error;
    await store.write([used]).catch((refused: unknown) => {
      if (!isNotMatched(refused)) throw refused;
    });
    throw new AppError("already_member");
  }
}

/**
 * For a token of an invite to another address, the error says only that it is for another address. The caller learns
 * that an invite exists, but not for whom, to which workspace, or whether it is still valid.
 */
export const accept = handle<"workspaces.invites.accept", Service & WithStore & WithHashKey>(
  "workspaces.invites.accept",
  async function (ctx) {
    const { userId } = userOf(ctx);
    const invite = await inviteOf(this, ctx.params.token);
    const [user] = await call(ctx, "identity.users", { ids: [userId] });
    if (user?.email !== invite.email) throw new AppError("invite_not_yours");
    const workspace = await openInvite(this.store, invite);
    const room = (await quotasOf(this.store, invite.workspaceId)).members;
    const all = this.store.tenant(members, invite.workspaceId);
    await ensureRoom(all, {}, room, LIMITS.members.what);
    await join(this.store, invite, userId, new Date());
    notifyQuotaLevel(this, invite.workspaceId, "members", await all.count({}, { limit: room }), room);
    return presentWorkspace(workspace, invite.role);
  },
);
