import { mcpActions } from "../../../../contracts/actions/mcp.ts";
import { DOES_ANYTHING, tool } from "../tool.ts";

export const callTool = tool({
  name: "call_tool",
  title: "Call a tool",
  description: "Calls a tool that find_tools has found, and gives what its server answers.",
  action: "mcp.tools.call",
  input: mcpActions["mcp.tools.call"].input.omit({ workspaceId: true }),
  annotations: DOES_ANYTHING,
  async run(args, session, context) {
    const { content, structuredContent, isError } = await session.toolCalls.make(session, args, context);
    return { content, isError, ...(structuredContent !== undefined && { structured: structuredContent }) };
  },
});
