import type { Store } from "../../adapters/store/port.ts";
import { handle } from "../../contracts/call.ts";
import { inputSchemaOf } from "../../core/graph/input-schema.ts";
import { toolNames } from "../../core/graph/tool-name.ts";
import { boundedPage } from "../../service-kit/bounded-page.ts";
import { isUniqueConflict } from "../../adapters/store/errors.ts";
import type { WithStore } from "../../service-kit/store.mixin.ts";
import { aliveIn, type WorkflowScope } from "./find-workflow.ts";
import { type WorkflowDoc, workflows } from "./model.ts";
import { presentTool, workflowTools } from "./tool-model.ts";

/** It has to look again only if another request changed the workflow. */
const MAX_LOOKS = 100;

/** The tools of this deployment or an earlier one. Tools of versions before this one have no order. */
const notAfter = (order: number) => ({ $or: [{ order: null }, { order: { $lte: order } }] });

/**
 * Offers a workflow that was just deployed as the tool that its definition declares, or removes the tool. The tool
 * keeps its name while the workflow keeps its title.
 */
export async function offerTool(store: Store, workflow: WorkflowDoc): Promise<void> {
  const { id, workspaceId, spaceId, version, name: title, description, status, deploymentCount: order = 0 } = workflow;
  const older = { id, ...notAfter(order) };
  const tools = store.tenant(workflowTools, workspaceId);
  const inputSchema = inputSchemaOf(workflow.definition);
  if (!inputSchema) return void (await tools.remove(older));
  const bytes = Buffer.byteLength(JSON.stringify(inputSchema)) + Buffer.byteLength(title + description);
  const fields = { spaceId, version, order, title, description, inputSchema, resting: status === "trashed", bytes };
  const known = await tools.get({ id });
  // Each name is tried twice, because the conflict may be with this workflow's own tool from a concurrent deployment.
  for (const name of toolNames(title, id, known?.name).flatMap(each => [each, each])) {
    try {
      const moved = await tools.updateOne(older, { $set: { ...fields, name } });
      if (!moved) await tools.insert({ id, workspaceId, name, ...fields });
      return;
    } catch (error) {
      if (!isUniqueConflict(error)) throw error;
    }
  }
}

/**
 * Disables a tool while its workflow is in the trash, and removes it with the workflow. Call it after each change to
 * either document. Of concurrent callers, the last writer then sees the final state of the workflow.
 */
export async function syncTool(store: Store, scope: WorkflowScope): Promise<void> {
  const { workspaceId, id } = scope;
  const all = store.tenant(workflowTools, workspaceId);
  for (let looks = 0; looks < MAX_LOOKS; looks++) {
    const workflow = await store.tenant(workflows, workspaceId).get(aliveIn(scope));
    if (!workflow) return void (await all.remove({ id }));
    // Removes the tool of an older deployment. The newer deployment offers its own.
    const { deploymentCount: order, deployedVersion } = workflow;
    await all.remove({ id, ...(order ? notAfter(order - 1) : { version: { $lt: deployedVersion ?? 0 } }) });
    const resting = workflow.status === "trashed";
    if (!(await all.updateOne({ id, resting: !resting }, { $set: { resting } }))) return;
  }
}

export const tools = handle<"workflows.tools", WithStore>("workflows.tools", async function (ctx) {
  const { workspaceId, name, limit, cursor = null } = ctx.params;
  const all = this.store.tenant(workflowTools, workspaceId);
  const filter = { resting: false, ...(name !== undefined && { name }) };
  const page = await boundedPage(
    (max, after) => all.find(filter, { sort: { name: 1 }, limit: max, after }),
    limit,
    cursor,
  );
  return { items: page.items.map(presentTool), next: page.next };
});
