import { Schema } from "../../adapters/store/schema.ts";
import { defineCollection } from "../../adapters/store/define-collection.ts";
import {
  AUTH_TYPES,
  type AuthType,
  type McpServer,
  SERVER_STATUSES,
  TOOL_CHANGES,
  type ToolChange,
} from "../../contracts/entities/mcp-server.ts";
import type { ToolDefinition } from "../../core/mcp/definition.ts";
import { OUTBOX_FIELDS, OUTBOX_INDEX, type Telling } from "../../mixins/outbox.ts";
import { type Mortal, TOMBSTONE_FIELDS, TOMBSTONE_INDEX } from "../../mixins/tombstone.ts";

export const CREDENTIALS = "mcp credentials";

/** Something that editors are told of a server; `seq` tells it from all others of the server. */
export interface News {
  seq: number;
  kind: "error" | "recovered" | "changed";
  text: string;
}

export interface ServerDoc extends Mortal, Telling {
  workspaceId: string;
  name: string;
  url: string;
  authType: AuthType;
  /** A sealed `McpAuth` as JSON; not there where the type is `none`. */
  credential?: string | null;
  /** Who renews its tokens, and until when nobody else does. */
  renewer?: string | null;
  renewUntil?: Date | null;
  /** Changes with whatever its sessions depend on: url and credential. */
  revision: string;
  /** Counts the changes by people: a sync that began before one does not store what it found. */
  version: number;
  status: McpServer["status"];
  lastError?: string | null;
  lastCheckedAt?: Date | null;
  lastSyncedAt?: Date | null;
  /** From when on it may be synced; while a node does that, when that node's hold ends. */
  syncAt?: Date | null;
  /** The sync that holds it. */
  syncHolder?: string | null;
  /** Syncs that failed in a row. */
  failures: number;
  toolCount: number;
  droppedTools: McpServer["droppedTools"];
  protocolVersion?: string | null;
  transport?: string | null;
  serverInfo?: McpServer["serverInfo"];
  /** How much there ever was to tell of it, and what may not be told yet. */
  newsCount: number;
  news: News[];
  /** When people were last told of tools that were described anew. */
  changesToldAt?: Date | null;
  createdBy: string;
  createdAt: Date;
  updatedAt: Date;
}

const server = new Schema({
  name: { type: String, required: true },
  url: { type: String, required: true },
  authType: { type: String, required: true, enum: AUTH_TYPES },
  credential: { type: String, sealedFor: CREDENTIALS },
  renewer: String,
  renewUntil: Date,
  revision: { type: String, required: true },
  version: { type: Number, required: true },
  status: { type: String, required: true, enum: SERVER_STATUSES },
  lastError: String,
  lastCheckedAt: Date,
  lastSyncedAt: Date,
  syncAt: Date,
  syncHolder: String,
  failures: { type: Number, default: 0 },
  toolCount: { type: Number, default: 0 },
  droppedTools: { type: String, json: true },
  protocolVersion: String,
  transport: String,
  serverInfo: { type: String, json: true },
  newsCount: { type: Number, default: 0 },
  news: { type: String, json: true },
  changesToldAt: Date,
  createdBy: { type: String, required: true },
  createdAt: { type: Date, required: true },
  updatedAt: { type: Date, required: true },
  ...OUTBOX_FIELDS,
  ...TOMBSTONE_FIELDS,
});
server.index({ workspaceId: 1, _id: -1 });
server.index({ syncAt: 1 }, { partialFilterExpression: { syncAt: { $exists: true } } });
server.index(...OUTBOX_INDEX);
server.index(...TOMBSTONE_INDEX);

export const servers = defineCollection<ServerDoc>({ name: "mcpServers", schema: server, tenant: true });

export interface ToolDoc extends ToolDefinition {
  /** Made from the server and the name: a tool that goes and comes back is the same. */
  id: string;
  workspaceId: string;
  serverId: string;
  hash: string;
  /** About what it takes in an answer. */
  bytes: number;
  createdAt: Date;
  updatedAt: Date;
}

const tool = new Schema({
  serverId: { type: String, required: true },
  name: { type: String, required: true },
  title: String,
  description: { type: String, default: "" },
  inputSchema: { type: String, json: true },
  outputSchema: { type: String, json: true },
  annotations: { type: String, json: true },
  hash: { type: String, required: true },
  bytes: { type: Number, required: true },
  createdAt: { type: Date, required: true },
  updatedAt: { type: Date, required: true },
});
// For what the search index finds: by ids, without going through all of a workspace.
tool.index({ workspaceId: 1, _id: 1 });
tool.index({ workspaceId: 1, serverId: 1, _id: -1 });
tool.index({ workspaceId: 1, serverId: 1, name: 1 }, { unique: true });

export const tools = defineCollection<ToolDoc>({ name: "mcpTools", schema: tool, tenant: true });

/** What became of one tool in one sync. */
export interface ChangeDoc extends Omit<ToolChange, "at" | "workflows"> {
  workspaceId: string;
  serverId: string;
  /** When the good sync before ended: by it, a sync knows what one before it was cut off in. */
  since: Date;
  bytes: number;
  at: Date;
}

const change = new Schema({
  serverId: { type: String, required: true },
  toolId: { type: String, required: true },
  name: { type: String, required: true },
  kind: { type: String, required: true, enum: TOOL_CHANGES },
  fields: [String],
  before: String,
  after: String,
  changes: { type: String, json: true },
  truncated: { type: Boolean, required: true },
  since: { type: Date, required: true },
  bytes: { type: Number, required: true },
  at: { type: Date, required: true },
});
change.index({ workspaceId: 1, serverId: 1, at: -1, _id: -1 });

export const changes = defineCollection<ChangeDoc>({ name: "mcpToolChanges", schema: change, tenant: true });
