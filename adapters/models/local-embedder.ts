import { basename, dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import { Gate } from "../processes/gate.ts";
import { fromGateError, ModelError } from "./model-error.ts";
import type { CallOptions, Embedder, Embeddings } from "./port.ts";

export const LOCAL_MODEL = /^file:\//;

const PACKAGE = "@huggingface/transformers";
const BATCH = 16;
const NEVER = new AbortController().signal;
const MAX_CHARS = 24_000;

type Extract = (texts: string[], options: { pooling: "mean"; normalize: true }) => Promise<unknown>;

/** The used part of the package. It is optional, and operators who want it install it. */
export interface Transformers {
  env: { allowRemoteModels: boolean; allowLocalModels: boolean; localModelPath: string };
  pipeline(task: "feature-extraction", model: string): Promise<Extract>;
}

const TENSOR = z.object({ dims: z.tuple([z.number(), z.number()]), data: z.instanceof(Float32Array) });

async function importTransformers(): Promise<Transformers> {
  // Imports by a variable name, so that the compiler does not resolve the package.
  const name: string = PACKAGE;
  return (await import(name)) as Transformers;
}

/** Embeddings of a model in a folder, `file:/models/x`, computed in this process by `@huggingface/transformers`. */
export class LocalEmbedder implements Embedder {
  readonly id: string;
  readonly semantic = true;
  readonly #path: string;
  readonly #load: () => Promise<Transformers>;
  #extract: Promise<Extract> | undefined;
  /** One batch at a time, because batches share the same cores. */
  readonly #turns = new Gate({ atOnce: 1, waiting: 1_000 });
  #dimensions: number | undefined;

  constructor(url: string, load: () => Promise<Transformers> = importTransformers) {
    this.#path = fileURLToPath(url).replace(/\/+$/, "");
    this.#load = load;
    this.id = `local/${basename(this.#path)}`;
  }

  get dimensions(): number | undefined {
    return this.#dimensions;
  }

  async embed(texts: readonly string[], { signal = NEVER, group = "" }: CallOptions = {}): Promise<Embeddings> {
    const vectors: Float32Array[] = [];
    try {
      while (vectors.length < texts.length) {
        const batch = texts.slice(vectors.length, vectors.length + BATCH);
        vectors.push(...(await this.#turns.run(group, () => this.#batch(batch), signal)));
      }
    } catch (error) {
      throw signal.aborted
        ? new ModelError("model_aborted", "The call was cancelled", { cause: error })
        : fromGateError(error);
    }
    return { vectors, inputTokens: 0 };
  }

  async #batch(texts: string[]): Promise<Float32Array[]> {
    this.#extract ??= this.#open();
    this.#extract.catch(() => (this.#extract = undefined));
    const extract = await this.#extract;
    const cut = texts.map(text => text.slice(0, MAX_CHARS));
    const { success, data: tensor } = TENSOR.safeParse(await extract(cut, { pooling: "mean", normalize: true }));
    const [count, size] = success ? tensor.dims : [0, 0];
    if (!success || count !== texts.length || (this.#dimensions ??= size) !== size) {
      throw new ModelError(
        "model_bad_output",
        "The local model gave no vectors, or vectors of another length than before",
      );
    }
    return texts.map((_, at) => tensor.data.slice(at * size, (at + 1) * size));
  }

  async #open(): Promise<Extract> {
    let transformers: Transformers;
    try {
      transformers = await this.#load();
    } catch (cause) {
      const hint = `A local model needs the package ${PACKAGE}: npm install ${PACKAGE}`;
      throw new ModelError("model_unavailable", hint, { cause });
    }
    Object.assign(transformers.env, {
      allowRemoteModels: false,
      allowLocalModels: true,
      localModelPath: dirname(this.#path),
    });
    try {
      return await transformers.pipeline("feature-extraction", basename(this.#path));
    } catch (cause) {
      throw new ModelError("model_unavailable", `The local model ${this.id} could not be loaded`, { cause });
    }
  }
}
