import type { Context, Service } from "moleculer";
import type { WorkflowPresence } from "../../contracts/entities/presence.ts";
import type { Workflow } from "../../contracts/entities/workflow.ts";
import type { WithWorkspacePublisher } from "../../service-kit/workspace-publisher.ts";
import type { WorkflowScope } from "./find-workflow.ts";

type Self = Service & WithWorkspacePublisher;

/** Tells followers of the workspace about the workflow that an action returns. */
function saved(event: "workflow.saved" | "workflow.deployed" | "workflow.trashed") {
  return function (this: Self, _ctx: Context, workflow: Workflow): void {
    const { id, spaceId, name, status, version, deployedVersion, updatedAt, workspaceId } = workflow;
    this.news.event(workspaceId, event, { id, spaceId, name, status, version, deployedVersion, updatedAt });
  };
}

function removed(this: Self, ctx: Context<WorkflowScope>): void {
  const { workspaceId, spaceId, id } = ctx.params;
  this.news.event(workspaceId, "workflow.trashed", { id, spaceId, status: "deleted" });
}

function present(this: Self, ctx: Context<WorkflowScope>, presence: WorkflowPresence): void {
  this.news.event(ctx.params.workspaceId, "workflow.presence", presence);
}

/** The events for followers of a workspace after each of these actions. */
export const workflowEvents = {
  create: saved("workflow.saved"),
  update: saved("workflow.saved"),
  restoreVersion: saved("workflow.saved"),
  duplicate: saved("workflow.saved"),
  import: saved("workflow.saved"),
  fromTemplate: saved("workflow.saved"),
  star: saved("workflow.saved"),
  restore: saved("workflow.saved"),
  deploy: saved("workflow.deployed"),
  trash: saved("workflow.trashed"),
  remove: removed,
  "presence.report": present,
  "presence.end": present,
};
