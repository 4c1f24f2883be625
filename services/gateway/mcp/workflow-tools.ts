import { toolName, type WorkflowTool } from "../../../contracts/entities/workflow-tool.ts";
import { CANCEL_NOTE, waitForOutcome } from "./run-outcome.ts";
import type { McpSession } from "./session.ts";
import type { CallContext } from "./caller.ts";
import type { ToolAnswer } from "./tool.ts";

/** With more tools, choosing becomes harder. `list_workflows` finds the rest. */
const MAX_TOOLS = 200;
const MAX_CHARS = 1_048_576;
/** Clients of the official packages wait a minute for a call. */
export const WAIT_MS = 45_000;

/** The deployed workflows that are offered as tools, by name, up to the maximum number. */
export async function workflowTools(session: McpSession): Promise<WorkflowTool[]> {
  const found: WorkflowTool[] = [];
  let left = MAX_CHARS;
  let cursor: string | undefined;
  do {
    const { items, next } = await session.act("workflows.tools", { limit: MAX_TOOLS - found.length, cursor });
    for (const tool of items) {
      left -= JSON.stringify(tool).length;
      if (left < 0) return found;
      found.push(tool);
    }
    cursor = next ?? undefined;
  } while (cursor !== undefined && found.length < MAX_TOOLS);
  return found;
}

/** The workflow behind the tool of this name. */
export async function workflowTool(session: McpSession, name: string): Promise<WorkflowTool | undefined> {
  if (!toolName.safeParse(name).success) return undefined;
  const { items } = await session.act("workflows.tools", { name, limit: 1 });
  return items[0];
}

export const descriptionOf = ({ title, description }: WorkflowTool): string =>
  [
    description.trim() || `Runs the workflow "${title}".`,
    `Runs a workflow and waits up to ${WAIT_MS / 1_000} seconds for its end; a run that takes longer, or asks something, goes on.`,
    CANCEL_NOTE,
  ].join("\n\n");

export async function runTool(
  { workflowId, spaceId, version }: WorkflowTool,
  input: unknown,
  session: McpSession,
  context: CallContext,
): Promise<ToolAnswer> {
  const run = await session.act("executions.start", { workflowId, spaceId, version, input });
  return waitForOutcome(session, run, WAIT_MS, context);
}
