import type { Service } from "moleculer";
import type { Store } from "../../adapters/store/port.ts";
import { call, callerOf, handle, roleOf as callerRole } from "../../contracts/call.ts";
import { AppError, notFound } from "../../contracts/errors.ts";
import { includesRole, removalFault, roleChangeFault } from "../../core/roles.ts";
import type { WithOutbox } from "../../service-kit/outbox.mixin.ts";
import { markForNotice } from "../../service-kit/outbox.ts";
import type { WithStore } from "../../service-kit/store.mixin.ts";
import { endMembership } from "./end-membership.ts";
import { revokeBeyond } from "./invites.ts";
import { removeAndNotify } from "./membership-notices.ts";
import { demandsFactor, type MemberDoc, members as all, presentMember, workspaces } from "./model.ts";

/** Almost every action calls this. It makes two parallel reads by key, usually from memory. */
export const roleOf = handle<"workspaces.roleOf", WithStore>("workspaces.roleOf", async function (ctx) {
  const { workspaceId, userId } = ctx.params;
  const [member, workspace] = await Promise.all([
    this.store.tenant(all, workspaceId).shared({ userId }),
    this.store.global(workspaces).shared({ id: workspaceId }),
  ]);
  if (!member) return { role: null };
  return { role: member.role, memberId: member.id, ...(demandsFactor(workspace) && { demandsFactor: true }) };
});

export const members = handle<"workspaces.members", WithStore>("workspaces.members", async function (ctx) {
  const { workspaceId, limit, cursor: after = null } = ctx.params;
  const { items, next } = await this.store.tenant(all, workspaceId).find({}, { sort: { id: -1 }, limit, after });
  const users = await call(ctx, "identity.users", { ids: items.map(member => member.userId) });
  const byId = new Map(users.map(user => [user.id, user]));
  return { items: items.map(member => presentMember(member, byId.get(member.userId))), next };
});

async function findMember(store: Store, workspaceId: string, userId: string): Promise<MemberDoc> {
  const member = await store.tenant(all, workspaceId).get({ userId });
  if (!member) throw notFound("member");
  return member;
}

export const updateMember = handle<"workspaces.updateMember", WithStore & WithOutbox>(
  "workspaces.updateMember",
  async function (ctx) {
    const { workspaceId, userId, role } = ctx.params;
    const current = await findMember(this.store, workspaceId, userId);
    const fault = roleChangeFault(callerRole(ctx), current.role, role);
    if (fault === "role_too_low") {
      throw new AppError(fault, { detail: `This requires the role \`${role}\`; your role is \`${callerRole(ctx)}\`.` });
    }
    if (fault) throw new AppError(fault);
    if (current.managedBy && role !== current.role) throw new AppError("role_managed");
    const now = new Date();
    const news = role !== current.role && callerOf(ctx).userId !== userId;
    // The update requires the role that was checked, so that a stale check cannot demote a new owner.
    const changed = await this.store
      .tenant(all, workspaceId)
      .updateOne({ userId, role: current.role }, { $set: { role, updatedAt: now, ...(news && markForNotice(now)) } });
    if (!changed) throw new AppError("conflict");
    if (!includesRole(role, current.role)) await revokeBeyond(this.store, workspaceId, userId, role);
    if (news) this.outbox.soon();
    const [user] = await call(ctx, "identity.users", { ids: [userId] });
    return presentMember(changed, user);
  },
);

export const removeMember = handle<"workspaces.removeMember", Service & WithStore & WithOutbox>(
  "workspaces.removeMember",
  async function (ctx) {
    const { workspaceId, userId } = ctx.params;
    const actor = callerRole(ctx);
    const caller = callerOf(ctx);
    // An API key is not its creator: only people can leave.
    const oneself = caller.kind === "user" && caller.userId === userId;
    // Checked before the member is read, so that the response reveals nothing about members to a viewer.
    if (!oneself && !includesRole(actor, "admin")) {
      throw new AppError("role_too_low", { detail: `This requires the role \`admin\`; your role is \`${actor}\`.` });
    }
    const current = await findMember(this.store, workspaceId, userId);
    const fault = removalFault(actor, current.role, oneself);
    if (fault) throw new AppError(fault);
    if (current.managedBy) throw new AppError("role_managed");
    const removed = oneself
      ? (await this.store.tenant(all, workspaceId).remove({ userId, role: current.role })) > 0
      : await removeAndNotify(this.store, workspaceId, userId, current.role);
    if (!removed) throw new AppError("conflict");
    await endMembership(this, workspaceId, userId);
    return null;
  },
);
