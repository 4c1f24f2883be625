import type { Service } from "moleculer";
import { call, handle } from "../../contracts/call.ts";
import { AppError, notFound } from "../../contracts/errors.ts";
import { removeAll } from "../../service-kit/remove-all.ts";
import { isNotMatched } from "../../adapters/store/errors.ts";
import type { WithStore } from "../../service-kit/store.mixin.ts";
import type { WithSweep } from "../../service-kit/sweep.mixin.ts";
import { ALIVE, markDeleted, sweepTombstones } from "../../service-kit/tombstone.ts";
import { type PodDoc, pods, type SpaceDoc, spaces } from "./model.ts";

type Self = WithStore & WithSweep;

const PURGE_TIMEOUT_MS = 30_000;

/** The services that hold data of a space. */
const PURGES = ["schedules.purge", "webhooks.purge", "variables.purge", "executions.purge", "workflows.purge"] as const;

/** The pod and its spaces disappear at once. The content of the spaces is purged later. */
export const removePod = handle<"pods.remove", Self>("pods.remove", async function (ctx) {
  const { workspaceId, podId } = ctx.params;
  const $set = markDeleted(new Date());
  try {
    await this.store.write([
      this.store.tenant(pods, workspaceId).ops.updateOne({ id: podId, ...ALIVE }, { $set }, { required: true }),
      this.store.tenant(spaces, workspaceId).ops.updateMany({ podId, ...ALIVE }, { $set }),
    ]);
  } catch (error) {
    throw isNotMatched(error) ? notFound("pod") : error;
  }
  this.sweeper.soon();
  return null;
});

export const removeSpace = handle<"pods.spaces.remove", Self>("pods.spaces.remove", async function (ctx) {
  const { workspaceId, spaceId: id } = ctx.params;
  const all = this.store.tenant(spaces, workspaceId);
  const space = await all.get({ id, ...ALIVE });
  if (!space) throw notFound("space");
  if (space.default) throw new AppError("default_space");
  if (!(await all.updateOne({ id, ...ALIVE }, { $set: markDeleted(new Date()) }))) throw notFound("space");
  this.sweeper.soon();
  return null;
});

/**
 * Purges all pods and spaces of a workspace that is being deleted. The purge of the workspace also covers their
 * content.
 */
export const purge = handle<"pods.purge", WithStore>("pods.purge", async function (ctx) {
  const { workspaceId } = ctx.params;
  await removeAll(this.store.tenant(spaces, workspaceId), {});
  await removeAll(this.store.tenant(pods, workspaceId), {});
  return null;
});

/** Purges leftovers of deleted spaces in the other services. */
export async function sweepPods(this: Service & WithStore, now: Date): Promise<void> {
  // A pod contains only spaces, which have tombstones of their own.
  const purgePod = async ({ id: podId, workspaceId }: PodDoc) => {
    await this.store.tenant(spaces, workspaceId).updateMany({ podId, ...ALIVE }, { $set: markDeleted(now) });
  };
  const purgeSpace = async ({ id: spaceId, workspaceId }: SpaceDoc) => {
    for (const name of PURGES) await call(this.broker, name, { workspaceId, spaceId }, { timeout: PURGE_TIMEOUT_MS });
  };
  await sweepTombstones(this.store.acrossTenants(pods), now, purgePod, this.logger);
  await sweepTombstones(this.store.acrossTenants(spaces), now, purgeSpace, this.logger);
}
