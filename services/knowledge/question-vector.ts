import type { Vector } from "../../adapters/search/port.ts";
import { call } from "../../contracts/call.ts";
import { vectorOf } from "../../core/embedding/vector-text.ts";
import type { Self } from "./service.ts";

/** So long a search waits for its question's vector; without it, words alone are looked up. */
const TIMEOUT_MS = 5_000;

/** The vector of a question; null where there is none now, or none that the index has others for. */
export async function questionVector(self: Self, workspaceId: string, query: string): Promise<Vector | null> {
  try {
    const params = { workspaceId, texts: [query] };
    const { id, dimensions, vectors } = await call(self.broker, "models.embed", params, { timeout: TIMEOUT_MS });
    const { active, building } = await self.search.embedders("knowledge");
    const known = [active, building].some(other => other?.id === id && other.dimension === dimensions);
    const values = vectorOf(vectors[0]!);
    return known && values.some(value => value !== 0) ? { embedder: id, values } : null;
  } catch (error) {
    self.warn("A question has no vector; it is answered by its words alone.", error);
    return null;
  }
}
