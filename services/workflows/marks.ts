import type { Filter, Store } from "../../adapters/store/port.ts";
import { handle } from "../../contracts/call.ts";
import type { Workflow } from "../../contracts/entities/workflow.ts";
import { AppError } from "../../contracts/errors.ts";
import { matchesVersion } from "../../core/if-match.ts";
import type { WithStore } from "../../service-kit/store.mixin.ts";
import { aliveIn, findWorkflow, type WorkflowScope } from "./find-workflow.ts";
import { presentWorkflow, type WorkflowDoc, workflows } from "./model.ts";
import { syncTool } from "./tools.ts";

/** Each failed attempt means that another request changed the workflow. */
const MAX_ATTEMPTS = 20;

/** Changes a workflow in the state `from`. A workflow in another state already has the wanted state. */
async function change(
  store: Store,
  scope: WorkflowScope,
  from: Filter<WorkflowDoc>,
  $set: Partial<WorkflowDoc>,
): Promise<Workflow> {
  const changed = await store
    .tenant(workflows, scope.workspaceId)
    .updateOne({ ...aliveIn(scope), ...from }, { $set: { updatedAt: new Date(), ...$set } });
  return presentWorkflow(changed ?? (await findWorkflow(store, scope)));
}

export const star = handle<"workflows.star", WithStore>("workflows.star", function (ctx) {
  const { starred } = ctx.params;
  return change(this.store, ctx.params, { starred: !starred }, { starred });
});

export const trash = handle<"workflows.trash", WithStore>("workflows.trash", async function (ctx) {
  const now = new Date();
  const set = { status: "trashed", trashedAt: now, updatedAt: now } as const;
  const { ifMatch } = ctx.params;
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const { version } = await findWorkflow(this.store, ctx.params);
    if (ifMatch !== undefined && !matchesVersion(ifMatch, version)) throw new AppError("precondition_failed");
    const from = { status: "active" as const, ...(ifMatch !== undefined && { version }) };
    const workflow = await change(this.store, ctx.params, from, set);
    if (workflow.status !== "trashed") continue;
    await syncTool(this.store, ctx.params);
    return workflow;
  }
  throw new AppError("conflict");
});

export const restore = handle<"workflows.restore", WithStore>("workflows.restore", async function (ctx) {
  const set = { status: "active", trashedAt: null } as const;
  const workflow = await change(this.store, ctx.params, { status: "trashed" }, set);
  await syncTool(this.store, ctx.params);
  return workflow;
});
