import { clip } from "../clip.ts";
import type { AgentTool } from "./functions.ts";
import type { WantedCall } from "./history.ts";

/** The call goes into lists of executions with its question. */
const MAX_ARGUMENT_CHARS = 8_000;

/** What somebody is asked who has to approve a call. */
export function approvalPrompt(tool: Pick<AgentTool, "name" | "title" | "serverName">, call: WantedCall): string {
  const name = tool.title ? `${tool.title} (${tool.name})` : tool.name;
  const given = JSON.stringify(call.arguments, null, 2);
  const shown = clip(given, MAX_ARGUMENT_CHARS);
  const more = shown === given ? "" : "\n(The log has the whole of it.)";
  return `May the agent call "${name}" of the server "${tool.serverName}" with this?\n${shown}${more}`;
}

/** `PATCH …/approve` answers without data, so there need not be any. */
export const APPROVAL_FORM = {
  type: ["object", "null"],
  properties: {
    approved: { type: "boolean", title: "Approve this call", default: true },
    note: { type: "string", title: "Why not, or what instead: told to the agent", maxLength: 2_000 },
  },
} as const;
