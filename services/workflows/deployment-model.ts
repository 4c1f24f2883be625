import { defineCollection, type DocumentOf } from "../../adapters/store/define-collection.ts";
import { date, nullable, number, string } from "../../adapters/store/field-types.ts";
import { deployment } from "../../contracts/entities/workflow.ts";
import { presenter } from "../../service-kit/present.ts";

/** The deployments of workflows. The newest one of a workflow is also in the workflow's document: see `recordOf`. */
export const deployments = defineCollection({
  name: "workflowDeployments",
  tenant: true,
  fields: {
    spaceId: string(),
    workflowId: string(),
    /** Counts the deployments of a workflow, from 1. */
    order: number(),
    version: number(),
    previousVersion: nullable(number()),
    message: nullable(string()),
    deployedBy: string(),
    deployedAt: date(),
  },
  indexes: [[{ workspaceId: 1, workflowId: 1, order: -1 }, { unique: true }], [{ workspaceId: 1, spaceId: 1 }]],
});
export type DeploymentDoc = DocumentOf<typeof deployments>;

export const presentDeployment = presenter(deployment, deployments);
