import { handle } from "../../contracts/call.ts";
import { AppError, notFound } from "../../contracts/errors.ts";
import { checkDefinition, errorsIn } from "../../core/graph/check-definition.ts";
import { boundedPage } from "../../service-kit/bounded-page.ts";
import type { WithStore } from "../../service-kit/store.mixin.ts";
import { ALIVE } from "../../service-kit/tombstone.ts";
import { findVersion, aliveIn, findSharedWorkflow, findWorkflow, withSlugs } from "./find-workflow.ts";
import { warningsOf } from "./deployed-warnings.ts";
import { knownNames } from "./known-names.ts";
import { orderOf, presentVersion, presentWorkflow, versions as allVersions, workflows } from "./model.ts";

const brief = <T extends { definition: unknown }>(isBrief: boolean, entity: T): T =>
  isBrief ? { ...entity, definition: null } : entity;

export const list = handle<"workflows.list", WithStore>("workflows.list", async function (ctx) {
  const { workspaceId, spaceId, trashed, starred, sort, limit, cursor = null } = ctx.params;
  const status = trashed ? ("trashed" as const) : ("active" as const);
  const filter = { spaceId, status, ...(starred !== undefined && { starred }), ...ALIVE };
  const all = this.store.tenant(workflows, workspaceId);
  const page = await boundedPage(
    (max, after) => all.find(filter, { sort: orderOf(sort), limit: max, after }),
    limit,
    cursor,
  );
  const isBrief = ctx.params.fields === "summary";
  const docs = await withSlugs(all, page.items);
  return { items: docs.map(doc => brief(isBrief, presentWorkflow(doc))), next: page.next };
});

export const get = handle<"workflows.get", WithStore>("workflows.get", async function (ctx) {
  const workflow = await findWorkflow(this.store, ctx.params);
  return { ...presentWorkflow(workflow), ...(await warningsOf(this.store, workflow)) };
});

export const versions = handle<"workflows.versions", WithStore>("workflows.versions", async function (ctx) {
  const { workspaceId, id, limit, cursor = null } = ctx.params;
  const workflow = await findWorkflow(this.store, ctx.params);
  // A snapshot does not count as a version until its version is in the workflow's document.
  const filter = { workflowId: id, version: { $lte: workflow.version } };
  const all = this.store.tenant(allVersions, workspaceId);
  const page = await boundedPage(
    (max, after) => all.find(filter, { sort: { version: -1 }, limit: max, after }),
    limit,
    cursor,
  );
  const isBrief = ctx.params.fields === "summary";
  return { items: page.items.map(doc => brief(isBrief, presentVersion(doc))), next: page.next };
});

export const version = handle<"workflows.version", WithStore>("workflows.version", async function (ctx) {
  const workflow = await findWorkflow(this.store, ctx.params);
  return presentVersion(await findVersion(this.store, workflow, ctx.params.version));
});

export const validate = handle<"workflows.validate", WithStore>("workflows.validate", async function (ctx) {
  const { definition } = await findWorkflow(this.store, ctx.params);
  const faults = checkDefinition(definition, await knownNames(ctx, ctx.params, definition));
  return { valid: errorsIn(faults).length === 0, faults };
});

export const runnable = handle<"workflows.runnable", WithStore>("workflows.runnable", async function (ctx) {
  const { workspaceId, spaceId: named, workflowId, version: wanted } = ctx.params;
  const scope = { workspaceId, id: workflowId, ...(named !== undefined && { spaceId: named }) };
  const { status, version: newest, deployedVersion, spaceId } = await findSharedWorkflow(this.store, scope);
  if (status === "trashed") throw new AppError("workflow_trashed");
  if (wanted === "deployed") return { version: deployedVersion ?? newest, spaceId };
  if (wanted !== undefined && wanted > newest) throw notFound("version");
  return { version: wanted ?? newest, spaceId };
});

export const states = handle<"workflows.states", WithStore>("workflows.states", async function (ctx) {
  const { workspaceId, spaceId, ids } = ctx.params;
  const all = this.store.tenant(workflows, workspaceId);
  const found = await Promise.all(ids.map(id => all.shared(aliveIn({ workspaceId, spaceId, id }))));
  const of = (status: "active" | "trashed") =>
    found.filter(workflow => workflow?.status === status).map(workflow => workflow?.id ?? "");
  return { active: of("active"), trashed: of("trashed") };
});

export const snapshot = handle<"workflows.snapshot", WithStore>("workflows.snapshot", async function (ctx) {
  const { workspaceId, workflowId, version: number } = ctx.params;
  const found = await this.store.tenant(allVersions, workspaceId).get({ workflowId, version: number });
  return found && presentVersion(found);
});
