import type { Vector } from "../../adapters/search/port.ts";
import type { Collection, Filter } from "../../adapters/store/port.ts";
import type { Candidate } from "../../core/memory/decide.ts";
import { findSimilar } from "./find.ts";
import { CURRENT, memories, type MemoryDoc } from "./model.ts";
import { type MemoryService, type MemoryOwner, ownerFields } from "./service.ts";
import { type Statement, soughtKeys, type SoughtKeys } from "./statement.ts";

/** The most candidates for one key. More than one current memory with the same key is rare. */
const PER_KEY = 50;
/** This includes spare results, because the index may still contain some removed memories. */
const SIMILAR = 12;
/** How many of the latest memories of a place are compared by their words. */
const LATEST = 100;
/** The limit for all statements that are looked up together. */
const MAX_KEYED = 1_000;

export const candidateOf = (
  doc: Pick<MemoryDoc, "id" | "content" | "slots" | "eventDate" | "createdAt">,
): Candidate => ({
  id: doc.id,
  content: doc.content,
  slots: doc.slots ?? null,
  eventDate: doc.eventDate ?? null,
  createdAt: doc.createdAt.toISOString(),
});

/** Looks up one of the three keys for several statements at once. */
async function byKey(
  docs: Collection<MemoryDoc>,
  field: "contentKey" | "relationKey" | "valueKey",
  keys: readonly string[],
): Promise<MemoryDoc[]> {
  const wanted = [...new Set(keys)];
  if (wanted.length === 0) return [];
  const filter: Filter<MemoryDoc> = { [field]: { $in: wanted }, ...CURRENT };
  return (await docs.find(filter, { sort: { id: -1 }, limit: Math.min(MAX_KEYED, PER_KEY * wanted.length) })).items;
}

/** The memories that share a key with one of the statements. */
async function byKeys(docs: Collection<MemoryDoc>, all: readonly SoughtKeys[]): Promise<MemoryDoc[]> {
  const found = await Promise.all([
    byKey(
      docs,
      "contentKey",
      all.flatMap(({ contentKeys }) => contentKeys),
    ),
    byKey(
      docs,
      "relationKey",
      all.flatMap(({ relationKeys }) => relationKeys),
    ),
    byKey(
      docs,
      "valueKey",
      all.flatMap(({ valueKeys }) => valueKeys),
    ),
  ]);
  return found.flat();
}

/** Whether a memory has one of the keys. */
export const isSought = (
  { contentKeys, relationKeys, valueKeys }: SoughtKeys,
  doc: Pick<MemoryDoc, "contentKey" | "relationKey" | "valueKey">,
): boolean =>
  (doc.contentKey != null && contentKeys.includes(doc.contentKey)) ||
  (doc.relationKey != null && relationKeys.includes(doc.relationKey)) ||
  (doc.valueKey != null && valueKeys.includes(doc.valueKey));

/**
 * The latest current memories of a place. Their words show changes and repetitions that no key can find, such as "The
 * studio is gone" of a flat in Ghent.
 */
export async function latestOf(service: MemoryService, workspaceId: string, place: MemoryOwner): Promise<MemoryDoc[]> {
  const docs = service.store.tenant(memories, workspaceId);
  const { scope, ...within } = ownerFields(place);
  // An index finds these in order, so that no more than the limit are read. The scope is in none.
  const { items } = await docs.find({ ...within, ...CURRENT }, { sort: { createdAt: -1 }, limit: LATEST });
  return items.filter(doc => doc.scope === scope);
}

/**
 * For each statement, the current memories of the same place that it may repeat or contradict. The rules decide by
 * words and slots, which the keys represent. A model understands more, so it also gets `similar` memories, unless the
 * index does not respond.
 */
export async function candidatesFor(
  service: MemoryService,
  workspaceId: string,
  place: MemoryOwner,
  statements: readonly { said: Statement; vector?: Vector | undefined }[],
  { similar = false }: { similar?: boolean } = {},
): Promise<MemoryDoc[][]> {
  const keys = statements.map(({ said }) => soughtKeys(place, said));
  const likeThem = async (): Promise<MemoryDoc[][]> => {
    if (!similar) return [];
    const texts = statements.map(({ said, vector }) => ({ text: said.content, vector }));
    try {
      return await findSimilar(service, workspaceId, ownerFields(place), texts, SIMILAR);
    } catch (error) {
      service.logger.warn("The search index did not answer; memories are compared by their keys.", error);
      return [];
    }
  };
  const docs = service.store.tenant(memories, workspaceId);
  const [keyed, alike] = await Promise.all([byKeys(docs, keys), likeThem()]);
  return keys.map((own, at) => {
    const all = [...keyed.filter(doc => isSought(own, doc)), ...(alike[at] ?? [])];
    return [...new Map(all.map(doc => [doc.id, doc])).values()];
  });
}
