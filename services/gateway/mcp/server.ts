import type * as Package from "@modelcontextprotocol/server";
import type { LogEntry } from "../../../contracts/entities/execution.ts";
import { callTool } from "./call-tool.ts";
import { listTools } from "./list-tools.ts";
import type { McpSession } from "./session.ts";
import type { CallContext, CallProgress } from "./caller.ts";

const INSTRUCTIONS = [
  "Weft runs workflows durably, and keeps memories and knowledge. Each deployed workflow that states what input it takes is a",
  "tool of its own; list_workflows finds the others, run_workflow runs them. A run may take longer than a call: get_execution",
  "waits for it. find_tools searches the tools of other servers, call_tool calls them. The list of tools depends on the role",
  "of the credential and on what is deployed, and no word is sent when it changes: ask for it again.",
].join(" ");

/**
 * The validator checks only forms that clients fill in, and this server uses none. The default validator takes long to
 * create.
 */
const NO_FORMS = {
  getValidator: () => () => ({ valid: false as const, data: undefined, errorMessage: "No forms are used." }),
};

/** Reports the entries of a run's log and the progress of a tool, if the client asked for it. */
function progressOf({ mcpReq }: Package.ServerContext): Pick<CallContext, "onEntries" | "onProgress"> {
  const progressToken = mcpReq._meta?.progressToken;
  if (progressToken === undefined) return {};
  const sendProgress = (progress: CallProgress) =>
    mcpReq.notify({ method: "notifications/progress", params: { progressToken, ...progress } });
  return {
    async onEntries(entries: LogEntry[]) {
      for (const { seq: progress, message } of entries) await sendProgress({ progress, message });
    },
    // Sending progress fails only if the client has left, which ends the call anyway.
    onProgress: progress => void sendProgress(progress).catch(() => undefined),
  };
}

/** The server object for one request. It keeps no state, so any node can serve the next request. */
export function serverOf(
  { Server: ServerOf, ProtocolError, ProtocolErrorCode }: typeof Package,
  session: McpSession,
): Package.Server {
  const server = new ServerOf(
    { name: "weft", title: "Weft", version: "1.0.0" },
    { capabilities: { tools: { listChanged: false } }, instructions: INSTRUCTIONS, jsonSchemaValidator: NO_FORMS },
  );
  server.setRequestHandler("tools/list", async () => ({ tools: await listTools(session) }));
  server.setRequestHandler("tools/call", async ({ params }, context) => {
    const call = { signal: context.mcpReq.signal, ...progressOf(context) };
    const answer = await callTool(session, params, call);
    if (!answer)
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no tool ${JSON.stringify(params.name)}.`);
    return server.projectCallToolResult(answer.result, answer.outputSchema);
  });
  return server;
}
