import { defineCollection, type DocumentOf, where } from "../../adapters/store/define-collection.ts";
import {
  boolean,
  date,
  json,
  nullable,
  number,
  oneOf,
  optional,
  optionalOrNull,
  string,
  strings,
  withDefault,
} from "../../adapters/store/field-types.ts";
import { workflow, workflowListing, workflowVersion } from "../../contracts/entities/workflow.ts";
import { OUTBOX_FIELDS, OUTBOX_INDEX } from "../../service-kit/outbox.ts";
import { presenter } from "../../service-kit/present.ts";
import { SLUG_FIELDS, SLUG_INDEX } from "../../service-kit/slugs.ts";
import { TOMBSTONE_FIELDS, TOMBSTONE_INDEX } from "../../service-kit/tombstone.ts";

const content = {
  name: string(),
  description: withDefault(string(), ""),
  definition: json(),
  /** The approximate size of the content as JSON. */
  bytes: number(),
};

/** The slug of a workflow whose name contains no Latin letter and no digit. */
export const SLUG_FALLBACK = "workflow";

/** The newest content of a workflow, and the state of the workflow as a whole. */
export const workflows = defineCollection({
  name: "workflows",
  tenant: true,
  fields: {
    spaceId: string(),
    ...content,
    status: oneOf(["active", "trashed"]),
    starred: boolean(),
    version: number(),
    deployedAt: nullable(date()),
    deployedVersion: nullable(number()),
    createdBy: string(),
    createdAt: date(),
    updatedAt: date(),
    trashedAt: nullable(date()),
    /** The number of recorded deployments, and the newest deployment. */
    deploymentCount: optional(number()),
    deployment: optional(json<{ id: string; message: string | null; by: string; previousVersion: number | null }>()),
    /** The number of warnings of the import, if the workflow was imported. */
    importWarnings: optional(number()),
    /**
     * The credentials that the newest and the deployed definition use: see `credentialUses`. Unset if there are none.
     */
    uses: optional(strings()),
    deployedUses: optional(strings()),
    ...SLUG_FIELDS,
    ...OUTBOX_FIELDS,
    ...TOMBSTONE_FIELDS,
  },
  indexes: [
    SLUG_INDEX,
    [{ workspaceId: 1, spaceId: 1, status: 1, _id: -1 }],
    [{ workspaceId: 1, spaceId: 1, status: 1, starred: 1, _id: -1 }],
    [{ workspaceId: 1, status: 1, _id: -1 }],
    [{ workspaceId: 1, _id: -1 }, where("uses")],
    [{ workspaceId: 1, _id: -1 }, where("deployedUses")],
    [{ workspaceId: 1, status: 1, updatedAt: -1, _id: -1 }],
    [{ workspaceId: 1, spaceId: 1, status: 1, updatedAt: -1, _id: -1 }],
    OUTBOX_INDEX,
    TOMBSTONE_INDEX,
  ],
});
export type WorkflowDoc = DocumentOf<typeof workflows>;

/** The order of a list of workflows. Ids sort by creation. */
export const orderOf = (sort: "-createdAt" | "-updatedAt") =>
  sort === "-updatedAt" ? { updatedAt: -1 as const, id: -1 as const } : { id: -1 as const };

/**
 * A snapshot of the content. It never changes. Its number is unique, so the request that inserts it owns that version.
 */
export const versions = defineCollection({
  name: "workflowVersions",
  tenant: true,
  fields: {
    spaceId: string(),
    workflowId: string(),
    version: number(),
    ...content,
    /** The author's message about the change. */
    message: optionalOrNull(string()),
    createdBy: string(),
    createdAt: date(),
  },
  indexes: [
    [{ workspaceId: 1, workflowId: 1, version: -1 }, { unique: true }],
    [{ workspaceId: 1, spaceId: 1 }],
    // By author, to list the workflows that a person has edited.
    [{ workspaceId: 1, createdBy: 1, workflowId: 1 }],
  ],
});
export type VersionDoc = DocumentOf<typeof versions>;

/** The nodes of a definition. The definition may have faults. */
function nodesIn(definition: unknown): ({ type?: unknown } | null)[] {
  const { nodes } = (definition ?? {}) as { nodes?: unknown };
  return Array.isArray(nodes) ? (nodes as ({ type?: unknown } | null)[]) : [];
}

export const presentWorkflow = presenter(workflow, workflows);
export const presentListing = presenter(workflowListing, workflows, ({ definition }) => ({
  steps: nodesIn(definition).length,
  agents: nodesIn(definition).filter(node => node?.type === "agent").length,
}));
export const presentVersion = presenter(workflowVersion, versions);
