import { resultText } from "../../../../core/agent/result-text.ts";
import { clip } from "../../../../core/clip.ts";
import { call } from "../../../../contracts/call.ts";
import { progressLines } from "./progress-lines.ts";
import { done, failed, idempotencyKey, LIMIT_MARGIN_MS, timeoutOf, type Perform } from "./step.ts";
import { toolFailure } from "./tool-failure.ts";

const MAX_ERROR_CHARS = 4_000;

/** Calls a tool of a registered server. Every attempt sends the same idempotency key. A trial calls no tool. */
export const tool: Perform<"tool"> = async ({ toolId, arguments: given }, context) => {
  const { doc, at, dry, policy, parts, signal } = context;
  const { workspaceId } = doc;
  const input = { toolId, arguments: given };
  try {
    if (dry === "all") {
      const { tools } = await call(parts.broker, "mcp.tools.describe", { workspaceId, toolIds: [toolId] });
      const [found] = tools;
      if (!found) return failed("tool_not_found", `There is no tool ${toolId}.`, false);
      const message = `"${found.name}" of the server "${found.serverName}" is not called: this is a test.`;
      context.log({ level: "warn", message });
      return done({ content: [], isError: false, called: false });
    }
    const made = { ...input, workspaceId, idempotencyKey: idempotencyKey(doc, at) };
    const timeoutMs = timeoutOf(policy) + LIMIT_MARGIN_MS;
    const onProgress = progressLines(context)("The tool");
    const result = await parts.toolCalls.invoke({ ...made, timeoutMs }, { signal, onProgress });
    if (!result.isError) return { kind: "done", output: result, input };
    const error = { code: "tool_error", message: clip(resultText(result), MAX_ERROR_CHARS) };
    return { kind: "failed", error, retryable: true, input };
  } catch (error) {
    const { code, message, retryable } = toolFailure(error, toolId);
    return { kind: "failed", error: { code, message }, retryable, input };
  }
};
