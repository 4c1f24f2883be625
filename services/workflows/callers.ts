import { handle } from "../../contracts/call.ts";
import type { WorkflowCaller } from "../../contracts/entities/workflow.ts";
import { callsOf, type WorkflowCall } from "../../core/graph/uses.ts";
import type { WithStore } from "../../service-kit/store.mixin.ts";
import { findWorkflow } from "./find-workflow.ts";
import type { WorkflowDoc } from "./model.ts";
import { pickEach, scanWorkflows } from "./scan-workflows.ts";
import { deployedDefinition } from "./tool-uses.ts";

const MAX_CALLS = 20;

/** How the newest and the deployed version of a workflow call another one; undefined if they do not. */
async function callerOf(self: WithStore, workflow: WorkflowDoc, called: string): Promise<WorkflowCaller | undefined> {
  const live = callsOf(workflow.deployedVersion === null ? null : await deployedDefinition(self, workflow), called);
  const calls = new Map<string, WorkflowCall>();
  for (const call of [...live, ...callsOf(workflow.definition, called)]) {
    // A step may call different versions in the deployed and in the newest definition.
    calls.set(JSON.stringify([call.nodeId, call.version]), call);
  }
  if (calls.size === 0) return undefined;
  const { id: workflowId, spaceId, name } = workflow;
  return { workflowId, spaceId, name, deployed: live.length > 0, calls: [...calls.values()].slice(0, MAX_CALLS) };
}

export const callers = handle<"workflows.callers", WithStore>("workflows.callers", async function (ctx) {
  await findWorkflow(this.store, ctx.params);
  const { id } = ctx.params;
  return scanWorkflows(
    this,
    ctx.params,
    pickEach(workflow => callerOf(this, workflow, id)),
  );
});
