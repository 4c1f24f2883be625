import { inCurrentDraft } from "./current-draft.ts";
import { isWithinDepth, MAX_CALL_MS, MAX_RESULT_BYTES, MAX_RESULT_DEPTH } from "./limits.ts";
import { listTools, type ListContext } from "./list-tools.ts";
import type { Mask } from "../../core/credentials/mask.ts";
import { McpError } from "./mcp-error.ts";
import type { McpCallOptions, McpCallResult, McpProgress } from "./port.ts";
import type { Session } from "./session.ts";

/** The server requires header parameters, which were not sent because the tool's schema was unknown. */
const HEADER_MISMATCH = -32_020;
const MAX_FAULTS = 3;

export interface ToolCall {
  tool: string;
  args: Record<string, unknown>;
  options: Pick<McpCallOptions, "onProgress" | "meta" | "outputSchema">;
}

const failed = (message: string) => new McpError("mcp_call_failed", message);

async function send(
  session: Session,
  { tool, args, options }: ToolCall,
  { signal, mask }: Pick<ListContext, "signal" | "mask">,
) {
  const { onProgress, meta } = options;
  const onprogress = ({ message, ...far }: McpProgress) =>
    onProgress?.({ ...far, ...(message !== undefined && { message: mask(message) }) });
  const inputSchema = session.headerTools.get(tool) ?? {};
  return session.client.callTool(
    { name: tool, arguments: args, ...(meta && { _meta: meta }) },
    {
      signal,
      timeout: MAX_CALL_MS,
      ...(onProgress && { onprogress }),
      toolDefinition: { name: tool, inputSchema: { ...inputSchema, type: "object" } },
    },
  );
}

function bounded(result: McpCallResult, mask: Mask): McpCallResult {
  if (!isWithinDepth(result, MAX_RESULT_DEPTH))
    throw failed(`The result of the tool is nested deeper than ${MAX_RESULT_DEPTH}`);
  if (Buffer.byteLength(JSON.stringify(result)) > MAX_RESULT_BYTES)
    throw failed(`The result of the tool is larger than ${MAX_RESULT_BYTES} bytes`);
  return mask(result);
}

/**
 * Calls a tool once.
 * @throws {McpError} `mcp_call_failed` when the result cannot be used.
 * @throws the library's errors when the call fails.
 */
export async function callTool(session: Session, call: ToolCall, context: ListContext): Promise<McpCallResult> {
  const { checks, group, mask } = context;
  const answer = await send(session, call, context).catch(async (error: unknown) => {
    if ((error as { code?: unknown }).code !== HEADER_MISMATCH || session.headerTools.has(call.tool)) throw error;
    await listTools(session, context);
    if (!session.headerTools.has(call.tool)) throw error;
    return send(session, call, context);
  });
  const result = bounded(
    {
      content: answer.content,
      ...(answer.structuredContent !== undefined && { structuredContent: answer.structuredContent }),
      isError: answer.isError ?? false,
    },
    mask,
  );
  const { outputSchema } = call.options;
  if (!outputSchema || result.isError) return result;
  if (result.structuredContent === undefined)
    throw failed("The tool gave no structured result, though it promises one");
  const { faults = [], broken } =
    (await checks?.check(inCurrentDraft(outputSchema), result.structuredContent, group)) ?? {};
  if (broken !== undefined) throw failed(`The output schema of the tool cannot be used: ${broken}`);
  if (faults.length === 0) return result;
  const shown = faults.slice(0, MAX_FAULTS).map(({ path, message }) => `${path}: ${message}`);
  throw failed(`The result of the tool is not what its output schema says: ${shown.join("; ")}`);
}
