import { mcpActions } from "../../../../contracts/actions/mcp.ts";
import { DOES_ANYTHING, tool } from "../tool.ts";

/** As long as the action itself waits for a tool, and a little more. */
const TIMEOUT_MS = 65_000;

export const callTool = tool({
  name: "call_tool",
  title: "Call a tool",
  description: "Calls a tool that find_tools has found, and gives what its server answers.",
  action: "mcp.tools.call",
  input: mcpActions["mcp.tools.call"].input.omit({ workspaceId: true }),
  annotations: DOES_ANYTHING,
  async run(args, session) {
    const { content, structuredContent, isError } = await session.act("mcp.tools.call", args, TIMEOUT_MS);
    return { content, isError, ...(structuredContent !== undefined && { structured: structuredContent }) };
  },
});
