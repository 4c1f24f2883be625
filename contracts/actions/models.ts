import { z } from "zod";
import { action } from "../define-action.ts";
import { id } from "../primitives.ts";

/** Of one call of `models.embed`: its answer stays below a few MiB. */
export const MAX_EMBED_TEXTS = 256;
/** Of one text. Whoever has longer ones cuts them. */
export const MAX_EMBED_CHARS = 24_000;

const count = z.int().min(0);
/** Whose calls take turns with those of others. */
const workspaceId = id.optional();

const content = z.string().max(1_000_000);
const toolCall = z.object({
  id: z.string().min(1).max(200),
  name: z.string().max(200),
  arguments: z.record(z.string(), z.unknown()),
});
const chatMessage = z.discriminatedUnion("role", [
  z.object({ role: z.enum(["system", "user"]), content }),
  z.object({ role: z.literal("assistant"), content, toolCalls: z.array(toolCall).max(64).optional() }),
  z.object({ role: z.literal("tool"), content, toolCallId: z.string().min(1).max(200) }),
]);
/** Some servers take no more tools than these. */
export const MAX_CHAT_TOOLS = 128;
const chatTool = z.object({
  name: z.string().regex(/^[A-Za-z0-9_-]{1,64}$/),
  description: z.string().max(20_000),
  parameters: z.record(z.string(), z.unknown()),
});

const embedder = {
  /** Vectors of different ids cannot be compared, nor can those of different dimensions. */
  id: z.string(),
  dimensions: z.int().min(1),
};

export const modelsActions = {
  /** One vector a text: base64 of its 32-bit floats (core/embedding/vector-text.ts), of length 1. */
  "models.embed": action(
    "internal",
    { workspaceId, texts: z.array(z.string().max(MAX_EMBED_CHARS)).min(1).max(MAX_EMBED_TEXTS) },
    z.object({ ...embedder, vectors: z.array(z.string()), inputTokens: count }),
  ),
  /** What is configured. Asks the server for a first vector where its dimensions are not known yet. */
  "models.describe": action(
    "internal",
    {},
    z.object({
      embedder: z.object({ ...embedder, semantic: z.boolean() }),
      chat: z.object({ model: z.string() }).nullable(),
    }),
  ),
  /**
   * With a `schema` (JSON Schema), `json` is what it allows. With `tools`, and without a schema, `toolCalls` is what the model
   * wants called: the next call brings what came of it as messages of role `tool`. `fault` says why arguments cannot be used.
   * Errors: no_model_configured and the others of models.
   */
  "models.chat": action(
    "internal",
    {
      workspaceId,
      messages: z.array(chatMessage).min(1).max(2_000),
      system: z.string().max(200_000).optional(),
      model: z.string().min(1).max(200).optional(),
      temperature: z.number().min(0).max(2).optional(),
      maxTokens: z.int().min(1).max(1_000_000).optional(),
      schema: z.record(z.string(), z.unknown()).optional(),
      tools: z.array(chatTool).max(MAX_CHAT_TOOLS).optional(),
      toolChoice: z.enum(["auto", "none"]).optional(),
    },
    z.object({
      text: z.string(),
      json: z.unknown().optional(),
      toolCalls: z.array(toolCall.extend({ fault: z.string().optional() })).optional(),
      usage: z.object({ inputTokens: count, outputTokens: count }),
    }),
  ),
};
