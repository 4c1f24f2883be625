import { clip } from "../clip.ts";
import type { AgentTool } from "./functions.ts";
import type { RequestedCall } from "./history.ts";

/** Lists of executions show the call with its question, so its arguments are clipped. */
const MAX_ARGUMENT_CHARS = 8_000;

/** The question for the person who has to approve a call. */
export function approvalPrompt(tool: Pick<AgentTool, "name" | "title" | "serverName">, call: RequestedCall): string {
  const name = tool.title ? `${tool.title} (${tool.name})` : tool.name;
  const given = JSON.stringify(call.arguments, null, 2);
  const shown = clip(given, MAX_ARGUMENT_CHARS);
  const more = shown === given ? "" : "\n(The log has the whole of it.)";
  return `May the agent call "${name}" of the server "${tool.serverName}" with this?\n${shown}${more}`;
}

/** `PATCH …/approve` answers without data, so the form requires none. */
export const APPROVAL_FORM = {
  type: ["object", "null"],
  properties: {
    // The buttons of the page say it. Programs may say it here.
    approved: { type: "boolean", title: "Approve this call", default: true, "x-weft": { widget: "hidden" } },
    note: { type: "string", title: "Why not, or what instead: told to the agent", maxLength: 2_000 },
  },
} as const;
