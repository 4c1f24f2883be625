import { createHash } from "node:crypto";
import { readingsOf, type Slots } from "../../core/memory/fact.ts";
import { topicsOf } from "../../core/memory/endings.ts";
import { contentWords } from "../../core/memory/gist.ts";
import { keyOf } from "../../core/memory/normalise.ts";
import { topicOf } from "../../core/memory/topics.ts";
import { headOfValue, ownerOf, relatedSlots } from "../../core/memory/rivals.ts";
import { type MemoryOwner, ownerFields } from "./service.ts";

const digest = (...parts: unknown[]): string =>
  createHash("sha256").update(JSON.stringify(parts)).digest("hex").slice(0, 40);

export interface Statement {
  content: string;
  slots?: Slots | null;
  eventDate?: string | null;
}

const contentDigest = (own: MemoryOwner, content: string) => digest("content", own, keyOf(content));
const relationDigest = (own: MemoryOwner, subject: string, relation: string) =>
  digest("relation", own, subject, relation);
const valueDigest = (own: MemoryOwner, subject: string, value: string) => digest("value", own, subject, value);
/**
 * A key of the owner and the value without qualifiers. So "Jenkins" finds "Jenkins for CI" if both belong to things of
 * the same owner.
 */
const looseDigest = (own: MemoryOwner, subject: string, value: string) =>
  valueDigest(own, ownerOf(subject), headOfValue(value));

/**
 * The key fields. With these the store finds every memory that may state the same or contradict it, independent of the
 * index.
 */
export function keysOf(
  place: MemoryOwner,
  { content, slots }: Statement,
): { contentKey: string; relationKey?: string; valueKey?: string } {
  const own = ownerFields(place);
  const words = contentWords(content).join(" ");
  const contentKey = words === "" ? contentDigest(own, content) : digest("words", own, words);
  if (!slots) return { contentKey };
  const { subject, relation, value } = slots;
  return {
    contentKey,
    relationKey: relationDigest(own, subject, relation),
    valueKey: valueDigest(own, ownerOf(subject), topicOf(value)),
  };
}

/** The keys of all memories that a statement may repeat or contradict. */
export interface SoughtKeys {
  contentKeys: string[];
  relationKeys: string[];
  valueKeys: string[];
}

/**
 * The keys to search for one statement. Memories of earlier versions have the exact value in their key, and may have
 * other slots because the rules have changed, so those keys are included too.
 */
export function soughtKeys(place: MemoryOwner, said: Statement): SoughtKeys {
  const own = ownerFields(place);
  const { contentKey, relationKey, valueKey } = keysOf(place, said);
  const contentKeys = [contentKey, contentDigest(own, said.content)];
  if (!said.slots || relationKey === undefined || valueKey === undefined)
    return { contentKeys, relationKeys: [], valueKeys: [] };
  const { replaces, ends } = said.slots;
  const readings = readingsOf(said.slots);
  const values = [
    valueKey,
    ...readings.flatMap(topicsOf).map(({ owner, topic }) => valueDigest(own, owner, topic)),
    ...readings.flatMap(({ subject, value }) => [looseDigest(own, subject, value), valueDigest(own, subject, value)]),
  ];
  const { subject } = said.slots;
  if (replaces !== undefined) values.push(looseDigest(own, subject, replaces), valueDigest(own, subject, replaces));
  if (ends) values.push(looseDigest(own, ends.subject, ends.value));
  const rivals = [...readings, ...relatedSlots(said.slots)].map(rival =>
    relationDigest(own, rival.subject, rival.relation),
  );
  return { contentKeys, relationKeys: [...new Set([relationKey, ...rivals])], valueKeys: [...new Set(values)] };
}

/**
 * A hash that is the same for equal statements in the same place. If their slots are known, the wording does not
 * matter.
 */
export function statementOf(place: MemoryOwner, { content, slots, eventDate = null }: Statement): string {
  const own = ownerFields(place);
  if (!slots) return digest("text", own, eventDate, keyOf(content));
  const { subject, relation, value, negated, qualifiers } = slots;
  return digest("slots", own, eventDate, subject, relation, value, negated, qualifiers);
}
