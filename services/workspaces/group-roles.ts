import type { Service } from "moleculer";
import { v7 as uuid } from "uuid";
import { isUniqueConflict } from "../../adapters/store/errors.ts";
import { config } from "../../config.ts";
import { handle, roleOf } from "../../contracts/call.ts";
import type { GroupRole, GroupRoles } from "../../contracts/entities/sso.ts";
import { AppError } from "../../contracts/errors.ts";
import type { Role } from "../../contracts/primitives.ts";
import { includesRole } from "../../core/roles.ts";
import { rolesByWorkspace } from "../../core/sso.ts";
import type { WithOutbox } from "../../service-kit/outbox.mixin.ts";
import { markForNotice } from "../../service-kit/outbox.ts";
import type { WithStore } from "../../service-kit/store.mixin.ts";
import { ALIVE } from "../../service-kit/tombstone.ts";
import { changeAudited, type GroupSignIn } from "./group-audit.ts";
import { endMembership } from "./end-membership.ts";
import { revokeBeyond } from "./invites.ts";
import { removeAndNotify } from "./membership-notices.ts";
import { type GroupRoleDoc, groupRoles, type MemberDoc, members, workspaces } from "./model.ts";

type Self = Service & WithStore & WithOutbox;

const MAX_RULES = 200;
const PAGE = 200;

const keyOf = ({ provider, group }: GroupRole) => `${provider} ${group}`;

async function shown({ store }: Self, workspaceId: string): Promise<GroupRoles> {
  const { items } = await store.tenant(groupRoles, workspaceId).find({}, { limit: MAX_RULES });
  return {
    providers: config().OIDC.map(({ id, name }) => ({ id, name })),
    groups: items.map(({ provider, group, role }) => ({ provider, group, role: role as GroupRole["role"] })),
  };
}

export const read = handle<"workspaces.sso.read", Self>("workspaces.sso.read", function (ctx) {
  return shown(this, ctx.params.workspaceId);
});

/** @throws {AppError} validation_failed, role_too_low */
function check(groups: readonly GroupRole[], own: Role): void {
  const known = new Set(config().OIDC.map(({ id }) => id));
  const seen = new Set<string>();
  groups.forEach((rule, at) => {
    const fault = (field: string, message: string) =>
      new AppError("validation_failed", { errors: [{ path: `/groups/${at}/${field}`, message }] });
    if (!known.has(rule.provider)) throw fault("provider", "This installation has no such provider");
    if (seen.has(keyOf(rule))) throw fault("group", "The group is in the list already");
    seen.add(keyOf(rule));
    if (!includesRole(own, rule.role))
      throw new AppError("role_too_low", {
        detail: `This requires the role \`${rule.role}\`; your role is \`${own}\`.`,
      });
  });
}

/** Members whose provider no longer gives a role here keep their role. People can change it again. */
export const update = handle<"workspaces.sso.update", Self>("workspaces.sso.update", async function (ctx) {
  const { workspaceId, groups } = ctx.params;
  check(groups, roleOf(ctx));
  const all = this.store.tenant(groupRoles, workspaceId);
  const { items } = await all.find({}, { limit: MAX_RULES });
  const former = new Map(items.map(rule => [keyOf(rule as GroupRole), rule]));
  const wanted = new Set(groups.map(keyOf));
  const using = new Set(groups.map(({ provider }) => provider));
  const freed = [...new Set(items.map(({ provider }) => provider))].filter(provider => !using.has(provider));
  const now = new Date();
  const ops = groups.flatMap(({ provider, group, role }) => {
    const known = former.get(keyOf({ provider, group, role }));
    if (!known) return [all.ops.insert({ id: uuid(), workspaceId, provider, group, role, createdAt: now })];
    return known.role === role ? [] : [all.ops.updateOne({ id: known.id }, { $set: { role } })];
  });
  const gone = items.filter(rule => !wanted.has(keyOf(rule as GroupRole)));
  await this.store
    .write([
      ...ops,
      ...gone.map(({ id }) => all.ops.remove({ id })),
      ...freed.map(managedBy =>
        this.store.tenant(members, workspaceId).ops.updateMany({ managedBy }, { $unset: { managedBy: true } }),
      ),
    ])
    .catch((error: unknown) => {
      throw isUniqueConflict(error) ? new AppError("conflict") : error;
    });
  return shown(this, workspaceId);
});

/** All rules of a provider that match one of the groups, in all workspaces. */
async function matching({ store }: Self, provider: string, groups: readonly string[]): Promise<GroupRoleDoc[]> {
  const found: GroupRoleDoc[] = [];
  for (let at = 0; at < groups.length; at += PAGE) {
    const filter = { provider, group: { $in: groups.slice(at, at + PAGE) } };
    for (let after: string | null = null, more = true; more;) {
      const page = await store.acrossTenants(groupRoles).find(filter, { limit: PAGE, after });
      found.push(...page.items);
      more = (after = page.next) !== null;
    }
  }
  return found;
}

async function addMember(self: Self, workspaceId: string, { userId, provider }: GroupSignIn, role: Role) {
  const now = new Date();
  const made = { id: uuid(), workspaceId, userId, role, managedBy: provider, createdAt: now, updatedAt: now };
  await self.store
    .tenant(members, workspaceId)
    .insert(made)
    .catch((error: unknown) => {
      if (!isUniqueConflict(error)) throw error;
    });
}

async function changeRole(self: Self, current: MemberDoc, managedBy: string, role: Role) {
  const { workspaceId, userId } = current;
  const now = new Date();
  const news = current.role === role ? {} : markForNotice(now);
  const change = { $set: { role, managedBy, updatedAt: now, ...news } };
  const changed = await self.store.tenant(members, workspaceId).updateOne({ userId, role: current.role }, change);
  if (!changed) throw new AppError("conflict");
  if (!includesRole(role, current.role)) await revokeBeyond(self.store, workspaceId, userId, role);
  self.outbox.soon();
}

/** Gives a person a role in a workspace. An owner keeps that role. */
async function give(self: Self, signIn: GroupSignIn, workspaceId: string, role: Role): Promise<void> {
  const { userId, provider } = signIn;
  const current = await self.store.tenant(members, workspaceId).get({ userId });
  if (!current) {
    if (!(await self.store.global(workspaces).get({ id: workspaceId, ...ALIVE }))) return;
    return changeAudited(signIn, workspaceId, "groups.role_given", () => addMember(self, workspaceId, signIn, role));
  }
  const isSame = current.role === role;
  if (current.role === "owner" || (isSame && current.managedBy === provider)) return;
  const action = isSame ? "groups.role_managed" : "groups.role_given";
  return changeAudited(signIn, workspaceId, action, () => changeRole(self, current, provider, role));
}

async function take(self: Self, { userId }: GroupSignIn, { workspaceId, role }: MemberDoc): Promise<void> {
  if (await removeAndNotify(self.store, workspaceId, userId, role)) await endMembership(self, workspaceId, userId);
}

export const applyGroups = handle<"workspaces.applyGroups", Self>("workspaces.applyGroups", async function (ctx) {
  const { userId, provider, groups, address = "" } = ctx.params;
  const signIn = { ctx, userId, provider, address };
  const wanted = rolesByWorkspace(await matching(this, provider, groups));
  for (const [workspaceId, role] of wanted) await give(this, signIn, workspaceId, role);
  const managed: MemberDoc[] = [];
  for (let after: string | null = null, more = true; more;) {
    const page = await this.store.acrossTenants(members).find({ userId, managedBy: provider }, { limit: PAGE, after });
    managed.push(...page.items);
    more = (after = page.next) !== null;
  }
  for (const member of managed)
    if (!wanted.has(member.workspaceId))
      await changeAudited(signIn, member.workspaceId, "groups.role_taken", () => take(this, signIn, member));
  return null;
});
