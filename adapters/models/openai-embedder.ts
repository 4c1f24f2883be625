import { z } from "zod";
import { counter } from "../../telemetry/instruments.ts";
import { ModelError } from "./model-error.ts";
import { type ModelServer, ServerRefusal } from "./model-server.ts";
import type { CallOptions, Embedder, Embeddings } from "./port.ts";

export interface EmbedderLimits {
  /** Maximum number of texts per call. Lowered if a server refuses it. */
  batch: number;
  /** Maximum length of one text. If a server refuses it, further calls have shorter texts. */
  maxChars: number;
}

const tokens = counter("weft_model_tokens_total");

/** As many texts as TEI accepts, and about as much text as OpenAI's models read. */
const LIMITS: EmbedderLimits = { batch: 32, maxChars: 24_000 };
/** Texts are not shortened below this length. A refusal at this size has another reason. */
const MIN_CHARS = 250;
const MAX_DIMENSIONS = 16_384;

const ANSWER = z.object({
  data: z.array(
    z.object({ index: z.int().min(0).optional(), embedding: z.array(z.number()).min(1).max(MAX_DIMENSIONS) }),
  ),
  usage: z.object({ prompt_tokens: z.number().default(0) }).nullish(),
});

/** Whether the server may have refused a call for its size. */
const isAboutSize = (error: unknown) => error instanceof ServerRefusal && [400, 413, 422].includes(error.status);

function unit(numbers: readonly number[]): Float32Array {
  const length = Math.hypot(...numbers);
  if (!Number.isFinite(length)) throw new ModelError("model_bad_output", "The model gave a vector that is not finite");
  return Float32Array.from(numbers, value => (length > 0 ? value / length : 0));
}

/** Embeddings from a server with OpenAI's protocol (`POST /embeddings`). */
export class OpenAiEmbedder implements Embedder {
  readonly id: string;
  readonly semantic = true;
  readonly #server: ModelServer;
  readonly #model: string;
  readonly #limits: EmbedderLimits;
  #dimensions: number | undefined;

  constructor(server: ModelServer, model: string, limits: Partial<EmbedderLimits> = {}) {
    this.#server = server;
    this.#model = model;
    this.#limits = { ...LIMITS, ...limits };
    this.id = `openai/${model}`;
  }

  get dimensions(): number | undefined {
    return this.#dimensions;
  }

  async embed(texts: readonly string[], options: CallOptions = {}): Promise<Embeddings> {
    const all: Embeddings = { vectors: [], inputTokens: 0 };
    while (all.vectors.length < texts.length) {
      const from = all.vectors.length;
      const { vectors, inputTokens } = await this.#batch(texts.slice(from, from + this.#limits.batch), options);
      all.vectors.push(...vectors);
      all.inputTokens += inputTokens;
    }
    return all;
  }

  /**
   * Makes one call. If it is too large for the server, it makes two of half the size, and finally shortens the text.
   */
  async #batch(texts: readonly string[], options: CallOptions, maxChars = this.#limits.maxChars): Promise<Embeddings> {
    try {
      return await this.#call(
        // Most servers refuse an empty text.
        texts.map(text => text.slice(0, maxChars).toWellFormed() || " "),
        options,
      );
    } catch (error) {
      if (!isAboutSize(error)) throw error;
      const half = Math.ceil(texts.length / 2);
      if (half < texts.length) {
        const first = await this.#batch(texts.slice(0, half), options, maxChars);
        // The server accepted half of the texts, so their number was the reason for the refusal.
        this.#limits.batch = Math.min(this.#limits.batch, half);
        const second = await this.#batch(texts.slice(half), options, maxChars);
        return {
          vectors: [...first.vectors, ...second.vectors],
          inputTokens: first.inputTokens + second.inputTokens,
        };
      }
      const shorter = Math.floor(Math.min(maxChars, texts[0]?.length ?? 0) / 2);
      if (shorter < MIN_CHARS) throw error;
      return await this.#batch(texts, options, shorter);
    }
  }

  async #call(input: string[], options: CallOptions): Promise<Embeddings> {
    const body = { model: this.#model, input, encoding_format: "float" };
    const { success, data: answer } = ANSWER.safeParse(await this.#server.post("/embeddings", body, options));
    if (!success) throw new ModelError("model_bad_output", "The model's server answered without embeddings");
    const { data, usage } = answer;
    tokens("embedding", "input").add(usage?.prompt_tokens ?? 0);
    if (data.length !== input.length) {
      throw new ModelError("model_bad_output", `The model gave ${data.length} vectors for ${input.length} texts`);
    }
    const sorted = data.every(one => one.index !== undefined) ? data.toSorted((a, b) => a.index! - b.index!) : data;
    for (const { embedding } of sorted) {
      this.#dimensions ??= embedding.length;
      if (embedding.length === this.#dimensions) continue;
      const found = `${embedding.length} dimensions where it gave ${this.#dimensions} before`;
      throw new ModelError("model_bad_output", `The model gave ${found}`);
    }
    return { vectors: sorted.map(({ embedding }) => unit(embedding)), inputTokens: usage?.prompt_tokens ?? 0 };
  }
}
