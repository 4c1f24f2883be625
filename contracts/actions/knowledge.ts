import { z } from "zod";
import { action, inWorkspace } from "../define-action.ts";
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
import { description, id, name, nothing, page, pageInput } from "../primitives.ts";

const MAX_QUERY = 10_000;
const question = {
  query: z.string().trim().min(1).max(MAX_QUERY),
  limit: z.int().min(1).max(100).default(10),
  filter: knowledgeFilter.optional(),
};
const matches = z.array(knowledgeMatch);

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
  /** By meaning and by words, as far as there are embeddings. */
  "knowledge.search": inWorkspace("viewer", { id, ...question }, matches),
  "knowledge.searchByKeywords": inWorkspace("viewer", { id, ...question }, matches),
  "knowledge.imports.create": inWorkspace(
    "editor",
    {
      id,
      name: z.string().trim().min(1).max(500),
      contentType: z.string().max(200).optional(),
      content: z.string().optional(),
      contentBase64: z.string().optional(),
      metadata: metadata.default({}),
    },
    knowledgeImport,
  ),
  "knowledge.imports.list": inWorkspace("viewer", { id, ...pageInput }, page(knowledgeImport)),
  "knowledge.imports.get": inWorkspace("viewer", { id, importId: id }, knowledgeImport),
  /** For the steps of runs: the passages that match best. */
  "knowledge.retrieve": action(
    "internal",
    { workspaceId: id, knowledgeBaseId: id, ...question },
    z.object({ matches: z.array(retrieved) }),
  ),
  "knowledge.purge": action("internal", { workspaceId: id }, nothing),
};
