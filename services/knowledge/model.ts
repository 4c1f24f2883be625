import { defineCollection, type DocumentOf, where } from "../../adapters/store/define-collection.ts";
import {
  boolean,
  date,
  json,
  nullable,
  number,
  optional,
  string,
  withDefault,
} from "../../adapters/store/field-types.ts";
import {
  type EMBEDDING_STATUSES,
  knowledgeBase,
  knowledgeEntry,
  type KnowledgeImport,
  knowledgeImport,
} from "../../contracts/entities/knowledge.ts";
import type { ImportType } from "../../contracts/import-types.ts";
import { OUTBOX_FIELDS, OUTBOX_INDEX } from "../../service-kit/outbox.ts";
import { presenter } from "../../service-kit/present.ts";
import { TOMBSTONE_FIELDS, TOMBSTONE_INDEX } from "../../service-kit/tombstone.ts";
import { DUE_FIELDS, DUE_INDEX } from "./due-work.ts";

export const bases = defineCollection({
  name: "knowledgeBases",
  tenant: true,
  fields: {
    name: string(),
    description: withDefault(string(), ""),
    createdAt: date(),
    updatedAt: date(),
    ...TOMBSTONE_FIELDS,
  },
  indexes: [[{ workspaceId: 1, _id: -1 }], TOMBSTONE_INDEX],
});
export type BaseDoc = DocumentOf<typeof bases>;

export const entries = defineCollection({
  name: "knowledgeEntries",
  tenant: true,
  fields: {
    knowledgeBaseId: string(),
    content: string(),
    metadata: json<Record<string, unknown>>(),
    /** The size of content and metadata. */
    bytes: number(),
    embeddingStatus: string<(typeof EMBEDDING_STATUSES)[number]>(),
    /** Flags in the form of `noVectors`. */
    vectors: string(),
    /** Set until all vectors exist. */
    pendingSince: optional(date()),
    createdAt: date(),
    ...TOMBSTONE_FIELDS,
  },
  indexes: [
    [{ workspaceId: 1, knowledgeBaseId: 1, _id: -1 }],
    [{ pendingSince: 1 }, where("pendingSince")],
    TOMBSTONE_INDEX,
  ],
});
export type EntryDoc = DocumentOf<typeof entries>;

/** An import of one file. While it is due, entries still have to be created from the file. */
export const imports = defineCollection({
  name: "knowledgeImports",
  tenant: true,
  fields: {
    knowledgeBaseId: string(),
    name: string(),
    contentType: string<ImportType>(),
    charset: optional(string()),
    metadata: json<Record<string, unknown>>(),
    status: string<KnowledgeImport["status"]>(),
    entriesTotal: nullable(number()),
    entriesDone: withDefault(number(), 0),
    /** The file and its size. The file is kept until the import has ended. */
    fileId: string(),
    bytes: number(),
    error: nullable(json<{ code: string; message: string }>()),
    createdBy: string(),
    createdAt: date(),
    finishedAt: nullable(date()),
    /** Set after a failure or a cancel. The file is kept until this time, so that the import can be retried. */
    fileUntil: optional(date()),
    /** How often the import was retried. */
    retries: optional(number()),
    ...DUE_FIELDS,
    ...OUTBOX_FIELDS,
  },
  indexes: [
    [{ workspaceId: 1, knowledgeBaseId: 1, _id: -1 }],
    [{ fileUntil: 1, _id: 1 }, where("fileUntil")],
    DUE_INDEX,
    OUTBOX_INDEX,
  ],
});
export type ImportDoc = DocumentOf<typeof imports>;

/**
 * A part of a file. Files are separate from their imports, because lists do not need them and the size of a document is
 * limited.
 */
export const fileParts = defineCollection({
  name: "knowledgeFiles",
  tenant: true,
  fields: {
    knowledgeBaseId: string(),
    fileId: string(),
    /** The position of the part, counted from 0. */
    place: number(),
    base64: string(),
  },
  indexes: [[{ workspaceId: 1, knowledgeBaseId: 1 }], [{ workspaceId: 1, fileId: 1, place: 1 }]],
});
export type PartDoc = DocumentOf<typeof fileParts>;

/**
 * A file that is being uploaded. The id is that of the file. The import that takes it removes the upload; otherwise it
 * expires.
 */
export const uploads = defineCollection({
  name: "knowledgeUploads",
  tenant: true,
  fields: {
    knowledgeBaseId: string(),
    parts: number(),
    bytes: number(),
    /** True once an import has taken the upload. It then accepts no more parts. */
    taken: boolean(),
    expiresAt: date(),
  },
  indexes: [[{ workspaceId: 1, knowledgeBaseId: 1 }], [{ expiresAt: 1 }]],
});
export type UploadDoc = DocumentOf<typeof uploads>;

export const presentBase = presenter(knowledgeBase, bases);
export const presentEntry = presenter(knowledgeEntry, entries);
export const presentImport = presenter(knowledgeImport, imports, ({ fileUntil }) => ({
  retryUntil: fileUntil?.toISOString() ?? null,
}));
