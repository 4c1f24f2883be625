import type { Context } from "moleculer";
import type { McpServer } from "../../contracts/entities/mcp-server.ts";
import { ALIVE } from "../../service-kit/tombstone.ts";
import { presentServer, servers } from "./model.ts";
import type { Self, ServerRef } from "./service.ts";

function publish(self: Self, workspaceId: string, server: McpServer): void {
  const { id, name, status, lastError, lastSyncedAt, toolCount } = server;
  self.news.event(workspaceId, "mcp.changed", { id, name, status, lastError, lastSyncedAt, toolCount });
}

/** Tells followers of the workspace the state of a server after a sync. */
export async function publishServer(self: Self, { workspaceId, id }: ServerRef): Promise<void> {
  if (!self.news.isWatched(workspaceId)) return;
  // The sync itself has succeeded. The client finds missed news by comparing.
  const doc = await self.store
    .tenant(servers, workspaceId)
    .get({ id, ...ALIVE })
    .catch(() => null);
  if (doc) publish(self, workspaceId, presentServer(doc));
}

function changed(this: Self, ctx: Context<{ workspaceId: string }>, server: McpServer): void {
  publish(this, ctx.params.workspaceId, server);
}

function removed(this: Self, ctx: Context<ServerRef>): void {
  const { workspaceId, id } = ctx.params;
  this.news.event(workspaceId, "mcp.changed", { id, status: "deleted" });
}

/** The events for followers of a workspace after each of these actions. */
export const serverEvents = { create: changed, update: changed, remove: removed };
