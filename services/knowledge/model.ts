import { Schema } from "../../adapters/store/schema.ts";
import { defineCollection } from "../../adapters/store/define-collection.ts";
import type { EMBEDDING_STATUSES, KnowledgeImport } from "../../contracts/entities/knowledge.ts";
import type { ImportType } from "../../contracts/import-types.ts";
import { OUTBOX_FIELDS, OUTBOX_INDEX, type Telling } from "../../mixins/outbox.ts";
import { type Mortal, TOMBSTONE_FIELDS, TOMBSTONE_INDEX } from "../../mixins/tombstone.ts";
import { type Due, DUE_FIELDS, DUE_INDEX } from "./due-work.ts";

export interface BaseDoc extends Mortal {
  workspaceId: string;
  name: string;
  description: string;
  createdAt: Date;
  updatedAt: Date;
}

const base = new Schema({
  name: { type: String, required: true },
  description: { type: String, default: "" },
  createdAt: { type: Date, required: true },
  updatedAt: { type: Date, required: true },
  ...TOMBSTONE_FIELDS,
});
base.index({ workspaceId: 1, _id: -1 });
base.index(...TOMBSTONE_INDEX);

export const bases = defineCollection<BaseDoc>({ name: "knowledgeBases", schema: base, tenant: true });

export interface EntryDoc extends Mortal {
  workspaceId: string;
  knowledgeBaseId: string;
  content: string;
  metadata: Record<string, unknown>;
  /** Of content and metadata. */
  bytes: number;
  embeddingStatus: (typeof EMBEDDING_STATUSES)[number];
  /** As `noVectors` has it. */
  vectors: string;
  /** While its vectors are still to be made. */
  pendingSince?: Date;
  createdAt: Date;
}

const entry = new Schema({
  knowledgeBaseId: { type: String, required: true },
  content: { type: String, required: true },
  metadata: { type: String, json: true },
  bytes: { type: Number, required: true },
  embeddingStatus: { type: String, required: true },
  vectors: { type: String, required: true },
  pendingSince: Date,
  createdAt: { type: Date, required: true },
  ...TOMBSTONE_FIELDS,
});
entry.index({ workspaceId: 1, knowledgeBaseId: 1, _id: -1 });
entry.index({ pendingSince: 1 }, { partialFilterExpression: { pendingSince: { $exists: true } } });
entry.index(...TOMBSTONE_INDEX);

export const entries = defineCollection<EntryDoc>({ name: "knowledgeEntries", schema: entry, tenant: true });

/** While it is due, its file is still to be made into entries. */
export interface ImportDoc extends Due, Telling {
  workspaceId: string;
  knowledgeBaseId: string;
  name: string;
  contentType: ImportType;
  charset?: string;
  metadata: Record<string, unknown>;
  status: KnowledgeImport["status"];
  entriesTotal: number | null;
  entriesDone: number;
  /** The file that is kept until it has ended, and what it has in bytes. */
  fileId: string;
  bytes: number;
  error: { code: string; message: string } | null;
  createdBy: string;
  createdAt: Date;
  finishedAt: Date | null;
}

const imported = new Schema({
  knowledgeBaseId: { type: String, required: true },
  name: { type: String, required: true },
  contentType: { type: String, required: true },
  charset: String,
  metadata: { type: String, json: true },
  status: { type: String, required: true },
  entriesTotal: Number,
  entriesDone: { type: Number, default: 0 },
  fileId: { type: String, required: true },
  bytes: { type: Number, required: true },
  error: { type: String, json: true },
  createdBy: { type: String, required: true },
  createdAt: { type: Date, required: true },
  finishedAt: Date,
  ...DUE_FIELDS,
  ...OUTBOX_FIELDS,
});
imported.index({ workspaceId: 1, knowledgeBaseId: 1, _id: -1 });
imported.index(...DUE_INDEX);
imported.index(...OUTBOX_INDEX);

export const imports = defineCollection<ImportDoc>({ name: "knowledgeImports", schema: imported, tenant: true });

/** A file that an import is made of, or will be: lists of imports are not to read it, and a document has a limit. */
export interface PartDoc {
  id: string;
  workspaceId: string;
  knowledgeBaseId: string;
  fileId: string;
  /** From 0. */
  place: number;
  base64: string;
}

const part = new Schema({
  knowledgeBaseId: { type: String, required: true },
  fileId: { type: String, required: true },
  place: { type: Number, required: true },
  base64: { type: String, required: true },
});
part.index({ workspaceId: 1, knowledgeBaseId: 1 });
part.index({ workspaceId: 1, fileId: 1, place: 1 });

export const files = defineCollection<PartDoc>({ name: "knowledgeFiles", schema: part, tenant: true });

/** A file on its way: its id is the file's. It goes with an import that takes it, or when it expires. */
export interface UploadDoc {
  id: string;
  workspaceId: string;
  knowledgeBaseId: string;
  parts: number;
  bytes: number;
  /** No part comes any more. */
  taken: boolean;
  expiresAt: Date;
}

const upload = new Schema({
  knowledgeBaseId: { type: String, required: true },
  parts: { type: Number, required: true },
  bytes: { type: Number, required: true },
  taken: { type: Boolean, required: true },
  expiresAt: { type: Date, required: true },
});
upload.index({ workspaceId: 1, knowledgeBaseId: 1 });
upload.index({ expiresAt: 1 });

export const uploads = defineCollection<UploadDoc>({ name: "knowledgeUploads", schema: upload, tenant: true });
