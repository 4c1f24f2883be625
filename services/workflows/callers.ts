import type { Page } from "../../adapters/store/port.ts";
import { handle } from "../../contracts/call.ts";
import type { WorkflowCaller } from "../../contracts/entities/workflow.ts";
import { callsOf, type WorkflowCall } from "../../core/graph/uses.ts";
import type { WithStore } from "../../service-kit/store.mixin.ts";
import { ALIVE } from "../../service-kit/tombstone.ts";
import { findWorkflow } from "./find-workflow.ts";
import { type WorkflowDoc, workflows } from "./model.ts";
import { deployedDefinition } from "./tool-uses.ts";

/** Definitions may be large, so few are in memory at once. */
const BATCH = 20;
/** The most workflows that are looked through for one page. */
const MAX_SCANNED = 500;
const MAX_CALLS = 20;

/** How the newest and the deployed version of a workflow call another one; undefined where they do not. */
async function callerOf(self: WithStore, workflow: WorkflowDoc, called: string): Promise<WorkflowCaller | undefined> {
  const live = callsOf(workflow.deployedVersion === null ? null : await deployedDefinition(self, workflow), called);
  const calls = new Map<string, WorkflowCall>();
  for (const call of [...live, ...callsOf(workflow.definition, called)]) {
    // A step may name one version in what is deployed, and another one in what is newest.
    calls.set(JSON.stringify([call.nodeId, call.version]), call);
  }
  if (calls.size === 0) return undefined;
  const { id: workflowId, spaceId, name } = workflow;
  return { workflowId, spaceId, name, deployed: live.length > 0, calls: [...calls.values()].slice(0, MAX_CALLS) };
}

export const callers = handle<"workflows.callers", WithStore>("workflows.callers", async function (ctx) {
  const { workspaceId, id, limit, cursor = null } = ctx.params;
  await findWorkflow(this.store, ctx.params);
  const all = this.store.tenant(workflows, workspaceId);
  const items: WorkflowCaller[] = [];
  let after = cursor;
  for (let scanned = 0; scanned < MAX_SCANNED && items.length < limit; scanned += BATCH) {
    const page: Page<WorkflowDoc> = await all.find(
      { status: "active" as const, ...ALIVE },
      { sort: { id: -1 }, limit: Math.min(BATCH, limit - items.length), after },
    );
    for (const workflow of page.items) {
      const caller = await callerOf(this, workflow, id);
      if (caller) items.push(caller);
    }
    after = page.next;
    if (after === null) break;
  }
  return { items, next: after };
});
