import type { Vector } from "../../adapters/search/port.ts";
import type { Collection, Filter } from "../../adapters/store/port.ts";
import type { Candidate } from "../../core/memory/decide.ts";
import { findMemories } from "./find.ts";
import { CURRENT, memories, type MemoryDoc } from "./model.ts";
import { type MemoryService, type Place, placeFields } from "./service.ts";
import { keysOf, replacedKey, type Said, statementOf } from "./statement.ts";

/** Of one key: more than one current memory behind it is rare. */
const PER_KEY = 50;
const SIMILAR = 10;

export const candidateOf = (
  doc: Pick<MemoryDoc, "id" | "content" | "slots" | "eventDate" | "createdAt">,
): Candidate => ({
  id: doc.id,
  content: doc.content,
  slots: doc.slots ?? null,
  eventDate: doc.eventDate ?? null,
  createdAt: doc.createdAt.toISOString(),
});

/** `$exists` is what lets both sides take the partial index. */
const there = (key: string) => ({ $exists: true, $eq: key });

async function byKeys(docs: Collection<MemoryDoc>, place: Place, said: Said): Promise<MemoryDoc[]> {
  const { relationKey, valueKey } = keysOf(place, said);
  const replaced = replacedKey(place, said);
  const filters: Filter<MemoryDoc>[] = [{ statement: there(statementOf(place, said)) }];
  if (relationKey) filters.push({ relationKey: there(relationKey) });
  for (const key of [valueKey, replaced]) if (key) filters.push({ valueKey: there(key) });
  const pages = await Promise.all(
    filters.map(filter => docs.find({ ...filter, ...CURRENT }, { sort: { id: -1 }, limit: PER_KEY })),
  );
  return pages.flatMap(({ items }) => items);
}

/**
 * The current memories of the same place that a statement may repeat or contradict: by what it is about, and by similarity.
 * Where the index does not answer, the former alone.
 */
export async function candidatesFor(
  service: MemoryService,
  workspaceId: string,
  place: Place,
  said: Said,
  vector?: Vector,
): Promise<MemoryDoc[]> {
  const docs = service.store.tenant(memories, workspaceId);
  const question = { workspaceId, ...placeFields(place), query: said.content, limit: SIMILAR, vector };
  const similar = findMemories(service, question).catch((error: unknown) => {
    service.logger.warn("The search index did not answer; memories are compared by their keys.", error);
    return { found: [] };
  });
  const [keyed, { found }] = await Promise.all([byKeys(docs, place, said), similar]);
  const inPlace = found.map(({ doc }) => doc);
  return [...new Map([...keyed, ...inPlace].map(doc => [doc.id, doc])).values()];
}
