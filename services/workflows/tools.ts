import type { Store } from "../../adapters/store/port.ts";
import { handle } from "../../contracts/call.ts";
import { inputSchemaOf } from "../../core/graph/input-schema.ts";
import { toolNames } from "../../core/graph/tool-name.ts";
import { boundedPage } from "../../mixins/bounded-page.ts";
import { isUniqueConflict } from "../../mixins/store-conflicts.ts";
import type { WithStore } from "../../mixins/store.mixin.ts";
import type { WorkflowScope } from "./find-workflow.ts";
import type { WorkflowDoc } from "./model.ts";
import { presentTool, workflowTools } from "./tool-model.ts";

/**
 * Makes a workflow that was deployed just now the tool that its definition says it is, or none. It keeps the name that it
 * has for as long as the workflow is called so.
 */
export async function offerTool(store: Store, workflow: WorkflowDoc): Promise<void> {
  const { id, workspaceId, spaceId, version, name: title, description, status } = workflow;
  const tools = store.tenant(workflowTools, workspaceId);
  const inputSchema = inputSchemaOf(workflow.definition);
  if (!inputSchema) return void (await tools.remove({ id, version: { $lte: version } }));
  const bytes = Buffer.byteLength(JSON.stringify(inputSchema)) + Buffer.byteLength(title + description);
  const fields = { spaceId, version, title, description, inputSchema, resting: status === "trashed", bytes };
  const known = await tools.get({ id });
  // Each is tried twice: what the insert met may be this workflow's own tool, of a deployment at the same moment.
  for (const name of toolNames(title, id, known?.name).flatMap(each => [each, each])) {
    try {
      const moved = await tools.updateOne({ id, version: { $lte: version } }, { $set: { ...fields, name } });
      if (!moved) await tools.insert({ id, workspaceId, name, ...fields });
      return;
    } catch (error) {
      if (!isUniqueConflict(error)) throw error;
    }
  }
}

/** What is in the trash is no tool. */
export async function restTool(store: Store, { workspaceId, id }: WorkflowScope, resting: boolean): Promise<void> {
  await store.tenant(workflowTools, workspaceId).updateOne({ id }, { $set: { resting } });
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
