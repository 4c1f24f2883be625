import { Schema } from "../../adapters/store/schema.ts";
import type { Doc } from "../../adapters/store/port.ts";
import { defineCollection } from "../../adapters/store/define-collection.ts";
import type { WorkflowTool } from "../../contracts/entities/workflow-tool.ts";

/** A workflow as a tool, under the workflow's own id; derived from the version that was deployed. */
export interface WorkflowToolDoc extends Doc, Omit<WorkflowTool, "workflowId"> {
  workspaceId: string;
  /** The workflow is in the trash. */
  resting: boolean;
  bytes: number;
}

const tool = new Schema({
  spaceId: { type: String, required: true },
  name: { type: String, required: true },
  version: { type: Number, required: true },
  title: { type: String, required: true },
  description: { type: String, default: "" },
  inputSchema: { type: String, json: true },
  resting: { type: Boolean, required: true },
  bytes: { type: Number, required: true },
});
// Clients know a tool by its name alone.
tool.index({ workspaceId: 1, name: 1 }, { unique: true });
tool.index({ workspaceId: 1, spaceId: 1 });

export const workflowTools = defineCollection<WorkflowToolDoc>({ name: "workflowTools", schema: tool, tenant: true });

export const presentTool = (doc: WorkflowToolDoc): WorkflowTool => ({
  name: doc.name,
  workflowId: doc.id,
  spaceId: doc.spaceId,
  version: doc.version,
  title: doc.title,
  description: doc.description,
  inputSchema: doc.inputSchema,
});
