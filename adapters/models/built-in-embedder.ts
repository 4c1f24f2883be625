import { setImmediate } from "node:timers/promises";
import { HASH_DIMENSIONS, HASH_EMBEDDING_ID, hashEmbedding } from "../../core/embedding/hash-embedding.ts";
import { ModelError } from "./model-error.ts";
import type { Embedder } from "./port.ts";

/** How long a batch holds the event loop before other work gets a turn. */
const SLICE_MS = 8;

/** Compares words. It needs neither weights nor a network. */
export function builtInEmbedder(): Embedder {
  return {
    id: HASH_EMBEDDING_ID,
    dimensions: HASH_DIMENSIONS,
    semantic: false,
    async embed(texts, { signal } = {}) {
      const vectors: Float32Array[] = [];
      let sliceEnd = performance.now() + SLICE_MS;
      for (const text of texts) {
        if (performance.now() > sliceEnd) {
          await setImmediate();
          sliceEnd = performance.now() + SLICE_MS;
        }
        if (signal?.aborted) throw new ModelError("model_aborted", "The call was cancelled");
        vectors.push(hashEmbedding(text));
      }
      return { vectors, inputTokens: 0 };
    },
  };
}
