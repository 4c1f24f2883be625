import { z } from "zod";
import { id, json, moment, timestamp, trimmed } from "../primitives.ts";

export const MEMORY_SCOPES = ["thread", "workflow", "user"] as const;
export const memoryScope = z
  .enum(MEMORY_SCOPES)
  .meta({ description: "Whether the memory applies to a thread, a workflow or everywhere." });
export type MemoryScope = z.infer<typeof memoryScope>;

/**
 * How the memory was created: `ingested` from a text, `manual` word for word, `workflow` by a step of a run, in either
 * way.
 */
export const MEMORY_SOURCES = ["ingested", "manual", "workflow"] as const;
export type MemorySource = (typeof MEMORY_SOURCES)[number];

/** The group of each fact type in a profile. Other types belong to the group `uncategorized`. */
export const MEMORY_GROUPS = {
  fact: "facts",
  preference: "preferences",
  event: "events",
  profile: "profile",
  system: "system",
} as const;
export type MemoryGroup = (typeof MEMORY_GROUPS)[keyof typeof MEMORY_GROUPS] | "uncategorized";

export const EMBEDDING_STATUSES = ["pending", "ready", "failed"] as const;

/** The longest memory, and the longest text to ingest. */
export const MAX_MEMORY_CHARS = 10_000;
export const MAX_INGEST_CHARS = 100_000;
export const MAX_METADATA_CHARS = 16_384;

/** The search index filters by these keys, and accepts only well-formed Unicode. */
const key = z
  .string()
  .min(1)
  .max(200)
  .refine(value => value.isWellFormed(), "Contains an unpaired surrogate: the text is not valid Unicode");
export const threadId = key;
/** The person whom memories are about. Customers are not members of the workspace, so any text is allowed. */
export const memorySubject = key.meta({
  description:
    "The person whom the memory is about: the id of a user, or any text for a person outside the workspace, such as a customer number.",
});
export const factType = trimmed(100);
export const confidence = z.number().min(0).max(1);
export const eventDate = z.union([z.iso.date(), moment]);
export const metadata = z.record(z.string(), json);

export const memory = z
  .object({
    id,
    workspaceId: id,
    userId: memorySubject,
    threadId: z.string().nullable(),
    workflowId: id.nullable(),
    scope: memoryScope,
    content: z.string(),
    source: z.enum(MEMORY_SOURCES),
    factType: z
      .string()
      .meta({ description: "`fact`, `preference`, `event`, `profile`, `system`, or a type of your own." }),
    /** A date, or a date and time if the time is known. */
    eventDate: z.string().nullable(),
    /** The memory that superseded this one; null while this memory is current. */
    supersededById: id.nullable(),
    confidence: z.number(),
    metadata,
    /** Until the embedding is ready, only keywords find the memory. */
    embeddingStatus: z.enum(EMBEDDING_STATUSES),
    createdAt: timestamp,
    updatedAt: timestamp,
  })
  .meta({ id: "Memory" });
export type Memory = z.infer<typeof memory>;

/** The cosine similarity of meaning, plus 0.2 if keywords match. */
export const foundMemory = memory.extend({ score: z.number() }).meta({ id: "FoundMemory" });
export type FoundMemory = z.infer<typeof foundMemory>;

const group = z.array(memory);
export const memoryProfile = z
  .object({
    facts: group,
    preferences: group,
    events: group,
    profile: group,
    system: group,
    uncategorized: group,
  })
  .meta({ id: "MemoryProfile", description: "The newest 100 memories of each group. The list route returns all." });
export type MemoryProfile = z.infer<typeof memoryProfile>;

/** The extractor of facts from a text: the built-in rules or a language model, by name and version. */
export const extraction = z.object({
  by: z.string(),
  /** Why the rules extracted the facts instead of the configured model. */
  fallback: z.string().nullable(),
});
export type Extraction = z.infer<typeof extraction>;

export const ingested = z
  .object({
    memoriesCreated: z.int().min(0),
    /** How many earlier memories were superseded. */
    memoriesUpdated: z.int().min(0),
    sessionId: id,
    /** The memories that were created. */
    memories: z.array(memory),
    extraction,
  })
  .meta({ id: "Ingested" });
export type Ingested = z.infer<typeof ingested>;

const span = z.object({ start: z.int().min(0), end: z.int().min(0), text: z.string() });

/** What ingesting a text would do. */
export const ingestPreview = z
  .object({
    memories: z.array(
      z.object({
        content: z.string(),
        factType: z.string(),
        eventDate: z.string().nullable(),
        confidence: z.number(),
        span: span.meta({ description: "The part of the text that states it." }),
        decision: z.string().meta({ description: "The decision and its reason." }),
        supersedes: z
          .array(z.object({ id, content: z.string() }))
          .meta({ description: "The memories that it would supersede, with their first 500 characters." }),
      }),
    ),
    skipped: z.array(z.object({ content: z.string(), span })).meta({
      description: "Facts that would not be stored, because they are known already or the text itself retracts them.",
    }),
    extraction,
  })
  .meta({ id: "IngestPreview" });
export type IngestPreview = z.infer<typeof ingestPreview>;

export const SUBJECT_KINDS = ["person", "thread", "workflow"] as const;
/** The most memories that are counted for a subject. */
export const MAX_SUBJECT_COUNT = 1_000;

/** A subject of memories: a person, a thread or a workflow. */
export const subjectOfMemories = z
  .object({
    id: z
      .string()
      .meta({ description: "The `userId`, `threadId` or `workflowId` that lists the memories of the subject." }),
    name: z.string().nullable().meta({
      description: "The name of the workflow. Null for people and threads, and after the workflow was deleted.",
    }),
    memories: z
      .int()
      .min(0)
      .max(MAX_SUBJECT_COUNT)
      .meta({ description: `The number of current memories. At most ${MAX_SUBJECT_COUNT} are counted.` }),
    newestAt: timestamp.meta({ description: "When the newest memory was created, current or superseded." }),
  })
  .meta({ id: "MemorySubject" });
export type MemorySubject = z.infer<typeof subjectOfMemories>;

export const MEMORY_EVENTS = ["created", "superseded", "restored"] as const;
export const memoryEvent = z
  .object({
    id,
    memoryId: id,
    event: z.enum(MEMORY_EVENTS),
    at: timestamp,
    /** The user who made the request. */
    actorId: id,
    /** Who or what made the decision: a version of the built-in rules, a language model, or a person. */
    by: z.string(),
    fallback: z.string().nullable(),
    /** The decision and its reason. */
    decision: z.string().nullable(),
    /** The other memory, which superseded this one or was superseded by it. */
    otherId: id.nullable(),
    sessionId: id.nullable(),
    /** The place in the ingested text: the first character, and the end (exclusive). */
    span: span.nullable(),
  })
  .meta({ id: "MemoryEvent" });
export type MemoryEvent = z.infer<typeof memoryEvent>;

export const memoryContext = z
  .object({
    text: z.string().meta({ description: "The memories as text for a prompt; empty if there are none." }),
    /** An estimate: the number of characters divided by four. */
    tokens: z.int().min(0),
    memories: z.array(memory),
    /** True if some matching memories did not fit. */
    truncated: z.boolean(),
  })
  .meta({ id: "MemoryContext" });
export type MemoryContext = z.infer<typeof memoryContext>;
