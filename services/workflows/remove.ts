import type { Service } from "moleculer";
import { call, handle } from "../../contracts/call.ts";
import { notFound } from "../../contracts/errors.ts";
import { removeAll } from "../../service-kit/remove-all.ts";
import type { WithStore } from "../../service-kit/store.mixin.ts";
import type { WithSweep } from "../../service-kit/sweep.mixin.ts";
import { markDeleted, sweepTombstones } from "../../service-kit/tombstone.ts";
import { deployments } from "./deployment-model.ts";
import { presences } from "./presence.ts";
import { drafts, samples, sampleSets } from "./draft-model.ts";
import { aliveIn } from "./find-workflow.ts";
import { versions, type WorkflowDoc, workflows } from "./model.ts";
import { workflowTools } from "./tool-model.ts";
import { syncTool } from "./tools.ts";

const PURGE_TIMEOUT_MS = 30_000;

/** The services that can start a workflow. */
const PURGES = ["schedules.purge", "webhooks.purge"] as const;

export const remove = handle<"workflows.remove", WithStore & WithSweep>("workflows.remove", async function (ctx) {
  const deleted = await this.store
    .tenant(workflows, ctx.params.workspaceId)
    .updateOne(aliveIn(ctx.params), { $set: markDeleted(new Date()), $unset: { slug: true } });
  if (!deleted) throw notFound("workflow");
  await syncTool(this.store, ctx.params);
  this.sweeper.soon();
  return null;
});

/** Purges the workflows of a deleted space or workspace. */
export const purge = handle<"workflows.purge", WithStore>("workflows.purge", async function (ctx) {
  const { workspaceId, spaceId } = ctx.params;
  const filter = spaceId === undefined ? {} : { spaceId };
  await removeAll(this.store.tenant(workflows, workspaceId), filter);
  await removeAll(this.store.tenant(versions, workspaceId), filter);
  await removeAll(this.store.tenant(workflowTools, workspaceId), filter);
  await removeAll(this.store.tenant(drafts, workspaceId), filter);
  await removeAll(this.store.tenant(samples, workspaceId), filter);
  await removeAll(this.store.tenant(sampleSets, workspaceId), filter);
  await removeAll(this.store.tenant(deployments, workspaceId), filter);
  await removeAll(this.store.tenant(presences, workspaceId), filter);
  return null;
});

/** Removes the versions of deleted workflows, and their schedules and webhooks. */
export async function sweepWorkflows(this: Service & WithStore, now: Date): Promise<void> {
  const purgeOne = async ({ id: workflowId, workspaceId }: WorkflowDoc) => {
    await removeAll(this.store.tenant(versions, workspaceId), { workflowId });
    await removeAll(this.store.tenant(workflowTools, workspaceId), { id: workflowId });
    await removeAll(this.store.tenant(drafts, workspaceId), { workflowId });
    await removeAll(this.store.tenant(samples, workspaceId), { workflowId });
    await removeAll(this.store.tenant(sampleSets, workspaceId), { id: workflowId });
    await removeAll(this.store.tenant(deployments, workspaceId), { workflowId });
    await removeAll(this.store.tenant(presences, workspaceId), { workflowId });
    for (const name of PURGES)
      await call(this.broker, name, { workspaceId, workflowId }, { timeout: PURGE_TIMEOUT_MS });
  };
  await sweepTombstones(this.store.acrossTenants(workflows), now, purgeOne, this.logger);
}
