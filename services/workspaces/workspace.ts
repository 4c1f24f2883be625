import { type ActionContext, callerOf, handle, roleOf, userOf } from "../../contracts/call.ts";
import { AppError, notFound } from "../../contracts/errors.ts";
import { lowerRole, includesRole } from "../../core/roles.ts";
import { isUniqueConflict } from "../../adapters/store/errors.ts";
import type { WithStore } from "../../service-kit/store.mixin.ts";
import { ALIVE } from "../../service-kit/tombstone.ts";
import { members, presentWorkspace, workspaces } from "./model.ts";
import { ROLES } from "../../contracts/primitives.ts";

/** Reads the caller's memberships. Their order is that of the workspaces' creation. */
export const list = handle<"workspaces.list", WithStore>("workspaces.list", async function (ctx) {
  const { limit, cursor: after } = ctx.params;
  const caller = callerOf(ctx);
  const { userId } = caller;
  const filter = caller.kind === "apiKey" ? { userId, workspaceId: caller.workspaceId } : { userId };
  const mine = await this.store
    .acrossTenants(members)
    .find(filter, { sort: { workspaceId: -1 }, limit, after: after ?? null });
  if (caller.kind === "apiKey" && mine.items[0]?.id !== caller.memberId) throw new AppError("unauthenticated");
  const ids = mine.items.map(member => member.workspaceId);
  const found = await this.store.global(workspaces).find({ id: { $in: ids }, ...ALIVE }, { limit });
  const byId = new Map(found.items.map(workspace => [workspace.id, workspace]));
  const items = mine.items.flatMap(({ workspaceId, role }) => {
    const workspace = byId.get(workspaceId);
    const seen = caller.kind === "apiKey" ? lowerRole(role, caller.role) : role;
    return workspace ? [presentWorkspace(workspace, seen)] : [];
  });
  return { items, next: mine.next };
});

export const get = handle<"workspaces.get", WithStore>("workspaces.get", async function (ctx) {
  const workspace = await this.store.global(workspaces).get({ id: ctx.params.workspaceId, ...ALIVE });
  if (!workspace) throw notFound("workspace");
  return presentWorkspace(workspace, roleOf(ctx));
});

/**
 * A person must make this demand, because it concerns people: an owner whom the demand does not lock out.
 * @throws {AppError} api_key_not_allowed, role_too_low, factor_required
 */
function checkDemand(ctx: ActionContext<"workspaces.update">, demanded: boolean): void {
  const { factor } = userOf(ctx);
  if (!includesRole(roleOf(ctx), "owner"))
    throw new AppError("role_too_low", {
      detail: `This requires the role \`owner\`; your role is \`${roleOf(ctx)}\`.`,
    });
  if (demanded && !factor) throw new AppError("factor_required");
}

export const update = handle<"workspaces.update", WithStore>("workspaces.update", async function (ctx) {
  const { workspaceId, name, slug, demandsFactor } = ctx.params;
  if (demandsFactor !== undefined) checkDemand(ctx, demandsFactor);
  const filter = { id: workspaceId, ...ALIVE };
  const all = this.store.global(workspaces);
  const current = await all.get(filter);
  if (!current) throw notFound("workspace");
  const next = { name: name ?? current.name, slug: slug ?? current.slug };
  const isDemanded = demandsFactor === undefined || demandsFactor === (current.demandsFactor ?? false);
  if (next.name === current.name && next.slug === current.slug && isDemanded)
    return presentWorkspace(current, roleOf(ctx));
  const given = {
    ...(name !== undefined && { name }),
    ...(slug !== undefined && { slug }),
    ...(demandsFactor !== undefined && { demandsFactor }),
  };
  try {
    const updated = await all.updateOne(filter, { $set: { ...given, updatedAt: new Date() } });
    if (!updated) throw notFound("workspace");
    return presentWorkspace(updated, roleOf(ctx));
  } catch (error) {
    throw isUniqueConflict(error) ? new AppError("slug_taken") : error;
  }
});

export const recipients = handle<"workspaces.recipients", WithStore>("workspaces.recipients", async function (ctx) {
  const { workspaceId, userIds, role: least, limit, cursor: after = null } = ctx.params;
  const filter = {
    ...(userIds && { userId: { $in: userIds } }),
    ...(least && { role: { $in: ROLES.filter(role => includesRole(role, least)) } }),
  };
  const { items, next } = await this.store.tenant(members, workspaceId).find(filter, { limit, after });
  return { items: items.map(member => member.userId), next };
});
