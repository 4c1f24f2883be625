import { v7 as uuid } from "uuid";
import { inCurrentDraft } from "../../adapters/mcp/current-draft.ts";
import { ExpressionError } from "../../core/expressions/expression-error.ts";
import { MAX_CALL_MS } from "../../contracts/actions/mcp.ts";
import type { ParamsOf } from "../../contracts/actions.ts";
import { handle } from "../../contracts/call.ts";
import type { ToolResult } from "../../contracts/entities/mcp-server.ts";
import { AppError, notFound } from "../../contracts/errors.ts";
import { type ToolDoc, tools } from "./model.ts";
import { aliveServer, type Self } from "./service.ts";

/** The time limit of a call that a person makes. */
const CALL_MS = 60_000;
/** A margin, so that the call's own limit ends it first. */
const MARGIN_MS = 5_000;

/**
 * Checks the arguments field by field before anything is sent. If a schema cannot be read, or takes too long, only the
 * tool's server checks the arguments.
 * @throws {AppError} tool_arguments_invalid, unavailable
 */
export async function checkArguments(self: Self, { workspaceId, inputSchema }: ToolDoc, args: unknown): Promise<void> {
  const check = await Promise.resolve(self.forms.check(inCurrentDraft(inputSchema), args, workspaceId)).catch(
    (error: unknown) => {
      if (!(error instanceof ExpressionError)) throw error;
      throw new AppError("unavailable", {
        detail: "Too many tool calls are waiting for the check of their arguments. Try again.",
      });
    },
  );
  if (!check.faults?.length) return;
  const errors = check.faults.map(({ path, message }) => ({ path: path.replace(/^\/data/, "/arguments"), message }));
  throw new AppError("tool_arguments_invalid", { errors });
}

async function callTool(self: Self, params: ParamsOf<"mcp.tools.invoke">, toldOn?: string[]): Promise<ToolResult> {
  const { workspaceId, toolId } = params;
  const tool = await self.store.tenant(tools, workspaceId).get({ id: toolId });
  if (!tool) throw notFound("tool");
  const server = await aliveServer(self, workspaceId, tool.serverId);
  await checkArguments(self, tool, params.arguments);
  return self.calls.run(server, tool, { ...params, toldOn });
}

export const invokeTool = handle<"mcp.tools.invoke", Self>(
  "mcp.tools.invoke",
  function (ctx) {
    return callTool(this, ctx.params, ctx.nodeID === null ? undefined : [ctx.nodeID]);
  },
  { timeout: MAX_CALL_MS + MARGIN_MS, outside: true },
);

export const callOneTool = handle<"mcp.tools.call", Self>(
  "mcp.tools.call",
  function (ctx) {
    const { callId } = ctx.meta;
    const toldOn = callId === undefined || ctx.nodeID === null ? undefined : [ctx.nodeID];
    return callTool(this, { ...ctx.params, timeoutMs: CALL_MS, callId: callId ?? uuid() }, toldOn);
  },
  { timeout: CALL_MS + MARGIN_MS, outside: true },
);
