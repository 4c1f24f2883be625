import type { McpServer, McpTool } from "../../contracts/entities/mcp-server.ts";
import type { ServerDoc, ToolDoc } from "./model.ts";

const iso = (date: Date | null | undefined) => date?.toISOString() ?? null;

export const presentServer = (doc: ServerDoc): McpServer => ({
  id: doc.id,
  workspaceId: doc.workspaceId,
  name: doc.name,
  url: doc.url,
  authType: doc.authType,
  hasCredential: Boolean(doc.credential),
  status: doc.status,
  lastError: doc.lastError ?? null,
  lastCheckedAt: iso(doc.lastCheckedAt),
  lastSyncedAt: iso(doc.lastSyncedAt),
  nextSyncAt: iso(doc.syncAt),
  toolCount: doc.toolCount,
  droppedTools: doc.droppedTools,
  protocolVersion: doc.protocolVersion ?? null,
  transport: doc.transport ?? null,
  serverInfo: doc.serverInfo ?? null,
  createdBy: doc.createdBy,
  createdAt: doc.createdAt.toISOString(),
  updatedAt: doc.updatedAt.toISOString(),
});

export const presentTool = (doc: ToolDoc, serverName: string): McpTool => ({
  id: doc.id,
  mcpServerId: doc.serverId,
  serverName,
  name: doc.name,
  title: doc.title ?? null,
  description: doc.description,
  inputSchema: doc.inputSchema,
  outputSchema: doc.outputSchema ?? null,
  annotations: doc.annotations ?? null,
  hash: doc.hash,
  createdAt: doc.createdAt.toISOString(),
  updatedAt: doc.updatedAt.toISOString(),
});
