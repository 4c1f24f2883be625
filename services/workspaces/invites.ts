import type { Store } from "../../adapters/store/port.ts";
import { call, callerOf, handle, roleOf } from "../../contracts/call.ts";
import { AppError, notFound } from "../../contracts/errors.ts";
import { ROLES, type Role } from "../../contracts/primitives.ts";
import { includesRole } from "../../core/roles.ts";
import type { WithHashKey } from "../../service-kit/hash-key.mixin.ts";
import { ensureRoom } from "../../service-kit/limit.ts";
import { newId } from "../../service-kit/new-id.ts";
import type { WithOutbox } from "../../service-kit/outbox.mixin.ts";
import { markForNotice } from "../../service-kit/outbox.ts";
import { removeAll } from "../../service-kit/remove-all.ts";
import { isUniqueConflict } from "../../adapters/store/errors.ts";
import type { WithStore } from "../../service-kit/store.mixin.ts";
import { inviteLink, makeInviteToken } from "./invite-token.ts";
import { type InviteDoc, invites, members, presentInvite } from "./model.ts";

/** The most pending invites of one workspace. */
const MAX_PENDING = 1_000;
const DAY_MS = 24 * 3_600_000;
const LIFETIME_MS = 7 * DAY_MS;
/** For how long the response to an ended invite's token says why it ended. */
const REMEMBERED_MS = 30 * DAY_MS;

/**
 * Inserts an invite, replacing an expired one. If an interrupted try has already stored an invite, its caller never
 * received the token, so this one replaces it.
 * @throws {AppError} already_invited when a valid invite exists
 */
async function insertInvite(store: Store, doc: InviteDoc): Promise<InviteDoc> {
  const all = store.tenant(invites, doc.workspaceId);
  const expired = { email: doc.email, pending: true, expiresAt: { $lte: doc.createdAt } };
  try {
    await store.write([all.ops.updateMany(expired, { $unset: { pending: true } }), all.ops.insert(doc)]);
    return doc;
  } catch (error) {
    if (!isUniqueConflict(error)) throw error;
    const { id, hash } = doc;
    const replaced = await all.updateOne({ id, pending: true }, { $set: { hash } });
    if (!replaced) throw new AppError("already_invited");
    return replaced;
  }
}

export const create = handle<"workspaces.invites.create", WithStore & WithHashKey & WithOutbox>(
  "workspaces.invites.create",
  async function (ctx) {
    const { workspaceId, email, role } = ctx.params;
    if (!includesRole(roleOf(ctx), role)) {
      throw new AppError("role_too_low", {
        detail: `This requires the role \`${role}\`; your role is \`${roleOf(ctx)}\`.`,
      });
    }
    const user = await call(ctx, "identity.userByEmail", { email });
    if (user && (await this.store.tenant(members, workspaceId).get({ userId: user.id }))) {
      throw new AppError("already_member");
    }
    const now = new Date();
    const all = this.store.tenant(invites, workspaceId);
    await ensureRoom(all, { pending: true, expiresAt: { $gt: now } }, MAX_PENDING, "pending invites to a workspace");
    const id = newId(ctx);
    const { token, hash } = makeInviteToken(this.hashKey, id);
    const invite = await insertInvite(this.store, {
      id,
      workspaceId,
      email,
      role,
      hash,
      invitedBy: callerOf(ctx).userId,
      createdAt: now,
      expiresAt: new Date(now.getTime() + LIFETIME_MS),
      pending: true,
      ...markForNotice(now),
    });
    this.outbox.soon();
    return { ...presentInvite(invite), token, link: inviteLink(token) };
  },
);

export const list = handle<"workspaces.invites.list", WithStore>("workspaces.invites.list", async function (ctx) {
  const { workspaceId, limit, cursor: after = null } = ctx.params;
  const filter = { pending: true, expiresAt: { $gt: new Date() } };
  const all = this.store.tenant(invites, workspaceId);
  const { items, next } = await all.find(filter, { sort: { id: -1 }, limit, after });
  return { items: items.map(presentInvite), next };
});

export const remove = handle<"workspaces.invites.remove", WithStore>("workspaces.invites.remove", async function (ctx) {
  const { workspaceId, inviteId: id } = ctx.params;
  const removed = await this.store.tenant(invites, workspaceId).remove({ id, pending: true });
  if (removed === 0) throw notFound("invite");
  return null;
});

/**
 * Revokes a member's pending invites for roles above the member's current role. With `held` null, the member has left,
 * and all are revoked.
 */
export function revokeBeyond(store: Store, workspaceId: string, invitedBy: string, held: Role | null): Promise<void> {
  const beyond = ROLES.filter(role => held === null || !includesRole(held, role));
  return removeAll(store.tenant(invites, workspaceId), { invitedBy, pending: true, role: { $in: beyond } });
}

/** Removes invites that ended long ago. */
export function sweepInvites(store: Store, now: Date): Promise<void> {
  const forgotten = new Date(now.getTime() - REMEMBERED_MS);
  return removeAll(store.acrossTenants(invites), { expiresAt: { $lte: forgotten } });
}
