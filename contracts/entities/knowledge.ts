import { z } from "zod";
import { IMPORT_TYPES } from "../import-types.ts";
import { description, id, json, name, prose, timestamp } from "../primitives.ts";

/** The longest entry, in UTF-16 units. An import splits longer texts into several entries. */
export const MAX_CONTENT = 500_000;
const MAX_METADATA = 32_768;

export const knowledgeBase = z
  .object({ id, workspaceId: id, name, description, createdAt: timestamp, updatedAt: timestamp })
  .meta({ id: "KnowledgeBase" });
export type KnowledgeBase = z.infer<typeof knowledgeBase>;

/** A base in a list. Nodes of earlier versions return only its name and the number of its entries. */
export const knowledgeBaseSummary = knowledgeBase
  .partial({ workspaceId: true, description: true, createdAt: true, updatedAt: true })
  .extend({
    entryCount: z.int().min(0),
    entryBytes: z
      .int()
      .min(0)
      .optional()
      .meta({ description: "The size of the contents and metadata of its entries." }),
  })
  .meta({ id: "KnowledgeBaseSummary" });

export const metadata = z
  .record(z.string(), json)
  .refine(given => JSON.stringify(given).length <= MAX_METADATA, "Must not be larger than 32 KiB")
  .meta({ description: "Any JSON object. Search can filter by short values." });

export const content = prose(MAX_CONTENT);

export const EMBEDDING_STATUSES = ["pending", "ready", "failed"] as const;

export const knowledgeEntry = z
  .object({
    id,
    knowledgeBaseId: id,
    content: z.string(),
    metadata: z.record(z.string(), json),
    embeddingStatus: z.enum(EMBEDDING_STATUSES).meta({
      description: "`pending`: search finds it by its words. `ready`: also by meaning. `failed`: only by its words.",
    }),
    createdAt: timestamp,
  })
  .meta({ id: "KnowledgeEntry" });
export type KnowledgeEntry = z.infer<typeof knowledgeEntry>;

const chunk = z
  .object({ index: z.int().min(0), start: z.int().min(0), end: z.int().min(0) })
  .meta({ description: "The best matching passage: `content.slice(start, end)`, in UTF-16 code units." });

export const knowledgeMatch = knowledgeEntry
  .extend({
    score: z.number().meta({ description: "The cosine similarity, plus 0.2 if the keywords match." }),
    matched: z.enum(["semantic", "keyword", "hybrid"]),
    chunk,
    excerpt: z
      .literal(true)
      .optional()
      .meta({ description: "Whether `content` holds only the passage, because the full results would be too large." }),
  })
  .meta({ id: "KnowledgeMatch" });
export type KnowledgeMatch = z.infer<typeof knowledgeMatch>;

const scalar = z.union([z.string().max(1_024), z.number(), z.boolean()]);
const scalars = z.array(scalar).max(100);
const condition = z.union([
  scalar,
  z.strictObject({ $in: scalars.optional(), $ne: scalar.optional(), $nin: scalars.optional() }),
]);
const MAX_CONDITIONS = 20;
/** All conditions must hold: `{"metadata.lang": "en", "metadata.year": {"$in": [2024, 2025]}}`. */
export const knowledgeFilter = z
  .record(
    z
      .string()
      .regex(/^metadata\../, "Expected a key such as `metadata.lang`")
      .max(128),
    condition,
  )
  .refine(given => Object.keys(given).length <= MAX_CONDITIONS, `Must have at most ${MAX_CONDITIONS} keys`)
  .meta({ maxProperties: MAX_CONDITIONS });

/** The output of the retriever step. */
export const retrieved = z.object({
  id,
  content: z.string(),
  metadata: z.record(z.string(), json),
  score: z.number(),
  matched: z.enum(["semantic", "keyword", "hybrid"]),
  chunk,
});
export type Retrieved = z.infer<typeof retrieved>;

export const knowledgeImport = z
  .object({
    id,
    knowledgeBaseId: id,
    name: z.string(),
    contentType: z.enum(IMPORT_TYPES),
    status: z.enum(["pending", "running", "completed", "failed", "cancelled"]),
    entriesTotal: z.int().min(0).nullable().meta({ description: "Null until the file has been read." }),
    entriesDone: z.int().min(0),
    error: z.object({ code: z.string(), message: z.string() }).nullable(),
    createdAt: timestamp,
    finishedAt: timestamp.nullable(),
    retryUntil: timestamp
      .nullable()
      .optional()
      .meta({ description: "Until when a failed or cancelled import can be retried. Its file is kept until then." }),
  })
  .meta({ id: "KnowledgeImport" });
export type KnowledgeImport = z.infer<typeof knowledgeImport>;
