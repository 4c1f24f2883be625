import { z } from "zod";
import { action, inWorkspace } from "../define-action.ts";
import { archived, takenOver } from "../entities/archive.ts";
import {
  authType,
  foundTool,
  mcpServer,
  serverUrl as url,
  mcpTool,
  SERVER_STATUSES,
  toolChange,
  toolResult,
  toolUser,
} from "../entities/mcp-server.ts";
import { usesOfCredentials } from "../entities/credential.ts";
import { usedByName } from "../entities/limits-used.ts";
import { id, json, MAX_PAGE, name, nothing, page, pageInput, trimmed } from "../primitives.ts";

/** Large enough for a JWT with many claims. */
const MAX_TOKEN = 16_384;
export const MAX_TOOL_QUERY = 10_000;
/** The most tools that one search or step may return. */
export const MAX_TOOLS_FOUND = 100;
/** The maximum duration of one call. The step's own limit is lower. */
export const MAX_CALL_MS = 3_600_000;

/** The characters that a header value may contain. They exclude line breaks. */
const token = z
  .string()
  .min(1)
  .max(MAX_TOKEN)
  .regex(/^[\x21-\x7e]+$/, "Expected visible ASCII characters without spaces");

const credential = {
  accessToken: token
    .optional()
    .meta({ description: "The token or API key. Stored encrypted and never shown.", writeOnly: true }),
  refreshToken: token
    .optional()
    .meta({ description: "For `oauth`. Stored encrypted and never shown.", writeOnly: true }),
  clientId: token.optional().meta({ description: "For `oauth`.", writeOnly: true }),
  clientSecret: token
    .optional()
    .meta({ description: "For `oauth`. Stored encrypted and never shown.", writeOnly: true }),
  tokenUrl: url.optional().meta({
    description: "For `oauth`: the token endpoint. Default: the endpoint that the server announces.",
    writeOnly: true,
  }),
  scope: trimmed(2_000).optional().meta({ description: "For `oauth`.", writeOnly: true }),
};

const credentialId = id
  .nullable()
  .optional()
  .meta({
    description:
      "A credential of the workspace that signs the calls, instead of the server's own credential. Its hosts must allow the " +
      "address, and it must be for all spaces. Null removes it from the server.",
  });

const question = {
  query: trimmed(MAX_TOOL_QUERY),
  limit: z.int().min(1).max(MAX_TOOLS_FOUND).default(10),
};
export const toolUsersAsked = {
  id,
  toolId: id.optional().meta({ description: "Only the workflows that name this tool." }),
  ...pageInput,
};
const args = z.record(z.string(), json);
const tools = z.object({ tools: z.array(mcpTool) });

export const mcpActions = {
  /** Errors: limit_reached. */
  "mcp.create": inWorkspace(
    "editor",
    { name, url, authType: authType.default("none"), agents: z.boolean().default(false), credentialId, ...credential },
    mcpServer,
  ),
  /** The number of servers in the workspace. */
  "mcp.count": action(
    "internal",
    { workspaceId: id },
    z.object({ total: z.int().min(0), byStatus: z.record(z.enum(SERVER_STATUSES), z.int().min(0)) }),
    { reads: true },
  ),
  "mcp.list": inWorkspace("viewer", { ...pageInput }, page(mcpServer)),
  "mcp.get": inWorkspace("viewer", { id }, mcpServer),
  "mcp.update": inWorkspace(
    "editor",
    {
      id,
      name: name.optional(),
      url: url.optional().meta({
        description:
          "A request that changes the address (except its fragment), `authType` or `tokenUrl` must contain the server's own " +
          "credential again. Otherwise it is refused, so that a credential is never sent to an address that it was not " +
          "given for, including another path of the same host.",
      }),
      authType: authType.optional(),
      agents: z.boolean().optional(),
      credentialId,
      ...credential,
    },
    mcpServer,
  ),
  "mcp.remove": inWorkspace("editor", { id }, nothing),
  /** Returns when the sync has ended, successfully or not. Concurrent calls share one sync. */
  "mcp.sync": inWorkspace(
    "editor",
    { id },
    z.object({
      toolsSynced: z
        .int()
        .min(0)
        .meta({ description: "The number of tools that the server offers; 0 if the sync failed." }),
      status: z.enum(SERVER_STATUSES),
    }),
  ),
  "mcp.changes": inWorkspace("viewer", { id, ...pageInput }, page(toolChange)),
  /**
   * The workflows that use tools of a server, newest first. One page examines a few hundred workflows, so it may
   * contain few or none of them although a next page exists.
   */
  "mcp.workflows": inWorkspace("viewer", toolUsersAsked, page(toolUser)),
  "mcp.tools.list": inWorkspace("viewer", { id, ...pageInput }, page(mcpTool)),
  "mcp.tools.get": inWorkspace("viewer", { toolId: id }, mcpTool),
  "mcp.tools.search": inWorkspace("viewer", question, z.array(foundTool)),
  /** Errors: the same as mcp.tools.invoke. */
  "mcp.tools.call": inWorkspace("editor", { toolId: id, arguments: args.default({}) }, toolResult),
  /**
   * Finds tools for agents without `toolIds`, only on servers marked `agents`. `servers` is the number of such servers.
   */
  "mcp.tools.find": action(
    "internal",
    { workspaceId: id, ...question },
    tools.extend({ servers: z.int().min(0).optional() }),
    { reads: true },
  ),
  /**
   * The existing tools among these ids, in the requested order. `leftOut` lists the ids that did not fit. Request them
   * with the next call.
   */
  "mcp.tools.describe": action(
    "internal",
    { workspaceId: id, toolIds: z.array(id).max(MAX_TOOLS_FOUND) },
    tools.extend({ leftOut: z.array(id) }),
    { reads: true },
  ),
  /**
   * Calls a tool. The events `mcp.call.cancelled` and `mcp.call.progress` identify the call by `callId`. Errors:
   * not_found, tool_arguments_invalid, tool_server_unavailable, tool_server_refused, tool_timeout, tool_call_failed.
   */
  "mcp.tools.invoke": action(
    "internal",
    {
      workspaceId: id,
      toolId: id,
      arguments: args,
      timeoutMs: z.int().min(1).max(MAX_CALL_MS),
      callId: z.string().min(1).max(200),
      /** It is the same for every attempt, and is sent to the server with the call. */
      idempotencyKey: z.string().min(1).max(300).optional(),
    },
    toolResult,
  ),
  /** The servers that use these credentials. */
  "mcp.usingCredentials": action("internal", { workspaceId: id, ids: z.array(id).max(MAX_PAGE) }, usesOfCredentials, {
    reads: true,
  }),
  /** Imports a record of an archive. Its ids are already those of this workspace. */
  "mcp.takeOver": action("internal", { workspaceId: id, userId: id, record: archived.mcpServer }, takenOver),
  /** Removes the data of a deleted workspace. */
  /** How much of this service's limits the workspace uses, by name. */
  "mcp.usage": action("internal", { workspaceId: id }, usedByName, { reads: true }),
  "mcp.purge": action("internal", { workspaceId: id }, nothing),
};
