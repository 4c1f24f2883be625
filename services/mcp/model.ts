import { defineCollection, type DocumentOf, where } from "../../adapters/store/define-collection.ts";
import {
  boolean,
  date,
  json,
  nullable,
  number,
  oneOf,
  optional,
  optionalOrNull,
  sealed,
  string,
  strings,
  withDefault,
} from "../../adapters/store/field-types.ts";
import {
  AUTH_TYPES,
  type McpServer,
  mcpServer,
  mcpTool,
  SERVER_STATUSES,
  TOOL_CHANGES,
  type ToolChange,
} from "../../contracts/entities/mcp-server.ts";
import { api } from "../../contracts/entities/api.ts";
import type { ApiOperation, SecurityScheme } from "../../core/openapi/operation.ts";
import { OUTBOX_FIELDS, OUTBOX_INDEX } from "../../service-kit/outbox.ts";
import { presenter } from "../../service-kit/present.ts";
import { TOMBSTONE_FIELDS, TOMBSTONE_INDEX } from "../../service-kit/tombstone.ts";

export const CREDENTIALS = "mcp credentials";

/** A notice for editors. `seq` identifies it among the notices of the server. */
export interface ServerNotice {
  seq: number;
  kind: "error" | "recovered" | "changed";
  text: string;
}

export const servers = defineCollection({
  name: "mcpServers",
  tenant: true,
  fields: {
    name: string(),
    /** Unset for MCP servers. */
    kind: optional(oneOf(["api"])),
    /** For an API, the address of its document; empty if the document was uploaded. */
    url: string(),
    authType: oneOf(AUTH_TYPES),
    /**
     * True if agents may select its tools by themselves. Unset in servers of earlier versions, where agents may not.
     */
    agents: optional(boolean()),
    /** An `McpAuth` as JSON. Unset when the type is `none`. */
    credential: optionalOrNull(sealed(CREDENTIALS)),
    /** The credential of the workspace that signs the calls, instead of one of the server's own. */
    credentialId: optional(string()),
    /** The node that renews the tokens, and the end of its lease. */
    renewer: optionalOrNull(string()),
    renewUntil: optionalOrNull(date()),
    /** Changes whenever the URL or the credential changes, because sessions depend on both. */
    revision: string(),
    /** Counts the changes by users. A sync that began before a change does not store its result. */
    version: number(),
    status: oneOf(SERVER_STATUSES),
    lastError: optionalOrNull(string()),
    lastCheckedAt: optionalOrNull(date()),
    lastSyncedAt: optionalOrNull(date()),
    /** The time of the next sync. During a sync, the end of the node's lease. */
    syncAt: optionalOrNull(date()),
    /** The id of the sync that holds the lease. */
    syncHolder: optionalOrNull(string()),
    /** The number of syncs that failed in a row. */
    failures: withDefault(number(), 0),
    toolCount: withDefault(number(), 0),
    droppedTools: json<McpServer["droppedTools"]>(),
    protocolVersion: optionalOrNull(string()),
    transport: optionalOrNull(string()),
    serverInfo: optionalOrNull(json<NonNullable<McpServer["serverInfo"]>>()),
    /** The number of all notices of the server so far, and the notices that were not sent yet. */
    newsCount: withDefault(number(), 0),
    news: json<ServerNotice[]>(),
    /** When people were last notified of changed tool definitions. */
    changesToldAt: optionalOrNull(date()),
    /** For an API: the address to call instead of the first one in the document. */
    baseUrl: optionalOrNull(string()),
    serverUrl: optionalOrNull(string()),
    securitySchemes: optional(json<SecurityScheme[]>()),
    /** Ids of credentials by the name of the security scheme. */
    credentials: optional(json<Record<string, string>>()),
    createdBy: string(),
    createdAt: date(),
    updatedAt: date(),
    ...OUTBOX_FIELDS,
    ...TOMBSTONE_FIELDS,
  },
  indexes: [
    [{ workspaceId: 1, _id: -1 }],
    [{ syncAt: 1 }, where("syncAt")],
    [{ workspaceId: 1, credentialId: 1 }, where("credentialId")],
    OUTBOX_INDEX,
    TOMBSTONE_INDEX,
  ],
});
export type ServerDoc = DocumentOf<typeof servers>;

/** The uploaded documents of APIs, by the id of the API. */
export const apiDocuments = defineCollection({
  name: "apiDocuments",
  tenant: true,
  fields: { text: string(), createdAt: date() },
  indexes: [[{ workspaceId: 1, _id: 1 }]],
});

type JsonSchema = Record<string, unknown>;

/** The id is derived from the server and the name, so a tool that disappears and returns has the same id. */
export const tools = defineCollection({
  name: "mcpTools",
  tenant: true,
  fields: {
    serverId: string(),
    name: string(),
    title: nullable(string()),
    description: withDefault(string(), ""),
    inputSchema: json<JsonSchema>(),
    outputSchema: nullable(json<JsonSchema>()),
    annotations: nullable(json<JsonSchema>()),
    /** For an operation of an API: how to build the request. */
    operation: optional(json<ApiOperation>()),
    hash: string(),
    /** The approximate size in a response. */
    bytes: number(),
    createdAt: date(),
    updatedAt: date(),
  },
  indexes: [
    // Finds hits of the search index by id, without reading a whole workspace.
    [{ workspaceId: 1, _id: 1 }],
    [{ workspaceId: 1, serverId: 1, _id: -1 }],
    [{ workspaceId: 1, serverId: 1, name: 1 }, { unique: true }],
  ],
});
export type ToolDoc = DocumentOf<typeof tools>;

/** The change of one tool in one sync. */
export const changes = defineCollection({
  name: "mcpToolChanges",
  tenant: true,
  fields: {
    serverId: string(),
    toolId: string(),
    name: string(),
    kind: oneOf(TOOL_CHANGES),
    fields: strings(),
    before: nullable(string()),
    after: nullable(string()),
    changes: json<ToolChange["changes"]>(),
    truncated: boolean(),
    /** The end of the previous successful sync. It lets a sync recognise the changes of an interrupted sync. */
    since: date(),
    bytes: number(),
    at: date(),
  },
  indexes: [[{ workspaceId: 1, serverId: 1, at: -1, _id: -1 }]],
});
export type ChangeDoc = DocumentOf<typeof changes>;

export const presentServer = presenter(mcpServer, servers, doc => ({
  agents: doc.agents ?? false,
  hasCredential: Boolean(doc.credential ?? doc.credentialId),
  nextSyncAt: doc.syncAt?.toISOString() ?? null,
}));

export const presentTool = presenter(mcpTool, tools, ({ serverId, operation }, serverName: string) => ({
  mcpServerId: serverId,
  serverName,
  operation: operation && { method: operation.method, path: operation.path },
}));

export const presentApi = presenter(api, servers, doc => ({
  url: doc.url || null,
  agents: doc.agents ?? false,
  credentials: doc.credentials ?? {},
  securitySchemes: doc.securitySchemes ?? [],
  nextSyncAt: doc.syncAt?.toISOString() ?? null,
  operationCount: doc.toolCount,
  droppedOperations: doc.droppedTools,
  title: doc.serverInfo?.name ?? null,
  version: doc.serverInfo?.version ?? null,
  specification: doc.protocolVersion ?? null,
}));
