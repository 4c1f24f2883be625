import { type ActionContext, call, handle } from "../../contracts/call.ts";
import type { ToolChange, ToolUse } from "../../contracts/entities/mcp-server.ts";
import { boundedPage } from "../../service-kit/bounded-page.ts";
import type { WithStore } from "../../service-kit/store.mixin.ts";
import { type ChangeDoc, changes } from "./model.ts";
import { aliveApi, aliveMcpServer } from "./service.ts";

const presentChange = (doc: ChangeDoc, workflows: ToolUse[]): ToolChange => ({
  id: doc.id,
  toolId: doc.toolId,
  name: doc.name,
  kind: doc.kind,
  fields: doc.fields,
  before: doc.before ?? null,
  after: doc.after ?? null,
  changes: doc.changes,
  truncated: doc.truncated,
  at: doc.at.toISOString(),
  workflows,
});

async function changesOf({ store }: WithStore, ctx: ActionContext<"mcp.changes">) {
  const { workspaceId, id: serverId, limit, cursor = null } = ctx.params;
  const all = store.tenant(changes, workspaceId);
  const page = await boundedPage(
    (count, after) => all.find({ serverId }, { sort: { at: -1 }, limit: count, after }),
    limit,
    cursor,
  );
  // A new tool is not used by any workflow yet.
  const toolIds = [...new Set(page.items.filter(({ kind }) => kind !== "added").map(({ toolId }) => toolId))];
  const { uses } =
    toolIds.length > 0 ? await call(ctx, "workflows.usingTools", { workspaceId, toolIds }) : { uses: [] };
  const usesOf = (toolId: string) => uses.filter(use => use.toolId === toolId).map(({ toolId: _, ...use }) => use);
  return { items: page.items.map(doc => presentChange(doc, usesOf(doc.toolId))), next: page.next };
}

export const listChanges = handle<"mcp.changes", WithStore>("mcp.changes", async function (ctx) {
  await aliveMcpServer(this, ctx.params.workspaceId, ctx.params.id);
  return changesOf(this, ctx);
});

export const listApiChanges = handle<"mcp.apis.changes", WithStore>("mcp.apis.changes", async function (ctx) {
  await aliveApi(this, ctx.params.workspaceId, ctx.params.id);
  return changesOf(this, ctx);
});
