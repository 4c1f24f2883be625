import { v7 as uuid } from "uuid";
import type { Context, Service } from "moleculer";
import { defineCollection } from "../../adapters/store/define-collection.ts";
import { boolean, date, nullable, string } from "../../adapters/store/field-types.ts";
import { isUniqueConflict } from "../../adapters/store/errors.ts";
import type { Store } from "../../adapters/store/port.ts";
import { callerOf, handle } from "../../contracts/call.ts";
import { MAX_PRESENT, PRESENCE_MS, type WorkflowPresence } from "../../contracts/entities/presence.ts";
import { namesOf } from "../../service-kit/names.ts";
import { removeAll } from "../../service-kit/remove-all.ts";
import type { WithStore } from "../../service-kit/store.mixin.ts";
import { findWorkflow, type WorkflowScope } from "./find-workflow.ts";

/** A user who has a workflow open. There is one entry per user, however many pages are open. */
export const presences = defineCollection({
  name: "workflowPresences",
  tenant: true,
  fields: {
    spaceId: string(),
    workflowId: string(),
    userId: string(),
    editing: boolean(),
    nodeId: nullable(string()),
    since: date(),
    until: date(),
  },
  indexes: [
    [{ workspaceId: 1, workflowId: 1, userId: 1 }, { unique: true }],
    [{ workspaceId: 1, spaceId: 1 }],
    [{ until: 1 }],
  ],
});

async function presentAt(
  ctx: Context,
  store: Store,
  { workspaceId, spaceId, id: workflowId }: WorkflowScope,
): Promise<WorkflowPresence> {
  const filter = { workflowId, until: { $gt: new Date() } };
  const { items } = await store.tenant(presences, workspaceId).find(filter, { limit: MAX_PRESENT });
  const names = await namesOf(ctx, workspaceId, { users: items.map(({ userId }) => userId) });
  const present = items
    .toSorted((a, b) => a.since.getTime() - b.since.getTime())
    .map(({ userId, editing, nodeId, since, until }) => {
      const name = names.user(userId);
      const times = { since: since.toISOString(), until: until.toISOString() };
      return { userId, ...(name !== undefined && { name }), editing, nodeId, ...times };
    });
  return { workflowId, spaceId, present };
}

export const getPresence = handle<"workflows.presence.get", WithStore>("workflows.presence.get", async function (ctx) {
  await findWorkflow(this.store, ctx.params);
  return presentAt(ctx, this.store, ctx.params);
});

export const reportPresence = handle<"workflows.presence.report", WithStore>(
  "workflows.presence.report",
  async function (ctx) {
    const { workspaceId, spaceId, id: workflowId, editing, nodeId = null } = ctx.params;
    await findWorkflow(this.store, ctx.params);
    const all = this.store.tenant(presences, workspaceId);
    const { userId } = callerOf(ctx);
    const now = new Date();
    const state = { editing, nodeId, until: new Date(now.getTime() + PRESENCE_MS) };
    const stays = await all.updateOne({ workflowId, userId, until: { $gt: now } }, { $set: state });
    if (!stays) {
      await all.remove({ workflowId, userId, until: { $lte: now } });
      await all.insert({ id: uuid(), workspaceId, spaceId, workflowId, userId, since: now, ...state }).catch(error => {
        // Another page of the same user was added at the same moment.
        if (!isUniqueConflict(error)) throw error;
      });
    }
    return presentAt(ctx, this.store, ctx.params);
  },
);

export const endPresence = handle<"workflows.presence.end", WithStore>("workflows.presence.end", async function (ctx) {
  const { workspaceId, id: workflowId } = ctx.params;
  await findWorkflow(this.store, ctx.params);
  await this.store.tenant(presences, workspaceId).remove({ workflowId, userId: callerOf(ctx).userId });
  return presentAt(ctx, this.store, ctx.params);
});

export function sweepPresences(this: Service & WithStore, now: Date): Promise<void> {
  return removeAll(this.store.acrossTenants(presences), { until: { $lt: now } });
}
