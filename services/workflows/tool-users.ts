import type { OutputOf } from "../../contracts/actions.ts";
import { handle } from "../../contracts/call.ts";
import { toolUses } from "../../core/graph/uses.ts";
import type { WithStore } from "../../service-kit/store.mixin.ts";
import type { WorkflowDoc } from "./model.ts";
import { pickEach, scanWorkflows } from "./scan-workflows.ts";
import { deployedDefinition } from "./tool-uses.ts";

type ToolUser = OutputOf<"workflows.toolUsers">["items"][number];

/** The most tools that are listed for one workflow. */
const MAX_TOOLS = 100;
const MAX_NODES = 20;

/** The tools that the newest and the deployed version of a workflow refer to. */
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
  const { toolId } = ctx.params;
  const wanted = toolId === undefined ? undefined : new Set([toolId]);
  const look = async (workflow: WorkflowDoc): Promise<ToolUser | undefined> => {
    const tools = await toolsOf(this, workflow, wanted);
    const { id: workflowId, spaceId, name } = workflow;
    return tools.length > 0 ? { workflowId, spaceId, name, tools } : undefined;
  };
  return scanWorkflows(this, ctx.params, pickEach(look));
});
