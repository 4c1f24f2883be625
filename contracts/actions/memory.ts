import { z } from "zod";
import { action, inWorkspace } from "../define-action.ts";
import { archived, takenOver } from "../entities/archive.ts";
import {
  confidence,
  eventDate,
  factType,
  foundMemory,
  ingested,
  ingestPreview,
  MAX_INGEST_CHARS,
  MAX_MEMORY_CHARS,
  memory,
  memoryContext,
  memoryEvent,
  memoryProfile,
  memoryScope,
  memorySubject,
  metadata,
  SUBJECT_KINDS,
  subjectOfMemories,
  threadId,
} from "../entities/memory.ts";
import { usedByName } from "../entities/limits-used.ts";
import { id, moment, nothing, page, pageInput, prose } from "../primitives.ts";

export const MAX_FOUND = 100;
export const MAX_CONTEXT_TOKENS = 32_000;

const userId = memorySubject.optional().meta({
  description:
    "The person whom the memory is about: the id of a user, or any text of 1 to 200 characters for a person outside the " +
    "workspace, such as a customer number. Default: the caller.",
});

/** Scope `thread` requires a threadId, and scope `workflow` a workflowId. */
const place = { scope: memoryScope.default("user"), threadId: threadId.optional(), workflowId: id.optional() };
const filter = { scope: memoryScope.optional(), threadId: threadId.optional(), workflowId: id.optional() };

export const memoryText = { content: prose(MAX_INGEST_CHARS), ...place };
export const newMemory = {
  content: prose(MAX_MEMORY_CHARS),
  ...place,
  factType: factType.default("fact"),
  confidence: confidence.default(1),
  eventDate: eventDate.nullable().default(null),
  metadata: metadata.default({}),
};
export const memoryQuestion = {
  query: prose(MAX_MEMORY_CHARS),
  ...filter,
  limit: z.int().min(1).max(MAX_FOUND).default(10),
};

/**
 * The fields that identify a run's step. The session is the same for every attempt. `actorId` is the user who started
 * the run.
 */
const step = { workspaceId: id, userId: memorySubject, sessionId: id, actorId: id.optional() };

export const memoryActions = {
  "memory.ingest": inWorkspace("editor", { ...memoryText, userId }, ingested),
  /** What ingesting the text would do now. It stores nothing. */
  "memory.preview": inWorkspace("editor", { ...memoryText, userId }, ingestPreview),
  "memory.search": inWorkspace("viewer", { ...memoryQuestion, userId }, z.array(foundMemory)),
  "memory.context": inWorkspace(
    "viewer",
    {
      ...memoryQuestion,
      limit: memoryQuestion.limit.default(50),
      tokens: z.int().min(1).max(MAX_CONTEXT_TOKENS).default(1_000),
      userId,
    },
    memoryContext,
  ),
  "memory.profile": inWorkspace("viewer", { userId }, memoryProfile),
  "memory.create": inWorkspace("editor", { ...newMemory, userId }, memory),
  "memory.list": inWorkspace(
    "viewer",
    {
      ...filter,
      factType: factType.optional(),
      userId,
      asOf: moment
        .optional()
        .meta({ description: "Return the memories as they were at this time. Deleted memories stay absent." }),
      superseded: z
        .boolean()
        .optional()
        .meta({ description: "`true` returns superseded memories instead of current ones." }),
      ...pageInput,
    },
    page(memory),
  ),
  "memory.subjects": inWorkspace(
    "viewer",
    {
      by: z
        .enum(SUBJECT_KINDS)
        .default("person")
        .meta({ description: "`person` lists all subjects; the others list the threads or workflows of one of them." }),
      userId,
      ...pageInput,
    },
    page(subjectOfMemories),
  ),
  "memory.get": inWorkspace("viewer", { id }, memory),
  "memory.remove": inWorkspace("editor", { id }, nothing),
  "memory.history": inWorkspace("viewer", { id, ...pageInput }, page(memoryEvent)),
  /** Errors: memory_current; conflict when another memory states the same fact. */
  "memory.restore": inWorkspace("editor", { id }, memory),
  /** The same three actions for the steps of runs. */
  "memory.steps.ingest": action("internal", { ...step, ...memoryText }, ingested),
  "memory.steps.add": action("internal", { ...step, ...newMemory }, memory),
  "memory.steps.search": action("internal", { ...step, ...memoryQuestion }, z.array(foundMemory), { reads: true }),
  /** Whether the server of the search index responds. Without it, searches use keywords only. */
  "memory.searchState": action(
    "internal",
    { version: z.boolean().optional() },
    z.object({
      state: z.enum(["ok", "degraded", "down", "embedded"]),
      /** The version of the server. Requested with `version`. */
      version: z.string().nullable().optional(),
    }),
    {
      reads: true,
    },
  ),
  "memory.count": action("internal", { workspaceId: id }, z.object({ memories: z.int() }), { reads: true }),
  /** Removes the memories of a deleted user in a workspace. */
  "memory.forgetUser": action("internal", { workspaceId: id, userId: id }, nothing),
  /** All memories of the workspace with their histories, for an archive. */
  "memory.archive": inWorkspace("admin", { ...pageInput }, page(archived.memory)),
  /** Imports a record of an archive. Its ids are already those of this workspace. */
  "memory.takeOver": action("internal", { workspaceId: id, userId: id, record: archived.memory }, takenOver),
  /** Removes the data of a deleted workspace. */
  /** How much of this service's limits the workspace uses, by name. */
  "memory.usage": action("internal", { workspaceId: id, userId: id }, usedByName, { reads: true }),
  "memory.purge": action("internal", { workspaceId: id }, nothing),
};
