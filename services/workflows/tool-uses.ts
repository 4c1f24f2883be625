import type { Page } from "../../adapters/store/port.ts";
import type { OutputOf } from "../../contracts/actions.ts";
import { handle } from "../../contracts/call.ts";
import { toolUses } from "../../core/graph/uses.ts";
import type { WithStore } from "../../service-kit/store.mixin.ts";
import { ALIVE } from "../../service-kit/tombstone.ts";
import { versions, type WorkflowDoc, workflows } from "./model.ts";

type Uses = OutputOf<"workflows.usingTools">["uses"];

/** Definitions may be large, so only a few are in memory at the same time. */
const BATCH = 20;
/** Limits the work and the size of one response. */
const MAX_WORKFLOWS = 2_000;
const MAX_USES = 500;
const MAX_NODES = 20;

/** The definition that the schedules and webhooks of a workflow run. */
export async function deployedDefinition({ store }: WithStore, workflow: WorkflowDoc): Promise<unknown> {
  const { workspaceId, id: workflowId, version, deployedVersion, definition } = workflow;
  if (deployedVersion === null || deployedVersion === version) return definition;
  const found = await store.tenant(versions, workspaceId).get({ workflowId, version: deployedVersion });
  return found?.definition;
}

export const usingTools = handle<"workflows.usingTools", WithStore>("workflows.usingTools", async function (ctx) {
  const { workspaceId, toolIds } = ctx.params;
  const wanted = new Set(toolIds);
  const all = this.store.tenant(workflows, workspaceId);
  const uses: Uses = [];
  let after: string | null = null;
  for (let read = 0; read < MAX_WORKFLOWS && uses.length < MAX_USES; read += BATCH) {
    const deployed = { status: "active" as const, deployedVersion: { $gte: 1 }, ...ALIVE };
    const page: Page<WorkflowDoc> = await all.find(deployed, { limit: BATCH, after });
    for (const workflow of page.items) {
      const { id: workflowId, spaceId, name } = workflow;
      for (const [toolId, nodeIds] of toolUses(await deployedDefinition(this, workflow), wanted)) {
        uses.push({ toolId, workflowId, spaceId, name, nodeIds: nodeIds.slice(0, MAX_NODES) });
      }
    }
    after = page.next;
    if (after === null) break;
  }
  return { uses: uses.slice(0, MAX_USES) };
});
