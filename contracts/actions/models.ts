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
  /** With a `schema` (JSON Schema), `json` is what it allows. Errors: no_model_configured and the others of models. */
  "models.chat": action(
    "internal",
    {
      workspaceId,
      messages: z
        .array(z.strictObject({ role: z.enum(["system", "user", "assistant"]), content: z.string().max(1_000_000) }))
        .min(1)
        .max(500),
      system: z.string().max(200_000).optional(),
      model: z.string().min(1).max(200).optional(),
      temperature: z.number().min(0).max(2).optional(),
      maxTokens: z.int().min(1).max(1_000_000).optional(),
      schema: z.record(z.string(), z.unknown()).optional(),
    },
    z.object({
      text: z.string(),
      json: z.unknown().optional(),
      usage: z.object({ inputTokens: count, outputTokens: count }),
    }),
  ),
};
