import { z } from "zod";
import { MEMORY_SCOPES, memorySubject } from "../../contracts/entities/memory.ts";
import { id } from "../../contracts/primitives.ts";
import { messageFiles } from "./file-data.ts";

/** The most tools of one agent: the ones it is given, and the ones it finds. */
export const MAX_AGENT_TOOLS = 64;
const MAX_BASES = 10;
const MAX_TEXT = 100_000;
/** About ten years. A longer limit is a mistake. */
const MAX_EXPIRY_MS = 315_360_000_000;

const text = (max: number) => z.string().max(max);
const ids = (max: number) => z.array(z.unknown()).max(max).pipe(z.array(id));

/** The most earlier messages of a conversation. */
const MAX_EARLIER = 200;
const earlierMessage = z.object({ role: z.enum(["user", "assistant"]), content: text(MAX_TEXT) });

const memory = z
  .object({
    scope: z.enum(MEMORY_SCOPES).default("user"),
    threadId: text(200).min(1).optional(),
    workflowId: z.uuid().optional(),
    userId: memorySubject.optional(),
    ingest: z.boolean().default(false),
  })
  .refine(
    ({ scope, threadId }) => scope !== "thread" || threadId !== undefined,
    "The scope `thread` requires `threadId`",
  )
  .refine(
    ({ scope, workflowId }) => scope !== "workflow" || workflowId !== undefined,
    "The scope `workflow` requires `workflowId`",
  );

/** The data of an `agent` step. */
export const agentData = z.object({
  goal: text(MAX_TEXT).refine(value => value.trim() !== "", "Must not be empty"),
  messages: z.array(z.unknown()).max(MAX_EARLIER).pipe(z.array(earlierMessage)).optional(),
  files: messageFiles.optional(),
  system: text(MAX_TEXT).optional(),
  toolIds: ids(MAX_AGENT_TOOLS).optional(),
  knowledgeBaseIds: ids(MAX_BASES).optional(),
  memory: z.union([z.boolean(), memory]).optional(),
  maxTurns: z.int().min(1).max(50).default(8),
  credential: z.uuid().optional(),
  model: text(200).min(1).optional(),
  temperature: z.number().min(0).max(2).optional(),
  maxTokens: z.int().min(1).max(1_000_000).optional(),
  approve: z.union([z.literal("all"), ids(MAX_AGENT_TOOLS)]).optional(),
  assignees: z
    .array(z.unknown())
    .max(100)
    .pipe(z.array(text(200)))
    .optional(),
  expiresInMs: z.number().min(1).max(MAX_EXPIRY_MS).optional(),
});
export type AgentData = z.output<typeof agentData>;
