import { Schema } from "../../adapters/store/schema.ts";
import { defineCollection } from "../../adapters/store/define-collection.ts";
import {
  EMBEDDING_STATUSES,
  type Memory,
  type MemoryGroup,
  MEMORY_EVENTS,
  MEMORY_SCOPES,
  MEMORY_SOURCES,
  type MemoryEvent,
  type MemoryScope,
  type MemorySource,
} from "../../contracts/entities/memory.ts";
import type { Slots } from "../../core/memory/fact.ts";

export interface MemoryDoc {
  id: string;
  workspaceId: string;
  userId: string;
  scope: MemoryScope;
  threadId?: string | null;
  workflowId?: string | null;
  content: string;
  source: MemorySource;
  factType: string;
  /** By which profiles show it. */
  group: MemoryGroup;
  eventDate?: string | null;
  confidence: number;
  metadata: Record<string, unknown>;
  /** What it says, as far as that could be read. */
  slots?: Slots | null;
  /** Its words; its subject with its relation, and with its value: by these, others are found that it may repeat or contradict. */
  contentKey?: string | null;
  relationKey?: string | null;
  valueKey?: string | null;
  /** What it says. No two current ones that were ingested in the same place are the same. */
  statement?: string | null;
  /** The ingest that it came by, and how many came by that. */
  sessionId?: string | null;
  sessionSize?: number | null;
  /** While it is set, those that it supersedes may not know of it yet. */
  settleAt?: Date | null;
  supersedes?: string[];
  supersededById?: string | null;
  supersededAt?: Date | null;
  /** From when to when it was superseded before it was restored, in milliseconds. */
  pauses?: readonly (readonly [number, number])[];
  embeddingStatus: Memory["embeddingStatus"];
  createdAt: Date;
  updatedAt: Date;
  /** Roughly what it takes in an answer. */
  bytes: number;
}

const has = (field: string) => ({ partialFilterExpression: { [field]: { $exists: true } } });

const memorySchema = new Schema({
  userId: { type: String, required: true },
  scope: { type: String, required: true, enum: MEMORY_SCOPES },
  threadId: String,
  workflowId: String,
  content: { type: String, required: true },
  source: { type: String, required: true, enum: MEMORY_SOURCES },
  factType: { type: String, required: true },
  group: { type: String, required: true },
  eventDate: String,
  confidence: { type: Number, required: true },
  metadata: { type: String, json: true },
  slots: { type: String, json: true },
  contentKey: String,
  relationKey: String,
  valueKey: String,
  statement: String,
  sessionId: String,
  sessionSize: Number,
  settleAt: Date,
  supersedes: [String],
  supersededById: String,
  supersededAt: Date,
  pauses: { type: String, json: true },
  embeddingStatus: { type: String, required: true, enum: EMBEDDING_STATUSES },
  createdAt: { type: Date, required: true },
  updatedAt: { type: Date, required: true },
  bytes: { type: Number, required: true },
});
// For what the search index finds: by ids, without going through all of a workspace.
memorySchema.index({ workspaceId: 1, _id: 1 });
memorySchema.index({ workspaceId: 1, userId: 1, supersededById: 1, createdAt: -1, _id: -1 });
memorySchema.index({ workspaceId: 1, userId: 1, group: 1, supersededById: 1, createdAt: -1, _id: -1 });
memorySchema.index({ workspaceId: 1, userId: 1, createdAt: -1, _id: -1 });
memorySchema.index({ workspaceId: 1, contentKey: 1 }, has("contentKey"));
memorySchema.index({ workspaceId: 1, relationKey: 1 }, has("relationKey"));
memorySchema.index({ workspaceId: 1, valueKey: 1 }, has("valueKey"));
memorySchema.index({ workspaceId: 1, statement: 1 }, { unique: true, ...has("statement") });
memorySchema.index({ workspaceId: 1, sessionId: 1 }, has("sessionId"));
memorySchema.index({ settleAt: 1 }, has("settleAt"));

export const memories = defineCollection<MemoryDoc>({ name: "memories", schema: memorySchema, tenant: true });

/** Something that happened to a memory. */
export interface MemoryEventDoc {
  id: string;
  workspaceId: string;
  memoryId: string;
  event: MemoryEvent["event"];
  at: Date;
  actorId: string;
  by: string;
  fallback?: string | null;
  decision?: string | null;
  otherId?: string | null;
  sessionId?: string | null;
  span?: MemoryEvent["span"];
}

const eventSchema = new Schema({
  memoryId: { type: String, required: true },
  event: { type: String, required: true, enum: MEMORY_EVENTS },
  at: { type: Date, required: true },
  actorId: { type: String, required: true },
  by: { type: String, required: true },
  fallback: String,
  decision: String,
  otherId: String,
  sessionId: String,
  span: { type: String, json: true },
});
eventSchema.index({ workspaceId: 1, memoryId: 1, _id: -1 });

export const memoryEvents = defineCollection<MemoryEventDoc>({
  name: "memoryEvents",
  schema: eventSchema,
  tenant: true,
});

/** Whose turn it is to change what is known of a user of a workspace. */
export interface TurnDoc {
  /** The user's id. */
  id: string;
  workspaceId: string;
  userId: string;
  holder: string;
  until: Date;
}

const turnSchema = new Schema({
  userId: { type: String, required: true },
  holder: { type: String, required: true },
  until: { type: Date, required: true },
});
turnSchema.index({ workspaceId: 1, userId: 1 }, { unique: true });

export const memoryTurns = defineCollection<TurnDoc>({ name: "memoryTurns", schema: turnSchema, tenant: true });

/** Those that count. */
export const CURRENT = { supersededById: null };

export const presentMemory = (doc: MemoryDoc): Memory => ({
  id: doc.id,
  workspaceId: doc.workspaceId,
  userId: doc.userId,
  threadId: doc.threadId ?? null,
  workflowId: doc.workflowId ?? null,
  scope: doc.scope,
  content: doc.content,
  source: doc.source,
  factType: doc.factType,
  eventDate: doc.eventDate ?? null,
  supersededById: doc.supersededById ?? null,
  confidence: doc.confidence,
  metadata: doc.metadata,
  embeddingStatus: doc.embeddingStatus,
  createdAt: doc.createdAt.toISOString(),
  updatedAt: doc.updatedAt.toISOString(),
});

export const presentEvent = (doc: MemoryEventDoc): MemoryEvent => ({
  id: doc.id,
  memoryId: doc.memoryId,
  event: doc.event,
  at: doc.at.toISOString(),
  actorId: doc.actorId,
  by: doc.by,
  fallback: doc.fallback ?? null,
  decision: doc.decision ?? null,
  otherId: doc.otherId ?? null,
  sessionId: doc.sessionId ?? null,
  span: doc.span ?? null,
});
