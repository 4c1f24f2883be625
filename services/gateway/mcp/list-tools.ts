import type { Tool } from "@modelcontextprotocol/server";
import type { WorkflowTool } from "../../../contracts/entities/workflow-tool.ts";
import { includesRole } from "../../../core/roles.ts";
import { runOutcome } from "./run-outcome.ts";
import { jsonSchemaOf } from "./schema.ts";
import type { McpSession } from "./session.ts";
import { DOES_ANYTHING, type OwnTool } from "./tool.ts";
import { OWN_TOOLS } from "./tools/index.ts";
import { runWorkflow } from "./tools/executions.ts";
import { descriptionOf, workflowTools } from "./workflow-tools.ts";

const showOwn = ({ name, title, description, input, output, annotations }: OwnTool): Tool => ({
  name,
  title,
  description,
  inputSchema: jsonSchemaOf(input, "input"),
  ...(output && { outputSchema: jsonSchemaOf(output, "output") }),
  annotations: { title, ...annotations },
});

const showWorkflow = (tool: WorkflowTool): Tool => ({
  name: tool.name,
  title: tool.title,
  description: descriptionOf(tool),
  // The deployment of the workflow has checked that this schema describes an object.
  inputSchema: tool.inputSchema as Tool["inputSchema"],
  outputSchema: jsonSchemaOf(runOutcome, "output"),
  annotations: { title: tool.title, ...DOES_ANYTHING },
});

/** The tools that the caller's role may call. Other tools are hidden. */
export async function listTools(session: McpSession): Promise<Tool[]> {
  const allowed = OWN_TOOLS.filter(({ role }) => includesRole(session.role, role));
  const workflows = allowed.includes(runWorkflow) ? await workflowTools(session) : [];
  return [...allowed.map(showOwn), ...workflows.map(showWorkflow)];
}
