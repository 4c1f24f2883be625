import { z } from "zod";
import { description, id, json, name } from "../primitives.ts";
import { versionNumber } from "./workflow.ts";

/** The names of the tools that the service itself offers at `/mcp`. Tools of workflows cannot have these names. */
export const OWN_TOOL_NAMES = [
  "run_workflow",
  "list_workflows",
  "get_execution",
  "answer_execution",
  "cancel_execution",
  "search_memory",
  "add_memory",
  "ingest_memory",
  "search_knowledge",
  "list_knowledge_bases",
  "find_tools",
  "call_tool",
] as const;
export type OwnToolName = (typeof OWN_TOOL_NAMES)[number];

/** The strictest clients accept only these characters and this length. */
export const toolName = z.string().regex(/^[a-z0-9_]{1,64}$/);

/** A deployed workflow that declares its input, offered as a tool. Its description is that of the deployed version. */
export const workflowTool = z.object({
  name: toolName,
  workflowId: id,
  spaceId: id,
  version: versionNumber,
  title: name,
  description,
  inputSchema: z.record(z.string(), json),
});
export type WorkflowTool = z.infer<typeof workflowTool>;

/** A workflow without its definition. */
export const workflowSummary = z.object({
  id,
  spaceId: id,
  name,
  description,
  version: versionNumber,
  deployedVersion: versionNumber.nullable(),
  inputSchema: z
    .record(z.string(), json)
    .nullable()
    .meta({ description: "The JSON Schema of the workflow's input; absent if it declares none." }),
});
export type WorkflowSummary = z.infer<typeof workflowSummary>;
