import type { Service } from "moleculer";
import type { Embedder, SearchKind, Vector } from "../adapters/search/port.ts";
import { MAX_EMBED_CHARS } from "../contracts/actions/models.ts";
import { call } from "../contracts/call.ts";
import { vectorOf } from "../core/embedding/vector-text.ts";
import type { WithSearch } from "./search.mixin.ts";
import type { Warn } from "./throttled-warn.ts";

/** Longer than the limits of the models service, which apply first. */
const MODEL_MS = 70_000;
/** How long a search waits for the vector of its question. Without the vector, it searches by words only. */
const QUESTION_MS = 5_000;

type From = Pick<Service, "broker">;

/** A text without words may have a zero vector. It gets an arbitrary direction, so that it is not retried forever. */
const directed = (vector: Float32Array) => (vector.some(value => value !== 0) ? vector : vector.fill(1));

/**
 * The model in use, for `IndexedDocuments`.
 * @throws the errors of models
 */
export async function currentEmbedder({ broker }: From): Promise<Embedder> {
  const { embedder } = await call(broker, "models.describe", {}, { timeout: MODEL_MS });
  return { id: embedder.id, dimension: embedder.dimensions };
}

/**
 * Returns a vector for each text, for `IndexedDocuments`.
 * @throws the errors of models
 */
export async function vectorsOf({ broker }: From, texts: readonly string[]): Promise<Float32Array[]> {
  const params = { texts: texts.map(text => text.slice(0, MAX_EMBED_CHARS)) };
  const { vectors } = await call(broker, "models.embed", params, { timeout: MODEL_MS });
  return vectors.map(text => directed(vectorOf(text)));
}

/** The vector of a question. Null if it cannot be computed now, or if the index has no vectors of its model. */
export async function questionVector(
  { broker, search, warn }: From & Pick<WithSearch, "search"> & { warn: Warn },
  kind: SearchKind,
  workspaceId: string,
  query: string,
): Promise<Vector | null> {
  try {
    const params = { workspaceId, texts: [query.slice(0, MAX_EMBED_CHARS)] };
    const [{ id, dimensions, vectors }, { active, building }] = await Promise.all([
      call(broker, "models.embed", params, { timeout: QUESTION_MS }),
      search.embedders(kind),
    ]);
    const known = [active, building].some(other => other?.id === id && other.dimension === dimensions);
    const values = vectorOf(vectors[0]!);
    return known && values.some(value => value !== 0) ? { embedder: id, values } : null;
  } catch (error) {
    warn("A search query could not be embedded; the search uses words only.", error);
    return null;
  }
}
