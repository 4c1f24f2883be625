import { type Fact, type Slots, type Speaker } from "./fact.ts";
import { keyOf } from "./normalise.ts";
import { slotsOf } from "./slots.ts";

/** A memory that similarity found. It is taken to be older than the fact. */
export interface Candidate {
  id: string;
  content: string;
  /** As they were found when it was stored; read from the content where they are left out. */
  slots?: Slots | null;
  /** ISO 8601. */
  eventDate?: string | null;
  /** ISO 8601: when it was said. */
  createdAt?: string;
}

export type Decision = { kind: "same"; id: string } | { kind: "supersede"; ids: string[] } | { kind: "add" };

const YEAR_MS = 365 * 86_400_000;

const isSameList = (a: readonly string[], b: readonly string[]) =>
  a.length === b.length && a.every((one, at) => one === b[at]);

/** Whether the two hold under the same circumstances; a negation without any holds under all. */
const overlap = (now: Slots, before: Slots) =>
  isSameList(now.qualifiers, before.qualifiers) ||
  (now.negated && now.qualifiers.length === 0 && before.qualifiers.length <= 1);

const OWNING = new Set(["have", "do drive", "do ride", "do us", "do subscrib"]);

/** Whether a negation of `now` can be one of `before`. */
function concerns(now: Slots, before: Slots): boolean {
  if (now.relation === before.relation) return true;
  if (now.relation === "any") return before.relation.startsWith("do ");
  return now.negated && OWNING.has(now.relation) && OWNING.has(before.relation);
}

function takesPlace(now: Slots, before: Slots): boolean {
  if (now.subject !== before.subject || !overlap(now, before)) return false;
  if (now.replaces !== undefined && !before.negated && before.value === now.replaces) {
    return now.relation === before.relation || before.relation.startsWith("do ") || before.relation === "have";
  }
  if (now.value === before.value) return now.negated !== before.negated && concerns(now, before);
  // "Lives in London and Paris" holds what "lives in London" says.
  if (before.value.split(" and ").includes(now.value)) return false;
  return now.relation === before.relation && now.single && !now.negated && !before.negated;
}

const isSame = (a: Slots, b: Slots) =>
  a.subject === b.subject &&
  a.relation === b.relation &&
  a.value === b.value &&
  a.negated === b.negated &&
  isSameList(a.qualifiers, b.qualifiers);

/** It tells of a time long before the other was said: history, no news. */
function isHistory(fact: Pick<Fact, "eventDate">, { createdAt }: Candidate): boolean {
  return (
    fact.eventDate !== null && createdAt !== undefined && Date.parse(createdAt) - Date.parse(fact.eventDate) > YEAR_MS
  );
}

/**
 * What a new fact does to what is remembered: nothing (`same`), take the place of memories that it contradicts, or stand beside
 * them. Contradictions are those of slots: another value where there is one at a time, or the opposite of the same value.
 */
export function decide(
  fact: Pick<Fact, "content" | "slots" | "eventDate">,
  candidates: readonly Candidate[],
  { user }: { user?: Speaker } = {},
): Decision {
  const { slots } = fact;
  const known = candidates.map(candidate => ({
    candidate,
    before: candidate.slots === undefined ? slotsOf(candidate.content, user) : candidate.slots,
  }));
  const content = keyOf(fact.content);
  const same = known.find(({ candidate, before }) => {
    if ((candidate.eventDate ?? null) !== fact.eventDate && candidate.eventDate && fact.eventDate) return false;
    return keyOf(candidate.content) === content || (slots && before && isSame(slots, before));
  });
  const ids = slots
    ? known
        .filter(({ candidate, before }) => before && takesPlace(slots, before) && !isHistory(fact, candidate))
        .map(({ candidate }) => candidate.id)
    : [];
  if (same) return { kind: "same", id: same.candidate.id };
  return ids.length > 0 ? { kind: "supersede", ids } : { kind: "add" };
}
