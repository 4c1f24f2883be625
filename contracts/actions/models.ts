import { z } from "zod";
import { action } from "../define-action.ts";
import { id } from "../primitives.ts";

/** The most texts in one call of `models.embed`. The limit keeps the response below a few MiB. */
export const MAX_EMBED_TEXTS = 256;
/** The longest text to embed. Callers must cut longer texts. */
export const MAX_EMBED_CHARS = 24_000;

const count = z.int().min(0);
/** Workspaces take turns in the queue of model calls. */
const workspaceId = id.optional();

/** The most files of one request to a model. */
export const MAX_CHAT_FILES = 16;
/** The maximum size of one file, and of all files together. They are in memory, in base64, while the model responds. */
export const MAX_CHAT_FILE_BYTES = 8 * 1_048_576;
export const MAX_CHAT_FILES_BYTES = 16 * 1_048_576;

const content = z.string().max(1_000_000);
const toolCall = z.object({
  id: z.string().min(1).max(200),
  name: z.string().max(200),
  arguments: z.record(z.string(), z.unknown()),
  /** Data of the provider that has to be sent back with the call. */
  signature: z.string().max(32_768).optional(),
});
const chatMessage = z.discriminatedUnion("role", [
  z.object({ role: z.literal("system"), content }),
  /** The files must belong to the workspace. The model sees them next to the text. */
  z.object({ role: z.literal("user"), content, files: z.array(id).max(MAX_CHAT_FILES).optional() }),
  z.object({ role: z.literal("assistant"), content, toolCalls: z.array(toolCall).max(64).optional() }),
  z.object({ role: z.literal("tool"), content, toolCallId: z.string().min(1).max(200) }),
]);
/** Some model servers accept no more tools than this. */
export const MAX_CHAT_TOOLS = 128;
const chatTool = z.object({
  name: z.string().regex(/^[A-Za-z0-9_-]{1,64}$/),
  description: z.string().max(20_000),
  parameters: z.record(z.string(), z.unknown()),
});

const embedder = {
  /** Identifies the embedding model. Only vectors of the same id and the same dimensions can be compared. */
  id: z.string(),
  dimensions: z.int().min(1),
};

export const modelsActions = {
  /** One vector per text: base64 of its 32-bit floats (core/embedding/vector-text.ts), of length 1. */
  "models.embed": action(
    "internal",
    { workspaceId, texts: z.array(z.string().max(MAX_EMBED_CHARS)).min(1).max(MAX_EMBED_TEXTS) },
    z.object({ ...embedder, vectors: z.array(z.string()), inputTokens: count }),
  ),
  /**
   * The configured models. If the dimensions of the embedding model are unknown, requests one vector from the server.
   */
  "models.describe": action(
    "internal",
    {},
    z.object({
      embedder: z.object({ ...embedder, semantic: z.boolean() }),
      chat: z.object({ model: z.string() }).nullable(),
    }),
    { reads: true },
  ),
  /**
   * With a `schema` (JSON Schema), `json` is a value that matches it. With `tools` and without a schema, `toolCalls`
   * are the calls that the model requests. The next request contains their results as messages of role `tool`. `fault`
   * says why the arguments of a call cannot be used. Errors: no_model_configured and the others of models.
   */
  "models.chat": action(
    "internal",
    {
      workspaceId,
      /** The credential of the workspace's own provider. Without it, the operator's model is used. */
      credential: z.object({ id, spaceId: id.optional() }).optional(),
      messages: z.array(chatMessage).min(1).max(2_000),
      system: z.string().max(200_000).optional(),
      model: z.string().min(1).max(200).optional(),
      temperature: z.number().min(0).max(2).optional(),
      maxTokens: z.int().min(1).max(1_000_000).optional(),
      schema: z.record(z.string(), z.unknown()).optional(),
      tools: z.array(chatTool).max(MAX_CHAT_TOOLS).optional(),
      toolChoice: z.enum(["auto", "none"]).optional(),
      /** True if the caller wants the text while it is written (`models.call.words`). Requires `callId`. */
      words: z.boolean().optional(),
    },
    z.object({
      text: z.string(),
      json: z.unknown().optional(),
      toolCalls: z.array(toolCall.extend({ fault: z.string().optional() })).optional(),
      usage: z.object({ inputTokens: count, outputTokens: count }),
    }),
  ),
};
