import type { Vector } from "../../adapters/search/port.ts";
import type { Collection, Filter } from "../../adapters/store/port.ts";
import type { Candidate } from "../../core/memory/decide.ts";
import { findSimilar } from "./find.ts";
import { CURRENT, memories, type MemoryDoc } from "./model.ts";
import { type MemoryService, type Place, placeFields } from "./service.ts";
import { keysOf, replacedKey, type Said, statementOf } from "./statement.ts";

/** Of one key: more than one current memory behind it is rare. */
const PER_KEY = 50;
/** With a few that the index may have still though they are gone. */
const SIMILAR = 12;
/** Of all statements that are looked up together. */
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

/** What is looked up by one of the three keys, for several statements at once. */
async function byKey(
  docs: Collection<MemoryDoc>,
  field: "statement" | "relationKey" | "valueKey",
  keys: readonly (string | undefined)[],
): Promise<MemoryDoc[]> {
  const wanted = [...new Set(keys.filter(key => key !== undefined))];
  if (wanted.length === 0) return [];
  // `$exists` is what lets both sides take the partial index.
  const filter: Filter<MemoryDoc> = { [field]: { $exists: true, $in: wanted }, ...CURRENT };
  return (await docs.find(filter, { sort: { id: -1 }, limit: Math.min(MAX_KEYED, PER_KEY * wanted.length) })).items;
}

/** Those that have a key of one of the statements. */
async function byKeys(docs: Collection<MemoryDoc>, place: Place, all: readonly Said[]): Promise<MemoryDoc[]> {
  const keys = all.map(said => keysOf(place, said));
  const found = await Promise.all([
    byKey(
      docs,
      "statement",
      all.map(said => statementOf(place, said)),
    ),
    byKey(
      docs,
      "relationKey",
      keys.map(({ relationKey }) => relationKey),
    ),
    byKey(docs, "valueKey", [...keys.map(({ valueKey }) => valueKey), ...all.map(said => replacedKey(place, said))]),
  ]);
  return found.flat();
}

/** Whether a memory has a key of this statement. */
function hasKeyOf(place: Place, said: Said): (doc: MemoryDoc) => boolean {
  const { relationKey, valueKey } = keysOf(place, said);
  const values = [valueKey, replacedKey(place, said)].filter(key => key !== undefined);
  const statement = statementOf(place, said);
  return doc =>
    doc.statement === statement ||
    (relationKey !== undefined && doc.relationKey === relationKey) ||
    values.includes(doc.valueKey ?? "");
}

/**
 * For each statement, the current memories of the same place that it may repeat or contradict: by what it is about, and by
 * similarity. Where the index does not answer, the former alone.
 */
export async function candidatesFor(
  service: MemoryService,
  workspaceId: string,
  place: Place,
  statements: readonly { said: Said; vector?: Vector | undefined }[],
): Promise<MemoryDoc[][]> {
  const docs = service.store.tenant(memories, workspaceId);
  const texts = statements.map(({ said, vector }) => ({ text: said.content, vector }));
  const similarDocs = async (): Promise<MemoryDoc[][]> => {
    try {
      return await findSimilar(service, workspaceId, placeFields(place), texts, SIMILAR);
    } catch (error) {
      service.logger.warn("The search index did not answer; memories are compared by their keys.", error);
      return [];
    }
  };
  const [keyed, similar] = await Promise.all([
    byKeys(
      docs,
      place,
      statements.map(({ said }) => said),
    ),
    similarDocs(),
  ]);
  return statements.map(({ said }, at) => {
    const all = [...keyed.filter(hasKeyOf(place, said)), ...(similar[at] ?? [])];
    return [...new Map(all.map(doc => [doc.id, doc])).values()];
  });
}
