import { handle } from "../../contracts/call.ts";
import { AppError, notFound } from "../../contracts/errors.ts";
import { ApiRequestError, requestOf } from "../../core/openapi/request-of.ts";
import { credentialsFor } from "./api-credentials.ts";
import { checkArguments } from "./call-tool.ts";
import { tools } from "./model.ts";
import { aliveApi, type Self } from "./service.ts";

/**
 * Returns the request, which the step sends itself. So the step can page, receive files and retry like an `http` step.
 */
export const prepareOperation = handle<"mcp.apis.prepare", Self>("mcp.apis.prepare", async function (ctx) {
  const { workspaceId, toolId, arguments: args } = ctx.params;
  const tool = await this.store.tenant(tools, workspaceId).get({ id: toolId });
  if (!tool?.operation) throw notFound("operation");
  const api = await aliveApi(this, workspaceId, tool.serverId);
  await checkArguments(this, tool, args);
  const ids = credentialsFor(tool.operation, api);
  if (ids.length > 1) {
    const detail = "The operation needs several credentials together. Call it with a tool step.";
    throw new AppError("tool_server_refused", { detail });
  }
  try {
    const { method, url, headers, body } = requestOf(tool.operation, args, api.baseUrl ?? null);
    return { method, url, headers, body: body ?? null, credentialId: ids[0] ?? null };
  } catch (error) {
    if (error instanceof ApiRequestError) throw new AppError("tool_server_refused", { detail: error.message });
    throw error;
  }
});
