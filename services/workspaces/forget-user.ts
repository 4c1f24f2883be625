import type { Service } from "moleculer";
import { isNotMatched } from "../../adapters/store/errors.ts";
import { call, handle } from "../../contracts/call.ts";
import { includesRole } from "../../core/roles.ts";
import { removeAll } from "../../service-kit/remove-all.ts";
import type { WithStore } from "../../service-kit/store.mixin.ts";
import type { WithSweep } from "../../service-kit/sweep.mixin.ts";
import { revokeBeyond } from "./invites.ts";
import { departures } from "./membership-notices.ts";
import { type MemberDoc, members, views } from "./model.ts";
import { membershipsOf, namesOfSolelyOwned, remainingMembers } from "./owned-alone.ts";
import { makeOwner } from "./operated.ts";
import { markWorkspaceDeleted } from "./remove-workspace.ts";

/** The most members among whom a new owner is searched. */
const CANDIDATES = 1_000;
const TIMEOUT_MS = 30_000;

/** The longest-standing member with the highest role. */
async function heir({ store }: WithStore, workspaceId: string, userId: string): Promise<MemberDoc | undefined> {
  const { items } = await store
    .tenant(members, workspaceId)
    .find({ userId: { $ne: userId } }, { sort: { id: 1 }, limit: CANDIDATES });
  return items.reduce<MemberDoc | undefined>(
    (best, one) => (best && includesRole(best.role, one.role) ? best : one),
    undefined,
  );
}

/** The membership is removed last, so that a repeated call finds what remains to be done. */
async function leave(self: Service & WithStore, member: MemberDoc): Promise<void> {
  const { store, broker } = self;
  const { workspaceId, userId } = member;
  const left = await remainingMembers(store, member);
  if (left === "no-members") {
    // The user's data in the workspace is removed with the workspace.
    await markWorkspaceDeleted(store, workspaceId, new Date()).catch((error: unknown) => {
      // Another call has already deleted it.
      if (!isNotMatched(error)) throw error;
    });
    await store.tenant(members, workspaceId).remove({ userId });
    return;
  }
  if (left === "no-owner") {
    // Another person joined after the check. The workspace must have an owner.
    const next = await heir(self, workspaceId, userId);
    if (next) await makeOwner(store, workspaceId, next.userId);
  }
  const options = { timeout: TIMEOUT_MS };
  await call(broker, "memory.forgetUser", { workspaceId, userId }, options);
  await call(broker, "workflows.drafts.purge", { workspaceId, userId }, options);
  await removeAll(store.tenant(views, workspaceId), { createdBy: userId });
  await removeAll(store.tenant(departures, workspaceId), { userId });
  await revokeBeyond(store, workspaceId, userId, null);
  await store.tenant(members, workspaceId).remove({ userId });
}

export const ownedAlone = handle<"workspaces.ownedAlone", WithStore>("workspaces.ownedAlone", async function (ctx) {
  return { names: await namesOfSolelyOwned(this.store, ctx.params.userId) };
});

export const forgetUser = handle<"workspaces.forgetUser", Service & WithStore & WithSweep>(
  "workspaces.forgetUser",
  async function (ctx) {
    for await (const member of membershipsOf(this.store, ctx.params.userId)) await leave(this, member);
    this.sweeper.soon();
    return null;
  },
);

/** The most workspaces in whose audit logs a member's sign-ins are recorded. */
const MAX_TOLD = 100;

export const idsOf = handle<"workspaces.idsOf", WithStore>("workspaces.idsOf", async function (ctx) {
  const { userId } = ctx.params;
  const { items } = await this.store
    .acrossTenants(members)
    .find({ userId }, { sort: { workspaceId: -1 }, limit: MAX_TOLD });
  return { ids: items.map(({ workspaceId }) => workspaceId) };
});
