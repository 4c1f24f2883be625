import { alignmentSteps } from "./alignment/align-all.ts";
import { type Fact, readingsOf, type Slots, type Speaker } from "./fact.ts";
import { normalise, normalisedOf } from "./normalised.ts";
import { resultOf } from "./steps.ts";
import { isMeasure } from "./values.ts";
import { closes, isKindOf } from "./endings.ts";
import { concerns, endsAnother, headOfValue, isOfSameOwner, isUse, otherSubject, parts } from "./rivals.ts";
import { slotsOf } from "./slots.ts";
import { isOf } from "./topics.ts";

/** A memory that the similarity search found. It is taken to be older than the fact. */
export interface Candidate {
  id: string;
  content: string;
  /** The slots that were stored with the memory. They are read from the content when they are missing. */
  slots?: Slots | null;
  /** ISO 8601. */
  eventDate?: string | null;
  /** ISO 8601: when the memory was stated. */
  createdAt?: string;
}

export type Decision = { kind: "same"; id: string } | { kind: "supersede"; ids: string[] } | { kind: "add" };

const YEAR_MS = 365 * 86_400_000;

const isSameList = (a: readonly string[], b: readonly string[]) =>
  a.length === b.length && a.every((one, at) => one === b[at]);

/** Whether the two facts hold under the same circumstances. A negation without circumstances holds under all. */
const overlap = (now: Slots, before: Slots) =>
  isSameList(now.qualifiers, before.qualifiers) ||
  (now.negated && now.qualifiers.length === 0 && before.qualifiers.length <= 1);

const REPLACEABLE = /^(?:do |live in$|live with$|have$|be$|be |name$|work at$|job$|plan$|work shift$)/;
/** Each further day follows an "and": a pattern that may split "sunsunsun" in any way takes exponential time. */
const DAYS = /^(?:mon|tue|wednes|thur|fri|satur|sun)\w*(?: and (?:mon|tue|wednes|thur|fri|satur|sun)\w*)*(?: and )?$/;

const areDays = ({ qualifiers }: Slots) => qualifiers.length > 0 && qualifiers.every(one => DAYS.test(one));

/** The fact names the value that it supersedes. */
const replaces = (now: Slots, before: Slots): boolean =>
  now.replaces !== undefined &&
  now.replaces !== "" &&
  !before.negated &&
  (headOfValue(before.value) === headOfValue(now.replaces) || isOf(now.replaces, before)) &&
  (now.subject === before.subject || isOfSameOwner(now, before) || otherSubject(now.subject) === before.subject) &&
  (now.relation === before.relation || REPLACEABLE.test(before.relation));

/** Whether it is the same fact with another quantity: "8 km" instead of "5 km". */
const measures = (now: Slots, before: Slots): boolean =>
  now.frame !== undefined &&
  now.frame === before.frame &&
  now.value !== before.value &&
  (now.update === true || isMeasure(now.relation, now.value)) &&
  (now.relation === before.relation || (isUse(now.relation) && isUse(before.relation)));

const isEnded = ({ ends }: Slots, before: Slots): boolean =>
  ends !== undefined &&
  !before.negated &&
  ends.subject === before.subject &&
  ends.relation === before.relation &&
  (ends.value === before.value || (ends.value !== "" && ends.value === headOfValue(before.value)));

const PLACED =
  /^(?:(?:\w+ )?(?:in|on|at|with|by|for|everi)|(?:assign|connect|link|log|sent|send|route|report) to) (?=\S)/;

/** Frequencies. */
const OFTEN =
  /^(?:\d+ time (?:dai|week|month|year)|everi (?:(?:\d+|other|second|third) )?(?:dai|week|month|year|hour|minut)|dai|week|month|year|hour|daili|weekli|monthli|yearli|hourli)$/;

/** Whether it is the same thing at another place, or by other means. */
function movesOn(now: Slots, before: Slots): boolean {
  const [place] = PLACED.exec(now.value) ?? [];
  return now.update === true && place !== undefined && before.value.startsWith(place) && now.frame === undefined;
}

function takesPlace(now: Slots, before: Slots): boolean {
  if (parts(now, before) || endsAnother(now, before)) return true;
  if (isEnded(now, before)) return true;
  if (replaces(now, before)) return overlap(now, before) || now.qualifiers.length === 0;
  if (closes(now, before)) return true;
  // "The rent has gone up" is about the user's own rent.
  const isOurs = (now.update === true || now.negated) && otherSubject(now.subject) === before.subject;
  if (now.subject !== before.subject && !isOurs) return false;
  const isSameFrame = now.relation === before.relation && !now.negated && !before.negated;
  // The same activity on other days.
  if (isSameFrame && now.update && now.value === before.value && areDays(now) && areDays(before))
    return !isSameList(now.qualifiers, before.qualifiers);
  if (!overlap(now, before)) return false;
  if (now.value === before.value) return now.negated !== before.negated && concerns(now, before);
  // Denying a fact as a whole denies it in each of its circumstances.
  if (now.negated && !before.negated && (now.value === "" || headOfValue(before.value) === now.value))
    return concerns(now, before);
  // "Runs every day" ends "never runs".
  if (
    before.negated &&
    !now.negated &&
    now.relation === before.relation &&
    (headOfValue(now.value) === before.value || isKindOf(now.value, before.value))
  )
    return before.qualifiers.length === 0;
  if (now.negated || before.negated) return false;
  // "Lives in London and Paris" includes "lives in London".
  if (before.value.split(" and ").includes(now.value)) return false;
  if (isSameFrame && now.update === true && [now, before].every(one => OFTEN.test(one.value))) return true;
  return (isSameFrame && (now.single || movesOn(now, before))) || measures(now, before);
}

/** A preferred form of address for a name that is already known. */
const isKnownName = (now: Slots, before: Slots): boolean =>
  now.relation === "address" &&
  !now.negated &&
  before.subject === "user" &&
  before.relation === "name" &&
  before.value.split(" ").includes(now.value);

/** "Our database" and "the database" make the same statement. Superseding a memory requires a closer match. */
const isSame = (a: Slots, b: Slots) =>
  (a.subject === b.subject || otherSubject(a.subject) === b.subject) &&
  a.relation === b.relation &&
  a.value === b.value &&
  a.negated === b.negated &&
  isSameList(a.qualifiers, b.qualifiers);

/** Whether a stored name says it already: "uses Vim" after "the editor is Vim". */
const isSaidOf = (now: Slots, before: Slots): boolean =>
  /^(?:have|do us|do drive|do ride|do run)$/.test(now.relation) &&
  /^(?:name|be|be a)$/.test(before.relation) &&
  now.value === before.value &&
  !now.negated &&
  !before.negated &&
  now.qualifiers.length === 0 &&
  before.subject.includes("/") &&
  isOfSameOwner(now, before);

const COUPLE = /\/(?:girlfriend|boyfriend|partner)$/;
/** Whether one says "is dating Chloe" and the other "the girlfriend's name is Chloe". */
const isCouple = (a: Slots, b: Slots): boolean =>
  a.relation === "do date" &&
  b.relation === "name" &&
  COUPLE.test(b.subject) &&
  b.subject.startsWith(`${a.subject}/`) &&
  a.value === b.value &&
  !a.negated &&
  !b.negated;

/** The fact dates from long before the other statement: it is history, not an update. */
function isHistory(fact: Pick<Fact, "eventDate">, { createdAt }: Candidate): boolean {
  return (
    fact.eventDate !== null && createdAt !== undefined && Date.parse(createdAt) - Date.parse(fact.eventDate) > YEAR_MS
  );
}

/** Whether two things of one kind have different names: another friend, or another client. */
const isNamesake = (a: Slots, b: Slots) => a.alias !== undefined && b.alias !== undefined && a.alias !== b.alias;

/** By the words alone, where the slots decide nothing. */
function* byAlignment(
  fact: Pick<Fact, "content" | "eventDate">,
  others: readonly Candidate[],
): Generator<void, Decision> {
  const { same, outdated } = yield* alignmentSteps(
    fact.content,
    others.filter(other => !isHistory(fact, other)),
  );
  if (same) return { kind: "same", id: same.id };
  return outdated.length > 0 ? { kind: "supersede", ids: outdated.map(({ id }) => id) } : { kind: "add" };
}

/**
 * How a new fact relates to the stored memories: it repeats one (`same`), supersedes those that it contradicts, or is
 * stored beside them. Slots decide about contradictions: another value for a relation that has one value at a time, or
 * the negation of the same value. Where they decide nothing, the words do, also those of the memories `nearby`, whose
 * slots are not compared.
 */
export const decide = (...given: Parameters<typeof decisionSteps>): Decision => resultOf(decisionSteps(...given));

/** The same, yielding after each comparison with a memory, because a person may have thousands of long ones. */
export function* decisionSteps(
  fact: Pick<Fact, "content" | "slots" | "eventDate">,
  candidates: readonly Candidate[],
  { user, nearby = [] }: { user?: Speaker; nearby?: readonly Candidate[] } = {},
): Generator<void, Decision> {
  const { slots } = fact;
  const { key, gist, isPast } = normalise(fact.content);
  const readings = slots ? readingsOf(slots) : [];
  const ids: string[] = [];
  const isSameFact = (candidate: Candidate, before: Slots | null) => {
    if ((candidate.eventDate ?? null) !== fact.eventDate && candidate.eventDate && fact.eventDate) return false;
    const old = normalisedOf(candidate);
    return (
      (old.key === key && old.isPast === isPast) ||
      (gist !== null && gist === old.gist) ||
      (slots &&
        before &&
        !isNamesake(slots, before) &&
        (readings.some(
          one => isSame(one, before) || isSaidOf(one, before) || isCouple(one, before) || isCouple(before, one),
        ) ||
          isKnownName(slots, before)))
    );
  };
  for (const candidate of candidates) {
    const before = candidate.slots === undefined ? slotsOf(candidate.content, user) : candidate.slots;
    if (isSameFact(candidate, before)) return { kind: "same", id: candidate.id };
    if (
      slots &&
      before &&
      !isNamesake(slots, before) &&
      readings.some(one => takesPlace(one, before)) &&
      !isHistory(fact, candidate)
    )
      ids.push(candidate.id);
    yield;
  }
  if (ids.length > 0) return { kind: "supersede", ids };
  return yield* byAlignment(fact, [...candidates, ...nearby]);
}
