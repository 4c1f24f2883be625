import { Schema } from "../../adapters/store/schema.ts";
import { defineCollection } from "../../adapters/store/define-collection.ts";
import type { Workflow, WorkflowVersion } from "../../contracts/entities/workflow.ts";
import type { Content } from "../../core/workflow-versions.ts";
import { OUTBOX_FIELDS, OUTBOX_INDEX, type Telling } from "../../mixins/outbox.ts";
import { type Mortal, TOMBSTONE_FIELDS, TOMBSTONE_INDEX } from "../../mixins/tombstone.ts";

/** The newest content, and what is said of the workflow as a whole. */
export interface WorkflowDoc extends Mortal, Telling, Content {
  workspaceId: string;
  spaceId: string;
  /** About the size of the content as JSON. */
  bytes: number;
  status: Workflow["status"];
  starred: boolean;
  version: number;
  deployedAt: Date | null;
  deployedVersion: number | null;
  createdBy: string;
  createdAt: Date;
  updatedAt: Date;
  trashedAt: Date | null;
  /** Of one that was imported: how many warnings that gave. */
  importWarnings?: number;
}

const content = {
  name: { type: String, required: true },
  description: { type: String, default: "" },
  definition: { type: String, json: true },
  bytes: { type: Number, required: true },
};

const workflow = new Schema({
  spaceId: { type: String, required: true },
  ...content,
  status: { type: String, required: true, enum: ["active", "trashed"] },
  starred: { type: Boolean, required: true },
  version: { type: Number, required: true },
  deployedAt: Date,
  deployedVersion: Number,
  createdBy: { type: String, required: true },
  createdAt: { type: Date, required: true },
  updatedAt: { type: Date, required: true },
  trashedAt: Date,
  importWarnings: Number,
  ...OUTBOX_FIELDS,
  ...TOMBSTONE_FIELDS,
});
workflow.index({ workspaceId: 1, spaceId: 1, status: 1, _id: -1 });
workflow.index({ workspaceId: 1, spaceId: 1, status: 1, starred: 1, _id: -1 });
workflow.index({ workspaceId: 1, status: 1, _id: -1 });
workflow.index(...OUTBOX_INDEX);
workflow.index(...TOMBSTONE_INDEX);

export const workflows = defineCollection<WorkflowDoc>({ name: "workflows", schema: workflow, tenant: true });

/** A snapshot of the content. It never changes, and its number is taken once: whoever inserts it has made that version. */
export interface VersionDoc extends Content {
  id: string;
  workspaceId: string;
  spaceId: string;
  workflowId: string;
  version: number;
  bytes: number;
  createdBy: string;
  createdAt: Date;
}

const version = new Schema({
  spaceId: { type: String, required: true },
  workflowId: { type: String, required: true },
  version: { type: Number, required: true },
  ...content,
  createdBy: { type: String, required: true },
  createdAt: { type: Date, required: true },
});
version.index({ workspaceId: 1, workflowId: 1, version: -1 }, { unique: true });
version.index({ workspaceId: 1, spaceId: 1 });

export const versions = defineCollection<VersionDoc>({ name: "workflowVersions", schema: version, tenant: true });

const iso = (date: Date | null | undefined) => date?.toISOString() ?? null;

export const presentWorkflow = (doc: WorkflowDoc): Workflow => ({
  id: doc.id,
  workspaceId: doc.workspaceId,
  spaceId: doc.spaceId,
  name: doc.name,
  description: doc.description,
  definition: doc.definition,
  status: doc.status,
  starred: doc.starred,
  version: doc.version,
  deployedAt: iso(doc.deployedAt),
  deployedVersion: doc.deployedVersion ?? null,
  createdBy: doc.createdBy,
  createdAt: doc.createdAt.toISOString(),
  updatedAt: doc.updatedAt.toISOString(),
  trashedAt: iso(doc.trashedAt),
});

export const presentVersion = (doc: VersionDoc): WorkflowVersion => ({
  workflowId: doc.workflowId,
  version: doc.version,
  name: doc.name,
  description: doc.description,
  definition: doc.definition,
  createdBy: doc.createdBy,
  createdAt: doc.createdAt.toISOString(),
});
