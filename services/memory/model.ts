import { defineCollection, type DocumentOf, where } from "../../adapters/store/define-collection.ts";
import {
  date,
  json,
  number,
  oneOf,
  optional,
  optionalOrNull,
  string,
  strings,
} from "../../adapters/store/field-types.ts";
import {
  EMBEDDING_STATUSES,
  memory,
  MEMORY_EVENTS,
  MEMORY_SCOPES,
  MEMORY_SOURCES,
  memoryEvent,
  type MemoryEvent,
  type MemoryGroup,
} from "../../contracts/entities/memory.ts";
import type { Slots } from "../../core/memory/fact.ts";
import { presenter } from "../../service-kit/present.ts";

export const memories = defineCollection({
  name: "memories",
  tenant: true,
  fields: {
    userId: string(),
    scope: oneOf(MEMORY_SCOPES),
    threadId: optionalOrNull(string()),
    workflowId: optionalOrNull(string()),
    content: string(),
    source: oneOf(MEMORY_SOURCES),
    factType: string(),
    /** The group of the profile that shows the memory. */
    group: string<MemoryGroup>(),
    eventDate: optionalOrNull(string()),
    confidence: number(),
    metadata: json<Record<string, unknown>>(),
    /** The slots of the content, if the rules could read it. */
    slots: optionalOrNull(json<Slots>()),
    /**
     * Keys of its words, of its subject and relation, and of its subject and value. They find memories that this one
     * may repeat or contradict.
     */
    contentKey: optionalOrNull(string()),
    relationKey: optionalOrNull(string()),
    valueKey: optionalOrNull(string()),
    /** A hash of what the memory states. It is unique among the current ingested memories of one place. */
    statement: optionalOrNull(string()),
    /** The ingest that created it, and the number of memories that the ingest created. */
    sessionId: optionalOrNull(string()),
    sessionSize: optionalOrNull(number()),
    /** While this is set, the memories that this one supersedes may not be updated yet. */
    settleAt: optionalOrNull(date()),
    supersedes: optional(strings()),
    supersededById: optionalOrNull(string()),
    supersededAt: optionalOrNull(date()),
    /** The periods, in milliseconds, during which it was superseded before it was restored. */
    pauses: optional(json<readonly (readonly [number, number])[]>()),
    embeddingStatus: oneOf(EMBEDDING_STATUSES),
    createdAt: date(),
    updatedAt: date(),
    /** The approximate size in a response. */
    bytes: number(),
  },
  indexes: [
    // Finds hits of the search index by id, without reading a whole workspace.
    [{ workspaceId: 1, _id: 1 }],
    [{ workspaceId: 1, userId: 1, supersededById: 1, createdAt: -1, _id: -1 }],
    [{ workspaceId: 1, userId: 1, group: 1, supersededById: 1, createdAt: -1, _id: -1 }],
    // The list of subjects finds the newest memory of one subject after another.
    [{ workspaceId: 1, userId: 1, createdAt: -1, _id: -1 }, { mixed: true }],
    [
      { workspaceId: 1, userId: 1, threadId: 1, createdAt: -1, _id: -1 },
      { mixed: true, ...where("threadId") },
    ],
    [
      { workspaceId: 1, userId: 1, workflowId: 1, createdAt: -1, _id: -1 },
      { mixed: true, ...where("workflowId") },
    ],
    [{ workspaceId: 1, contentKey: 1 }, where("contentKey")],
    [{ workspaceId: 1, relationKey: 1 }, where("relationKey")],
    [{ workspaceId: 1, valueKey: 1 }, where("valueKey")],
    [
      { workspaceId: 1, statement: 1 },
      { unique: true, ...where("statement") },
    ],
    [{ workspaceId: 1, sessionId: 1 }, where("sessionId")],
    [{ settleAt: 1 }, where("settleAt")],
  ],
});
export type MemoryDoc = DocumentOf<typeof memories>;

/** An event in the history of a memory. */
export const memoryEvents = defineCollection({
  name: "memoryEvents",
  tenant: true,
  fields: {
    memoryId: string(),
    event: oneOf(MEMORY_EVENTS),
    at: date(),
    actorId: string(),
    by: string(),
    fallback: optionalOrNull(string()),
    decision: optionalOrNull(string()),
    otherId: optionalOrNull(string()),
    sessionId: optionalOrNull(string()),
    span: optional(json<MemoryEvent["span"]>()),
  },
  indexes: [[{ workspaceId: 1, memoryId: 1, _id: -1 }]],
});
export type MemoryEventDoc = DocumentOf<typeof memoryEvents>;

/** The lease of the one request that may change a user's memories in a workspace. */
export const memoryTurns = defineCollection({
  name: "memoryTurns",
  tenant: true,
  fields: { userId: string(), holder: string(), until: date() },
  indexes: [[{ workspaceId: 1, userId: 1 }, { unique: true }]],
});

/** A filter for the memories that were not superseded. */
export const CURRENT = { supersededById: null };

export const presentMemory = presenter(memory, memories);
export const presentEvent = presenter(memoryEvent, memoryEvents);
