import { type ActionContext, call, handle } from "../../contracts/call.ts";
import type { ToolUser } from "../../contracts/entities/mcp-server.ts";
import type { WithStore } from "../../service-kit/store.mixin.ts";
import { tools } from "./model.ts";
import { aliveApi, aliveMcpServer } from "./service.ts";

/** Tools have large schemas, so only a few are in memory at the same time. */
const BATCH = 100;
/** The most tools that are listed for one workflow. */
const MAX_TOOLS = 20;

/** Maps the ids that belong to the server to the names of the tools. */
async function namesOf({ store }: WithStore, workspaceId: string, serverId: string, ids: readonly string[]) {
  const names = new Map<string, string>();
  for (let at = 0; at < ids.length; at += BATCH) {
    const filter = { id: { $in: ids.slice(at, at + BATCH) }, serverId };
    const { items } = await store.tenant(tools, workspaceId).find(filter, { limit: BATCH });
    for (const { id, name } of items) names.set(id, name);
  }
  return names;
}

async function usersOf(self: WithStore, ctx: ActionContext<"mcp.workflows">) {
  const { workspaceId, id, toolId, limit, cursor } = ctx.params;
  const found = await call(ctx, "workflows.toolUsers", {
    ...{ workspaceId, limit },
    ...(toolId !== undefined && { toolId }),
    ...(cursor !== undefined && { cursor }),
  });
  const named = new Set(found.items.flatMap(item => item.tools.map(tool => tool.toolId)));
  const names = await namesOf(self, workspaceId, id, [...named]);
  const items = found.items.flatMap(({ tools: all, ...workflow }): ToolUser[] => {
    const own = all.filter(tool => names.has(tool.toolId));
    if (own.length === 0) return [];
    const shown = own.slice(0, MAX_TOOLS).map(tool => {
      return { toolId: tool.toolId, name: names.get(tool.toolId)!, nodeIds: tool.nodeIds };
    });
    return [{ ...workflow, deployed: own.some(({ deployed }) => deployed), tools: shown }];
  });
  return { items, next: found.next };
}

export const listToolUsers = handle<"mcp.workflows", WithStore>("mcp.workflows", async function (ctx) {
  await aliveMcpServer(this, ctx.params.workspaceId, ctx.params.id);
  return usersOf(this, ctx);
});

export const listOperationUsers = handle<"mcp.apis.workflows", WithStore>("mcp.apis.workflows", async function (ctx) {
  await aliveApi(this, ctx.params.workspaceId, ctx.params.id);
  return usersOf(this, ctx);
});
