import { callerOf, handle } from "../../contracts/call.ts";
import { workflowEtag } from "../../contracts/entities/workflow.ts";
import { AppError } from "../../contracts/errors.ts";
import { matchesTag } from "../../core/if-match.ts";
import { changedContent } from "../../core/workflow-versions.ts";
import { newId } from "../../mixins/new-id.ts";
import type { WithStore } from "../../mixins/store.mixin.ts";
import { findWorkflow } from "./find-workflow.ts";
import { presentWorkflow, versions, type WorkflowDoc, workflows } from "./model.ts";
import { contentBytes, saveVersion, snapshotOf } from "./save-version.ts";

/** Each failed attempt is a version that somebody else made. */
const MAX_ATTEMPTS = 100;

export const create = handle<"workflows.create", WithStore>("workflows.create", async function (ctx) {
  const { workspaceId } = ctx.params;
  const { userId } = callerOf(ctx);
  const now = new Date();
  const workflow: WorkflowDoc = {
    ...ctx.params,
    id: newId(ctx),
    bytes: contentBytes(ctx.params),
    status: "active",
    starred: false,
    version: 1,
    deployedAt: null,
    deployedVersion: null,
    createdBy: userId,
    createdAt: now,
    updatedAt: now,
    trashedAt: null,
  };
  await this.store.write([
    this.store.tenant(versions, workspaceId).ops.insert(snapshotOf(workflow, userId)),
    this.store.tenant(workflows, workspaceId).ops.insert(workflow),
  ]);
  return presentWorkflow(workflow);
});

export const update = handle<"workflows.update", WithStore>("workflows.update", async function (ctx) {
  const { ifMatch } = ctx.params;
  const { userId } = callerOf(ctx);
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const current = await findWorkflow(this.store, ctx.params);
    if (ifMatch !== undefined && !matchesTag(ifMatch, workflowEtag(presentWorkflow(current)))) {
      throw new AppError("precondition_failed");
    }
    const content = changedContent(current, ctx.params);
    if (!content) return presentWorkflow(current);
    const saved = await saveVersion(this.store, current, content, userId);
    if (saved) return presentWorkflow(saved);
  }
  throw new AppError("conflict");
});

export const deploy = handle<"workflows.deploy", WithStore>("workflows.deploy", async function (ctx) {
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const { id, version } = await findWorkflow(this.store, ctx.params);
    const now = new Date();
    const deployed = await this.store
      .tenant(workflows, ctx.params.workspaceId)
      .updateOne({ id, version }, { $set: { deployedAt: now, deployedVersion: version, updatedAt: now } });
    if (deployed) return presentWorkflow(deployed);
  }
  throw new AppError("conflict");
});
