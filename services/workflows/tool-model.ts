import { defineCollection } from "../../adapters/store/define-collection.ts";
import { boolean, json, number, optional, string, withDefault } from "../../adapters/store/field-types.ts";
import { type WorkflowTool, workflowTool } from "../../contracts/entities/workflow-tool.ts";
import { presenter } from "../../service-kit/present.ts";

/** A workflow offered as a tool. It has the workflow's id, and is derived from the deployed version. */
export const workflowTools = defineCollection({
  name: "workflowTools",
  tenant: true,
  fields: {
    spaceId: string(),
    name: string(),
    version: number(),
    /** The number of the deployment that it comes from: see `deploymentCount`. */
    order: optional(number()),
    title: string(),
    description: withDefault(string(), ""),
    inputSchema: json<WorkflowTool["inputSchema"]>(),
    /** True while the workflow is in the trash. */
    resting: boolean(),
    bytes: number(),
  },
  indexes: [
    // Clients identify a tool only by its name.
    [{ workspaceId: 1, name: 1 }, { unique: true }],
    [{ workspaceId: 1, spaceId: 1 }],
  ],
});

export const presentTool = presenter(workflowTool, workflowTools, doc => ({ workflowId: doc.id }));
