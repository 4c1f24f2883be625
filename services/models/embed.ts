import { EMBED_MS } from "../../adapters/models/index.ts";
import { handle } from "../../contracts/call.ts";
import { AppError } from "../../contracts/errors.ts";
import { vectorText } from "../../core/embedding/vector-text.ts";
import { awaitModel, deadlineOf, type ModelsService } from "./service.ts";

/** The margin lets the model's own limits apply first. */
const TIMEOUT = { timeout: EMBED_MS + 5_000, outside: true };

export const embed = handle<"models.embed", ModelsService>(
  "models.embed",
  async function (ctx) {
    const { texts, workspaceId: group } = ctx.params;
    const { embedder } = this.models;
    const { vectors, inputTokens } = await awaitModel(embedder.embed(texts, { group, signal: deadlineOf(ctx) }));
    if (group !== undefined && inputTokens > 0) this.usage.add(group, { modelTokens: inputTokens });
    return { id: embedder.id, dimensions: vectors[0]!.length, vectors: vectors.map(vectorText), inputTokens };
  },
  TIMEOUT,
);

async function dimensionsOf({ models: { embedder } }: ModelsService): Promise<number> {
  if (embedder.dimensions === undefined) await awaitModel(embedder.embed(["How long is a vector?"]));
  if (embedder.dimensions === undefined) throw new AppError("model_bad_output");
  return embedder.dimensions;
}

export const describe = handle<"models.describe", ModelsService>(
  "models.describe",
  async function () {
    const dimensions = await dimensionsOf(this);
    const { embedder, chat } = this.models;
    return {
      embedder: { id: embedder.id, dimensions, semantic: embedder.semantic },
      chat: chat && { model: chat.id },
    };
  },
  TIMEOUT,
);
