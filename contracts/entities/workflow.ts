import { z } from "zod";
import { count, description, id, json, name, slugInSpace, timestamp, trimmed } from "../primitives.ts";

export const versionNumber = count(1);

export const definitionFault = z
  .object({
    nodeId: z
      .string()
      .nullable()
      .meta({ description: "The node with the error; null if it concerns the whole definition." }),
    path: z
      .string()
      .meta({ description: "A JSON Pointer (RFC 6901) into the definition, such as `/nodes/2/data/url`." }),
    message: z.string(),
    code: z.string().optional().meta({ description: "A stable name of the kind of error, if it has one." }),
  })
  .meta({ id: "DefinitionFault" });
export type DefinitionFault = z.infer<typeof definitionFault>;

/** A fault that a check of a definition found. */
export const checkedFault = definitionFault
  .extend({
    severity: z.enum(["error", "warning"]).meta({
      description: "An error prevents deployment. A warning marks a probable mistake.",
    }),
  })
  .meta({ id: "CheckedFault" });
export type CheckedFault = z.infer<typeof checkedFault>;

/** The graph of a workflow. Validation reports what prevents it from running; the check of a request does not. */
export const definition = json.meta({
  description: "Any JSON value. The schema `Definition` describes those that can run.",
});

export const workflow = z
  .object({
    id,
    workspaceId: id,
    spaceId: id,
    name,
    slug: slugInSpace,
    description,
    definition,
    status: z.enum(["active", "trashed"]),
    starred: z.boolean(),
    version: versionNumber,
    deployedAt: timestamp.nullable(),
    deployedVersion: versionNumber.nullable(),
    createdBy: id,
    createdAt: timestamp,
    updatedAt: timestamp,
    trashedAt: timestamp.nullable(),
    deployedWarnings: z.array(checkedFault).optional().meta({
      description:
        "Errors that the current rules find in the deployed version. The version still runs, but it could not be deployed again. Absent in lists, and if there are no errors.",
    }),
  })
  .meta({ id: "Workflow" });
export type Workflow = z.infer<typeof workflow>;

/** A workflow in a list of a workspace. */
export const workflowListing = workflow
  .omit({ definition: true, deployedWarnings: true })
  .extend({
    createdByName: z.string().optional().meta({ description: "Also set for former members." }),
    steps: z.int().min(0).meta({ description: "The number of steps of the newest version." }),
    agents: z
      .int()
      .min(0)
      .optional()
      .meta({ description: "How many of them are agents. Absent in responses of nodes of earlier versions." }),
  })
  .meta({ id: "WorkflowListing" });
export type WorkflowListing = z.infer<typeof workflowListing>;

/** A strong entity tag (RFC 9110, section 8.8.3) of all parts of a workflow that can change. */
export function workflowEtag(
  workflow: Pick<Workflow, "version" | "updatedAt" | "status" | "starred" | "deployedVersion">,
): string {
  const { version, updatedAt, status, starred, deployedVersion } = workflow;
  return `"${version}-${Date.parse(updatedAt).toString(36)}-${status}${starred ? "-starred" : ""}-${deployedVersion ?? 0}"`;
}

export const workflowVersion = z
  .object({
    workflowId: id,
    version: versionNumber,
    name,
    description,
    definition,
    message: z.string().nullable().meta({ description: "The author's message about the change." }),
    createdBy: id,
    createdAt: timestamp,
  })
  .meta({ id: "WorkflowVersion" });
export type WorkflowVersion = z.infer<typeof workflowVersion>;

/** The author's message about a version or a deployment. */
export const changeMessage = trimmed(500);

export const deployment = z
  .object({
    version: versionNumber,
    previousVersion: versionNumber.nullable().meta({ description: "The version that was deployed before." }),
    message: z.string().nullable(),
    deployedBy: id,
    deployedByName: z.string().optional().meta({ description: "Also set for former members." }),
    deployedAt: timestamp,
  })
  .meta({ id: "Deployment" });

/** A workflow whose steps run another one. */
export const workflowCaller = z
  .object({
    workflowId: id,
    spaceId: id,
    name,
    deployed: z.boolean().meta({
      description: "Whether its deployed version calls the workflow. Otherwise only its newest version does.",
    }),
    calls: z
      .array(z.object({ nodeId: z.string(), version: z.union([versionNumber, z.literal("deployed")]).nullable() }))
      .meta({
        description:
          "The steps of both versions that call it, at most 20, each with the version that it names; null if it names none.",
      }),
  })
  .meta({ id: "WorkflowCaller" });
export type WorkflowCaller = z.infer<typeof workflowCaller>;

export const validation = z
  .object({
    valid: z.boolean().meta({ description: "Whether it has no errors. Warnings do not count." }),
    faults: z.array(checkedFault),
  })
  .meta({ id: "Validation" });
