import { HASH_DIMENSIONS, HASH_EMBEDDING_ID, hashEmbedding } from "../../core/embedding/hash-embedding.ts";
import { TimeSlices } from "../time-slices.ts";
import { ModelError } from "./model-error.ts";
import type { Embedder } from "./port.ts";

/** Compares words. It needs neither weights nor a network. */
export function builtInEmbedder(): Embedder {
  return {
    id: HASH_EMBEDDING_ID,
    dimensions: HASH_DIMENSIONS,
    semantic: false,
    async embed(texts, { signal } = {}) {
      const vectors: Float32Array[] = [];
      const turns = new TimeSlices();
      for (const text of texts) {
        await turns.next();
        if (signal?.aborted) throw new ModelError("model_aborted", "The call was cancelled");
        vectors.push(hashEmbedding(text));
      }
      return { vectors, inputTokens: 0 };
    },
  };
}
