import { z } from "zod";
import { id, json, name, timestamp } from "../primitives.ts";
import { change } from "./workflow-diff.ts";

const MAX_URL = 2_048;
/** An http or https address without a user name or password. The OpenAPI document contains this pattern. */
const WEB_ADDRESS = /^[Hh][Tt][Tt][Pp][Ss]?:\/\/[^\s/?#@\\]+([/?#].*)?$/;
const webAddress = (value: string): boolean => WEB_ADDRESS.test(value) && URL.canParse(value);

/** The address of a server. */
export const serverUrl = z
  .string()
  .trim()
  .max(MAX_URL)
  .refine(webAddress, "Expected an http or https URL without a user name or password")
  .meta({ pattern: WEB_ADDRESS.source });
export const AUTH_TYPES = ["none", "api_key", "bearer", "oauth"] as const;
export const authType = z.enum(AUTH_TYPES).meta({
  description:
    "How calls are signed. `none`: without a credential. `api_key`: the header `X-API-Key`. `bearer` and `oauth`: the header " +
    "`Authorization: Bearer`. For `oauth`, Weft gets and renews the tokens if it has a refresh token or a client id and secret.",
});
export type AuthType = z.infer<typeof authType>;

export const SERVER_STATUSES = ["unknown", "connected", "error"] as const;
const schema = z.record(z.string(), json);

/** A tool of a server that cannot be used. */
const droppedTool = z.object({ name: z.string(), reason: z.string() });

export const mcpServer = z
  .object({
    id,
    workspaceId: id,
    name,
    url: z.string(),
    authType,
    agents: z.boolean().meta({
      description: "Whether agents without `toolIds` may find and use its tools. Default: false.",
    }),
    hasCredential: z.boolean().meta({
      description:
        "Whether it has a credential, its own or one of the workspace. The credential itself is never shown.",
    }),
    credentialId: id.nullable().meta({ description: "The credential of the workspace that it uses." }),
    status: z.enum(SERVER_STATUSES).meta({ description: "The result of the last sync; `unknown` before the first." }),
    lastError: z.string().nullable().meta({ description: "Why the last sync failed." }),
    lastCheckedAt: timestamp.nullable().meta({ description: "When the last sync ended." }),
    lastSyncedAt: timestamp
      .nullable()
      .meta({ description: "When the last successful sync ended. The list of tools dates from then." }),
    nextSyncAt: timestamp.nullable().meta({ description: "The earliest time of the next automatic sync." }),
    toolCount: z.int().min(0),
    droppedTools: z.array(droppedTool).meta({ description: "Tools of the last successful sync that cannot be used." }),
    protocolVersion: z.string().nullable(),
    transport: z.string().nullable().meta({ description: "`streamable-http` or `sse`." }),
    serverInfo: z.object({ name: z.string(), version: z.string() }).nullable(),
    createdBy: id,
    createdAt: timestamp,
    updatedAt: timestamp,
  })
  .meta({ id: "McpServer" });
export type McpServer = z.infer<typeof mcpServer>;

export const mcpTool = z
  .object({
    id: id.meta({ description: "Stays the same as long as the server offers a tool with this name." }),
    mcpServerId: id,
    serverName: name,
    name: z.string(),
    title: z.string().nullable(),
    description: z.string(),
    inputSchema: schema,
    outputSchema: schema.nullable(),
    annotations: schema.nullable().meta({ description: "Hints from the server. Weft does not verify them." }),
    operation: z.object({ method: z.string(), path: z.string() }).optional().meta({
      description: "What the tool calls if it is an operation of an API. `mcpServerId` is then the id of the API.",
    }),
    hash: z.string().meta({ description: "SHA-256 of name, title, description, schemas and annotations." }),
    createdAt: timestamp,
    updatedAt: timestamp.meta({ description: "When the definition of the tool last changed." }),
  })
  .meta({ id: "McpTool" });
export type McpTool = z.infer<typeof mcpTool>;

export const foundTool = mcpTool
  .extend({ score: z.number().meta({ description: "The cosine similarity, plus 0.2 if the keywords match." }) })
  .meta({ id: "FoundMcpTool" });
export type FoundTool = z.infer<typeof foundTool>;

export const TOOL_CHANGES = ["added", "removed", "changed"] as const;

/** A deployed workflow, and its steps that use a tool. */
export const toolUse = z.object({ workflowId: id, spaceId: id, name, nodeIds: z.array(z.string()) });
export type ToolUse = z.infer<typeof toolUse>;

/** A workflow that uses tools of a server. */
export const toolUser = z
  .object({
    workflowId: id,
    spaceId: id,
    name,
    deployed: z.boolean().meta({
      description: "Whether its deployed version uses one of the tools. Otherwise only its newest version does.",
    }),
    tools: z.array(z.object({ toolId: id, name: z.string(), nodeIds: z.array(z.string()) })).meta({
      description:
        "The tools, each with the steps of both versions that name it. At most 20 tools and 20 steps of each.",
    }),
  })
  .meta({ id: "McpToolUser" });
export type ToolUser = z.infer<typeof toolUser>;

export const toolChange = z
  .object({
    id,
    toolId: id,
    name: z.string(),
    kind: z.enum(TOOL_CHANGES),
    fields: z.array(z.string()).meta({ description: "The parts of the definition that changed." }),
    before: z.string().nullable().meta({ description: "The hash of the old definition; null if the tool is new." }),
    after: z.string().nullable().meta({ description: "The hash of the new definition; null if the tool was removed." }),
    changes: z.array(change).meta({ description: "The changes. Paths are relative to the tool." }),
    truncated: z.boolean().meta({ description: "Whether `changes` is incomplete." }),
    at: timestamp,
    workflows: z.array(toolUse).meta({ description: "The deployed workflows that currently use this tool." }),
  })
  .meta({ id: "McpToolChange" });
export type ToolChange = z.infer<typeof toolChange>;

export const toolResult = z
  .object({
    content: z.array(json),
    structuredContent: json.optional(),
    isError: z.boolean().meta({ description: "Whether the tool ran and reported an error. `content` has the reason." }),
  })
  .meta({ id: "McpToolResult" });
export type ToolResult = z.infer<typeof toolResult>;
