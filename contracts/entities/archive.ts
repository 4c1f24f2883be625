import { z } from "zod";
import { description, id, json, name, role, slug, timestamp } from "../primitives.ts";
import { content, metadata as entryMetadata } from "./knowledge.ts";
import {
  confidence,
  eventDate,
  factType,
  MAX_MEMORY_CHARS,
  MAX_METADATA_CHARS,
  MEMORY_EVENTS,
  MEMORY_SOURCES,
  memoryScope,
  memorySubject,
  metadata,
  threadId,
} from "./memory.ts";
import { archivedApi } from "./archived-api.ts";
import { authType, serverUrl } from "./mcp-server.ts";
import { cronExpr, timezone } from "./schedule.ts";
import { variableName } from "./variables.ts";
import { deliveryMethod, webhookRespond } from "./webhook.ts";
import { webhookAuth } from "./webhook-auth.ts";
import { changeMessage, definition, versionNumber } from "./workflow.ts";

/** The archive of a workspace is JSON Lines: a head, the records, and an end with their number. */
export const ARCHIVE_FORMAT = "weft-workspace";
export const ARCHIVE_VERSION = 1;
/** The data that an archive does not contain. The last line of each archive lists it. */
export const ARCHIVE_LEAVES_OUT = [
  "runs",
  "files",
  "samples",
  "drafts",
  "lists of deployments",
  "saved views",
  "notifications",
  "API keys",
  "invites",
  "group roles",
  "quotas",
  "audit logs",
] as const;
/** The most events of one memory, and the most tools of one version. */
export const MAX_HISTORY = 50;
const MAX_TOOLS = 200;
/** The most records of one request. */
export const MAX_RECORDS = 200;

const short = z.string().max(2_000);

export const archiveHead = z
  .object({
    kind: z.literal("archive"),
    format: z.literal(ARCHIVE_FORMAT),
    version: z.literal(ARCHIVE_VERSION),
    weft: z.string().max(100),
    exportedAt: timestamp,
    workspace: z.object({ id, name, slug: z.string().max(100) }),
  })
  .meta({ id: "ArchiveHead" });
export type ArchiveHead = z.infer<typeof archiveHead>;

const pod = z.object({ kind: z.literal("pod"), id, name, description });
/** A default space has the id of its workspace or pod. */
const space = z.object({ kind: z.literal("space"), id, name, podId: id.nullable() });
const variables = z.object({
  kind: z.literal("variables"),
  spaceId: id.nullable(),
  values: z.record(variableName, json),
});
/** Lists the credentials that have to be created again. The archive contains none of their data. */
const credential = z.object({ kind: z.literal("credential"), name, type: z.string().max(100) });
/** The members at the time of the export. An import does not create them. */
const member = z.object({
  kind: z.literal("member"),
  email: z.string().max(320),
  name: z.string().max(200).nullable(),
  role,
});

const mcpServer = z.object({
  kind: z.literal("mcpServer"),
  id,
  name,
  url: serverUrl,
  authType,
  agents: z.boolean(),
  createdAt: timestamp,
});

const knowledgeBase = z.object({ kind: z.literal("knowledgeBase"), id, name, description, createdAt: timestamp });
const knowledgeEntry = z.object({
  kind: z.literal("knowledgeEntry"),
  id,
  knowledgeBaseId: id,
  content,
  metadata: entryMetadata,
  createdAt: timestamp,
});

/** A tool that a definition uses. Its id is derived from its server and its name. */
const toolName = z.object({ id, serverId: id, serverCreatedAt: timestamp, name: short });
const workflowVersion = z.object({
  kind: z.literal("workflowVersion"),
  workflowId: id,
  spaceId: id,
  version: versionNumber,
  name,
  description,
  definition,
  message: changeMessage.nullable(),
  createdAt: timestamp,
  tools: z.array(toolName).max(MAX_TOOLS).optional(),
});
/** It follows its versions, so a workflow never exists without them. */
const workflow = z.object({
  kind: z.literal("workflow"),
  id,
  spaceId: id,
  slug: slug.optional(),
  status: z.enum(["active", "trashed"]),
  starred: z.boolean(),
  version: versionNumber,
  deployedVersion: versionNumber.nullable(),
  deployedAt: timestamp.nullable(),
  createdAt: timestamp,
  updatedAt: timestamp,
});

const schedule = z.object({
  kind: z.literal("schedule"),
  id,
  spaceId: id,
  workflowId: id,
  slug: slug.optional(),
  cronExpr,
  timezone,
  input: json,
});
const webhook = z.object({
  kind: z.literal("webhook"),
  id,
  spaceId: id,
  workflowId: id,
  name,
  slug: slug.optional(),
  auth: webhookAuth,
  methods: z.array(deliveryMethod).min(1).max(5),
  respond: webhookRespond,
  keepRaw: z.boolean(),
});

const memoryEvent = z.object({
  event: z.enum(MEMORY_EVENTS),
  at: timestamp,
  by: short,
  fallback: short.nullable(),
  decision: short.nullable(),
  otherId: id.nullable(),
  sessionId: id.nullable(),
  span: z.object({ start: z.int().min(0), end: z.int().min(0), text: z.string().max(MAX_MEMORY_CHARS) }).nullable(),
});
/** A period in which it was superseded before it was restored. */
const pause = z.object({ from: timestamp, to: timestamp });
const memory = z.object({
  kind: z.literal("memory"),
  id,
  userId: memorySubject,
  scope: memoryScope,
  threadId: threadId.nullable(),
  workflowId: id.nullable(),
  content: z.string().min(1).max(MAX_MEMORY_CHARS),
  source: z.enum(MEMORY_SOURCES),
  factType,
  eventDate: eventDate.nullable(),
  confidence,
  metadata: metadata.refine(
    given => JSON.stringify(given).length <= MAX_METADATA_CHARS,
    "Must not be larger than 16 KiB",
  ),
  supersededById: id.nullable(),
  supersededAt: timestamp.nullable(),
  pauses: z.array(pause).max(MAX_HISTORY),
  createdAt: timestamp,
  updatedAt: timestamp,
  /** Oldest first. */
  history: z.array(memoryEvent).max(MAX_HISTORY),
});

/** The schemas of the records. They are also used by the actions that import one kind each. */
export const archived = {
  pod,
  space,
  variables,
  credential,
  member,
  mcpServer,
  api: archivedApi,
  knowledgeBase,
  knowledgeEntry,
  workflowVersion,
  workflow,
  schedule,
  webhook,
  memory,
};
type RecordSchema = (typeof archived)[keyof typeof archived];

export const archiveRecord = z
  .discriminatedUnion("kind", Object.values(archived) as [RecordSchema, ...RecordSchema[]])
  .meta({ id: "ArchiveRecord" });
export type ArchiveRecord = z.infer<typeof archiveRecord>;
export type Archived<K extends ArchiveRecord["kind"]> = Extract<ArchiveRecord, { kind: K }>;

/** The result for one record. */
export const takenOver = z.object({
  made: z.boolean(),
  /** The credentials that a workflow uses and the workspace lacks. */
  credentials: z.array(z.object({ name: z.string(), type: z.string().nullable() })).optional(),
});

export const imported = z
  .object({
    made: z.int().min(0),
    existing: z.int().min(0).meta({ description: "Records that an earlier request already imported." }),
    credentials: z
      .array(z.object({ name: z.string(), type: z.string().nullable() }))
      .meta({ description: "Credentials that the records name and the workspace lacks." }),
  })
  .meta({ id: "Imported" });
