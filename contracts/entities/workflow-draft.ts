import { z } from "zod";
import { description, id, json, timestamp } from "../primitives.ts";
import { pathPart } from "./execution.ts";
import { versionNumber } from "./workflow.ts";

/** The maximum size of a sample, and of all samples of a workflow, in bytes of JSON. */
export const MAX_SAMPLE_BYTES = 262_144;
export const MAX_SAMPLES_BYTES = 4 * 1_048_576;
export const MAX_SAMPLES = 2_000;
/** A draft is removed if it was not changed for this long. */
export const DRAFT_DAYS = 30;

export const sample = z
  .object({
    nodeId: z.string(),
    value: json.optional().meta({ description: "Absent in a list that names no step." }),
    bytes: z.int().min(0).meta({ description: "The size of the value as JSON." }),
    source: z
      .object({ executionId: id, path: z.array(pathPart) })
      .nullable()
      .meta({ description: "The run that the output comes from; null for a value that a person wrote." }),
    updatedBy: id,
    updatedAt: timestamp,
  })
  .meta({ id: "Sample" });
export type Sample = z.infer<typeof sample>;

export const workflowDraft = z
  .object({
    baseVersion: versionNumber.meta({ description: "The version that was changed." }),
    /** An unfinished name or definition need not be valid. */
    name: z.string().max(200),
    description,
    definition: json,
    revision: z.string().meta({ description: "Changes with each write. The `ETag` is derived from it." }),
    updatedAt: timestamp,
  })
  .meta({ id: "WorkflowDraft" });
export type WorkflowDraft = z.infer<typeof workflowDraft>;

/** The strong entity tag of an entity with a revision; `"none"` if there is no entity. */
export const revisionEtag = (entity: { revision: string } | null): string => `"${entity?.revision ?? "none"}"`;
