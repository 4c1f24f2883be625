import { z } from "zod";
import { action, inWorkspace } from "../define-action.ts";
import { api, MAX_SCHEMES } from "../entities/api.ts";
import { archived, takenOver } from "../entities/archive.ts";
import { mcpTool, SERVER_STATUSES, serverUrl, toolChange, toolUser } from "../entities/mcp-server.ts";
import { toolUsersAsked } from "./mcp.ts";
import { id, json, name, nothing, page, pageInput } from "../primitives.ts";

const fields = {
  url: serverUrl.optional().meta({ description: "The address of an OpenAPI 3.0 or 3.1 document." }),
  document: json.optional().meta({
    description: "The document itself, instead of an address: JSON or YAML text, or an object.",
  }),
  fileId: id.optional().meta({ description: "A file with the document, instead of an address. It is copied." }),
  baseUrl: serverUrl.nullable().optional().meta({
    description: "The address to call. Null, or absent: the one in the document.",
  }),
  agents: z.boolean().optional(),
  credentialId: id.nullable().optional().meta({
    description:
      "A credential that signs calls for which `credentials` names none. It must be for all spaces. It is sent only to its hosts.",
  }),
  credentials: z
    .record(z.string().min(1).max(100), id)
    .refine(value => Object.keys(value).length <= MAX_SCHEMES, `Must have at most ${MAX_SCHEMES} entries`)
    .optional()
    .meta({ description: "Credentials by the name of the security scheme in the document." }),
};

export const apisActions = {
  /** Errors: limit_reached. */
  "mcp.apis.create": inWorkspace("editor", { name, ...fields }, api),
  "mcp.apis.list": inWorkspace("viewer", { ...pageInput }, page(api)),
  "mcp.apis.get": inWorkspace("viewer", { id }, api),
  "mcp.apis.update": inWorkspace("editor", { id, name: name.optional(), ...fields }, api),
  "mcp.apis.remove": inWorkspace("editor", { id }, nothing),
  /** Returns when the sync has ended, successfully or not. Concurrent calls share one sync. */
  "mcp.apis.sync": inWorkspace(
    "editor",
    { id },
    z.object({
      operationsSynced: z.int().min(0).meta({ description: "The number of operations; 0 if the sync failed." }),
      status: z.enum(SERVER_STATUSES),
    }),
  ),
  "mcp.apis.operations": inWorkspace("viewer", { id, ...pageInput }, page(mcpTool)),
  "mcp.apis.changes": inWorkspace("viewer", { id, ...pageInput }, page(toolChange)),
  /** Like `mcp.workflows`. */
  "mcp.apis.workflows": inWorkspace("viewer", toolUsersAsked, page(toolUser)),
  /** An API in the form of an archive record. */
  "mcp.apis.archive": inWorkspace("admin", { id }, archived.api),
  /** Imports a record of an archive. Its ids are already those of this workspace. */
  "mcp.apis.takeOver": action("internal", { workspaceId: id, userId: id, record: archived.api }, takenOver),
  /**
   * The request with which a step calls an operation, and the credential that signs it. Errors: not_found,
   * tool_arguments_invalid, tool_server_refused.
   */
  "mcp.apis.prepare": action(
    "internal",
    { workspaceId: id, toolId: id, arguments: z.record(z.string(), json) },
    z.object({
      method: z.string(),
      url: z.string(),
      headers: z.record(z.string(), z.string()),
      body: z.object({ value: json, type: z.string() }).nullable(),
      credentialId: id.nullable(),
    }),
    { reads: true },
  ),
};
