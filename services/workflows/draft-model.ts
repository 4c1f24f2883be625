import { defineCollection, type DocumentOf } from "../../adapters/store/define-collection.ts";
import { date, json, nullable, number, string } from "../../adapters/store/field-types.ts";
import { sample, workflowDraft } from "../../contracts/entities/workflow-draft.ts";
import { presenter } from "../../service-kit/present.ts";

/** A user's unsaved changes. A user has one draft per workflow. */
export const drafts = defineCollection({
  name: "workflowDrafts",
  tenant: true,
  fields: {
    spaceId: string(),
    workflowId: string(),
    userId: string(),
    baseVersion: number(),
    name: string(),
    description: string(),
    definition: json(),
    revision: string(),
    updatedAt: date(),
  },
  indexes: [
    [{ workspaceId: 1, workflowId: 1, userId: 1 }, { unique: true }],
    [{ workspaceId: 1, userId: 1 }],
    [{ workspaceId: 1, spaceId: 1 }],
    [{ updatedAt: 1 }],
  ],
});
export type DraftDoc = DocumentOf<typeof drafts>;

/** The output that the builder shows for a step instead of the output of a run. */
export const samples = defineCollection({
  name: "workflowSamples",
  tenant: true,
  fields: {
    spaceId: string(),
    workflowId: string(),
    nodeId: string(),
    value: json(),
    bytes: number(),
    source: nullable(json<{ executionId: string; path: { nodeId: string; index: number }[] }>()),
    updatedBy: string(),
    updatedAt: date(),
  },
  indexes: [[{ workspaceId: 1, workflowId: 1, nodeId: 1 }, { unique: true }], [{ workspaceId: 1, spaceId: 1 }]],
});
export type SampleDoc = DocumentOf<typeof samples>;

/** The sizes of the samples of a workflow, by step. The id is the workflow's id. */
export const sampleSets = defineCollection({
  name: "workflowSampleSets",
  tenant: true,
  fields: { spaceId: string(), sizes: json<Record<string, number>>(), revision: number() },
  indexes: [[{ workspaceId: 1, spaceId: 1 }]],
});

export const presentDraft = presenter(workflowDraft, drafts);
export const presentSample = presenter(sample, samples);
