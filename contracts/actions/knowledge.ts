import { z } from "zod";
import { action, inWorkspace } from "../define-action.ts";
import { archived, takenOver } from "../entities/archive.ts";
import {
  content,
  knowledgeBase,
  knowledgeBaseSummary,
  knowledgeEntry,
  knowledgeFilter,
  knowledgeImport,
  knowledgeMatch,
  metadata,
  retrieved,
} from "../entities/knowledge.ts";
import { usedByName } from "../entities/limits-used.ts";
import { description, id, name, nothing, page, pageInput, trimmed } from "../primitives.ts";

const MAX_QUERY = 10_000;
const question = {
  query: trimmed(MAX_QUERY),
  limit: z.int().min(1).max(100).default(10),
  filter: knowledgeFilter.optional(),
};
const matches = z.array(knowledgeMatch);

const file = {
  name: trimmed(500),
  contentType: z.string().max(200).optional(),
  metadata: metadata.default({}),
};

/** The maximum size of one part of a file. Each part is sent as one message. */
export const MAX_PART_BYTES = 384 * 1024;
const upload = { workspaceId: id, uploadId: id };

export const knowledgeActions = {
  "knowledge.create": inWorkspace("editor", { name, description: description.default("") }, knowledgeBase),
  "knowledge.list": inWorkspace("viewer", { ...pageInput }, page(knowledgeBaseSummary)),
  "knowledge.get": inWorkspace("viewer", { id }, knowledgeBase),
  "knowledge.update": inWorkspace(
    "editor",
    { id, name: name.optional(), description: description.optional() },
    knowledgeBase,
  ),
  "knowledge.remove": inWorkspace("editor", { id }, nothing),
  "knowledge.entries.create": inWorkspace("editor", { id, content, metadata: metadata.default({}) }, knowledgeEntry),
  "knowledge.entries.list": inWorkspace("viewer", { id, ...pageInput }, page(knowledgeEntry)),
  "knowledge.entries.get": inWorkspace("viewer", { id, entryId: id }, knowledgeEntry),
  "knowledge.entries.remove": inWorkspace("editor", { id, entryId: id }, nothing),
  /** Searches by meaning and by keywords. Entries without embeddings are found by keywords only. */
  "knowledge.search": inWorkspace("viewer", { id, ...question }, matches),
  "knowledge.searchByKeywords": inWorkspace("viewer", { id, ...question }, matches),
  "knowledge.imports.create": inWorkspace(
    "editor",
    {
      id,
      ...file,
      name: file.name.optional().meta({ description: "Default for `fileId`: the name of that file." }),
      fileId: id.optional().meta({ description: "A file of the workspace, instead of `content`." }),
      content: z.string().optional(),
      contentBase64: z.string().optional(),
      upload: id.optional(),
    },
    knowledgeImport,
  ),
  "knowledge.imports.list": inWorkspace("viewer", { id, ...pageInput }, page(knowledgeImport)),
  "knowledge.imports.get": inWorkspace("viewer", { id, importId: id }, knowledgeImport),
  "knowledge.imports.cancel": inWorkspace("editor", { id, importId: id }, knowledgeImport),
  /** Errors: import_not_kept, limit_reached. */
  "knowledge.imports.retry": inWorkspace("editor", { id, importId: id }, knowledgeImport),
  /**
   * Begins the upload of a file in parts. An import then takes the finished upload. Errors: unsupported_media_type,
   * limit_reached.
   */
  "knowledge.uploads.begin": inWorkspace("editor", { id, ...file }, z.object({ uploadId: id })),
  /**
   * Appends the next part. Parts must arrive in order, and `place` counts them from 0. Errors: payload_too_large,
   * conflict.
   */
  "knowledge.uploads.append": action(
    "internal",
    { ...upload, place: z.int().min(0), base64: z.base64().max(Math.ceil(MAX_PART_BYTES / 3) * 4) },
    nothing,
  ),
  "knowledge.uploads.discard": action("internal", upload, nothing),
  /** The best matching passages, for the steps of runs. */
  "knowledge.retrieve": action(
    "internal",
    { workspaceId: id, knowledgeBaseId: id, ...question },
    z.object({ matches: z.array(retrieved) }),
    { reads: true },
  ),
  /** How much of this service's limits the workspace uses, by name. */
  "knowledge.usage": action("internal", { workspaceId: id }, usedByName, { reads: true }),
  /** Imports a record of an archive. Its ids are already those of this workspace. */
  "knowledge.takeOver": action(
    "internal",
    { workspaceId: id, record: z.discriminatedUnion("kind", [archived.knowledgeBase, archived.knowledgeEntry]) },
    takenOver,
  ),
  "knowledge.purge": action("internal", { workspaceId: id }, nothing),
};
