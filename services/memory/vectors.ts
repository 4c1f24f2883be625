import type { Vector } from "../../adapters/search/port.ts";
import { MAX_EMBED_CHARS, MAX_EMBED_TEXTS } from "../../contracts/actions/models.ts";
import { call } from "../../contracts/call.ts";
import { vectorOf } from "../../core/embedding/vector-text.ts";
import type { MemoryService } from "./service.ts";

/**
 * One vector per text, and the model that created them.
 * @throws the errors of models
 */
export async function embed(
  { broker }: MemoryService,
  texts: readonly string[],
  timeout: number,
  workspaceId?: string,
): Promise<{ embedder: string; values: Float32Array[] }> {
  const values: Float32Array[] = [];
  let embedder = "";
  for (let from = 0; from < texts.length; from += MAX_EMBED_TEXTS) {
    const part = texts.slice(from, from + MAX_EMBED_TEXTS).map(text => text.slice(0, MAX_EMBED_CHARS));
    const answer = await call(broker, "models.embed", { workspaceId, texts: part }, { timeout });
    embedder = answer.id;
    values.push(...answer.vectors.map(vectorOf));
  }
  return { embedder, values };
}

/** Short, because a user waits. Without vectors a search uses keywords, and a memory gets its vector later. */
const QUICK_MS = 15_000;

/** One vector per text; none if the model is unavailable, or if the index contains vectors of another model. */
export async function vectorsNow(
  service: MemoryService,
  workspaceId: string,
  texts: readonly string[],
): Promise<(Vector | undefined)[]> {
  try {
    const { embedder, values } = await embed(service, texts, QUICK_MS, workspaceId);
    const { active, building } = await service.search.embedders("memory");
    const known = [active, building].find(one => one?.id === embedder);
    const fits = (one: Float32Array) => one.length === known?.dimension && one.some(value => value !== 0);
    return values.map(one => (fits(one) ? { embedder, values: one } : undefined));
  } catch (error) {
    service.logger.warn("A text could not be embedded; it is searched by keywords for now.", error);
    return texts.map(() => undefined);
  }
}
