import { createHash } from "node:crypto";
import type { Slots } from "../../core/memory/fact.ts";
import { keyOf } from "../../core/memory/normalise.ts";
import { type Place, placeFields } from "./service.ts";

const digest = (...parts: unknown[]): string =>
  createHash("sha256").update(JSON.stringify(parts)).digest("hex").slice(0, 40);

export interface Said {
  content: string;
  slots?: Slots | null;
  eventDate?: string | null;
}

/** The fields by which all that may be the same, or contradict it by the rules, is found whatever the index knows. */
export function keysOf(
  place: Place,
  { content, slots }: Said,
): { contentKey: string; relationKey?: string; valueKey?: string } {
  const own = placeFields(place);
  const contentKey = digest("content", own, keyOf(content));
  if (!slots) return { contentKey };
  const { subject, relation, value } = slots;
  return {
    contentKey,
    relationKey: digest("relation", own, subject, relation),
    valueKey: digest("value", own, subject, value),
  };
}

/** The key of the value whose place something says it takes. */
export const replacedKey = (place: Place, { slots }: Said): string | undefined =>
  slots?.replaces === undefined ? undefined : digest("value", placeFields(place), slots.subject, slots.replaces);

/** Equal for what says the same in the same place, in whatever words where its slots are known. */
export function statementOf(place: Place, { content, slots, eventDate = null }: Said): string {
  const own = placeFields(place);
  if (!slots) return digest("text", own, eventDate, keyOf(content));
  const { subject, relation, value, negated, qualifiers } = slots;
  return digest("slots", own, eventDate, subject, relation, value, negated, qualifiers);
}
