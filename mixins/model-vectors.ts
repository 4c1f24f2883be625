import type { Service } from "moleculer";
import type { Embedder, SearchKind, Vector } from "../adapters/search/port.ts";
import { MAX_EMBED_CHARS } from "../contracts/actions/models.ts";
import { call } from "../contracts/call.ts";
import { vectorOf } from "../core/embedding/vector-text.ts";
import type { WithSearch } from "./search.mixin.ts";
import type { Warn } from "./throttled-warn.ts";

/** The limits of the models service come first. */
const MODEL_MS = 70_000;
/** So long a search waits for its question's vector; without it, words alone are looked up. */
const QUESTION_MS = 5_000;

type From = Pick<Service, "broker">;

/** A text without words may have no direction; it gets one that is near to nothing, so that it is not tried for ever. */
const directed = (vector: Float32Array) => (vector.some(value => value !== 0) ? vector : vector.fill(1));

/** The model in use, for `IndexedDocuments`. Rejects with the errors of models. */
export async function currentEmbedder({ broker }: From): Promise<Embedder> {
  const { embedder } = await call(broker, "models.describe", {}, { timeout: MODEL_MS });
  return { id: embedder.id, dimension: embedder.dimensions };
}

/** A vector for each text, for `IndexedDocuments`. Rejects with the errors of models. */
export async function vectorsOf({ broker }: From, texts: readonly string[]): Promise<Float32Array[]> {
  const params = { texts: texts.map(text => text.slice(0, MAX_EMBED_CHARS)) };
  const { vectors } = await call(broker, "models.embed", params, { timeout: MODEL_MS });
  return vectors.map(text => directed(vectorOf(text)));
}

/** The vector of a question; null where there is none now, or none that the index has others for. */
export async function questionVector(
  { broker, search, warn }: From & Pick<WithSearch, "search"> & { warn: Warn },
  kind: SearchKind,
  workspaceId: string,
  query: string,
): Promise<Vector | null> {
  try {
    const params = { workspaceId, texts: [query.slice(0, MAX_EMBED_CHARS)] };
    const { id, dimensions, vectors } = await call(broker, "models.embed", params, { timeout: QUESTION_MS });
    const { active, building } = await search.embedders(kind);
    const known = [active, building].some(other => other?.id === id && other.dimension === dimensions);
    const values = vectorOf(vectors[0]!);
    return known && values.some(value => value !== 0) ? { embedder: id, values } : null;
  } catch (error) {
    warn("A question has no vector; it is answered by its words alone.", error);
    return null;
  }
}
