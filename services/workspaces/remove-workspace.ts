import type { Service } from "moleculer";
import type { Store } from "../../adapters/store/port.ts";
import { call, handle } from "../../contracts/call.ts";
import { notFound } from "../../contracts/errors.ts";
import { isNotMatched } from "../../adapters/store/errors.ts";
import { removeAll } from "../../service-kit/remove-all.ts";
import type { WithStore } from "../../service-kit/store.mixin.ts";
import type { WithSweep } from "../../service-kit/sweep.mixin.ts";
import { markDeleted, sweepTombstones } from "../../service-kit/tombstone.ts";
import { groupRoles, invites, members, views, type WorkspaceDoc, workspaces } from "./model.ts";
import { departures } from "./membership-notices.ts";
import { usages } from "./usage-model.ts";

const PURGE_TIMEOUT_MS = 30_000;

/** The services that hold data of a workspace. Spaces are purged first, so that nothing new begins in them. */
const PURGES = [
  "pods.purge",
  "schedules.purge",
  "webhooks.purge",
  "credentials.purge",
  "variables.purge",
  "executions.purge",
  "workflows.purge",
  "knowledge.purge",
  "mcp.purge",
  "memory.purge",
  "files.purge",
  "notifications.purge",
  "identity.apiKeys.purge",
  "idempotency.purge",
  "audit.purge",
] as const;

/** Deletes a workspace for its readers: it disappears, its slug is free, and its members lose their roles. */
export function markWorkspaceDeleted(store: Store, id: string, now: Date): Promise<unknown> {
  return store.write([
    store
      .global(workspaces)
      .ops.updateOne(
        { id, slug: { $ne: `~${id}` } },
        { $set: { slug: `~${id}`, ...markDeleted(now) } },
        { required: true },
      ),
    store.tenant(members, id).ops.remove({}),
  ]);
}

/** @throws {AppError} not_found */
export async function removeWorkspaceNow(
  { store, sweeper }: WithStore & WithSweep,
  workspaceId: string,
): Promise<void> {
  try {
    await markWorkspaceDeleted(store, workspaceId, new Date());
  } catch (error) {
    throw isNotMatched(error) ? notFound("workspace") : error;
  }
  sweeper.soon();
}

export const remove = handle<"workspaces.remove", WithStore & WithSweep>("workspaces.remove", async function (ctx) {
  await removeWorkspaceNow(this, ctx.params.workspaceId);
  return null;
});

/** Purges leftovers of deleted workspaces, here and in the other services. */
export async function sweepWorkspaces(this: Service & WithStore, now: Date): Promise<void> {
  const purge = async ({ id: workspaceId }: WorkspaceDoc) => {
    await removeAll(this.store.tenant(members, workspaceId), {});
    await removeAll(this.store.tenant(departures, workspaceId), {});
    await removeAll(this.store.tenant(invites, workspaceId), {});
    await removeAll(this.store.tenant(views, workspaceId), {});
    await removeAll(this.store.tenant(groupRoles, workspaceId), {});
    await removeAll(this.store.tenant(usages, workspaceId), {});
    for (const name of PURGES) await call(this.broker, name, { workspaceId }, { timeout: PURGE_TIMEOUT_MS });
  };
  await sweepTombstones(this.store.global(workspaces), now, purge, this.logger);
}
