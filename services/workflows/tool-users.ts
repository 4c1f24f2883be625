import type { Page } from "../../adapters/store/port.ts";
import type { OutputOf } from "../../contracts/actions.ts";
import { handle } from "../../contracts/call.ts";
import { toolUses } from "../../core/graph/uses.ts";
import type { WithStore } from "../../service-kit/store.mixin.ts";
import { ALIVE } from "../../service-kit/tombstone.ts";
import { type WorkflowDoc, workflows } from "./model.ts";
import { deployedDefinition } from "./tool-uses.ts";

type ToolUser = OutputOf<"workflows.toolUsers">["items"][number];

/** Definitions may be large, so few are in memory at once. */
const BATCH = 20;
/** The most workflows that are looked through for one page. */
const MAX_SCANNED = 500;
/** The most that is listed of one workflow. */
const MAX_TOOLS = 100;
const MAX_NODES = 20;

/** The tools that the newest and the deployed version of a workflow name. */
async function toolsOf(
  self: WithStore,
  workflow: WorkflowDoc,
  wanted: ReadonlySet<string> | undefined,
): Promise<ToolUser["tools"]> {
  const newest = toolUses(workflow.definition, wanted);
  const live = toolUses(workflow.deployedVersion === null ? null : await deployedDefinition(self, workflow), wanted);
  const ids = [...new Set([...live.keys(), ...newest.keys()])].slice(0, MAX_TOOLS);
  return ids.map(toolId => {
    const nodeIds = new Set([...(live.get(toolId) ?? []), ...(newest.get(toolId) ?? [])]);
    return { toolId, deployed: live.has(toolId), nodeIds: [...nodeIds].slice(0, MAX_NODES) };
  });
}

export const toolUsers = handle<"workflows.toolUsers", WithStore>("workflows.toolUsers", async function (ctx) {
  const { workspaceId, toolId, limit, cursor = null } = ctx.params;
  const wanted = toolId === undefined ? undefined : new Set([toolId]);
  const all = this.store.tenant(workflows, workspaceId);
  const items: ToolUser[] = [];
  let after = cursor;
  for (let scanned = 0; scanned < MAX_SCANNED && items.length < limit; scanned += BATCH) {
    const page: Page<WorkflowDoc> = await all.find(
      { status: "active" as const, ...ALIVE },
      { sort: { id: -1 }, limit: Math.min(BATCH, limit - items.length), after },
    );
    for (const workflow of page.items) {
      const tools = await toolsOf(this, workflow, wanted);
      const { id: workflowId, spaceId, name } = workflow;
      if (tools.length > 0) items.push({ workflowId, spaceId, name, tools });
    }
    after = page.next;
    if (after === null) break;
  }
  return { items, next: after };
});
