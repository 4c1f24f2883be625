import type { Slots } from "./fact.ts";
import { isEnding, MEANS, PARTNERS, thingOf } from "./topics.ts";
import {
  completedPlan,
  destinationOf,
  isAimOf,
  isOfKind,
  isOurs,
  JOURNEYS,
  oursOf,
  pursuitsOf,
  SWITCHED,
} from "./outcomes.ts";

/** Ways of having a thing. Selling the thing ends all of them. */
const OWNING = new Set(["have", "do drive", "do ride", "do us", "do subscrib", "do rent", "do plai"]);
const GETTING = /^do (?:bought|got|adopt|purchas|acquir|receiv)$/;
const USING = ["do us", "do run"];
/** Relations that describe a thing. They end when the thing ends. */
export const THING_RELATIONS = [
  "name",
  "date",
  "time",
  "be",
  "be a",
  "be in",
  "be at",
  "be color",
  "live in",
  "work at",
  "job",
  "age",
];
/** Relations for what a thing has or takes. Their values change like the thing's own values. */
const MEASURED = ["have", "do cost", "do last", "do take", "do hold", "do pai"];
const SURNAME = /^(.+)\/(?:last|famili|surnam)(?: name)?$/;
const MEAT = /^(?:meat|beef|pork|chicken|lamb|steak)$/;
const OF_ANIMALS = /^(?:fish|egg|chees|milk|butter|cream|yogurt|yoghurt|honei|seafood|sushi|salmon|tuna)$/;
const MEATLESS = /^(?:vegan|vegetarian)$/;
const FRIEND = /(?:^| )(?:friend|mate)$/;
const PARTNER = /^(?:girlfriend|boyfriend|spous|partner|fianc\S*)$/;
const PEOPLE =
  /\/(?:\S+ )*?(?:mother|father|spous|partner|brother|sister|sibl|son|daughter|child|friend|girlfriend|boyfriend|colleagu|manag|neighbor|uncl|aunt|cousin|parent|grand\w+|dog|cat|pet)(?: |$)/;
const HEAD_ENDS = / (?:in|on|at|for|with|when|everi|each|per|from|to|as|becaus|onc|\d+ time)(?: .*)?$/;

/** The value without its qualifiers: `jenkin` of `jenkin for ci`. */
export const headOfValue = (value: string): string => ` ${value}`.replace(HEAD_ENDS, "").trim();

/** The owner in a subject: `user` of `user/phone`. */
export const ownerOf = (subject: string): string => subject.replace(/\/.*$/, "");

/** The same thing with or without its owner. A thing without an owner belongs to the user. Null for people. */
export function otherSubject(subject: string): string | null {
  if (subject === "user" || subject === "assistant" || PEOPLE.test(subject)) return null;
  return subject.startsWith("user/") ? subject.slice(5) : subject.includes("/") ? null : `user/${subject}`;
}

/** The destination of a journey that the statement cancels or moves to another day. */
function offTo({ subject, relation, value, negated, update }: Slots): { subject: string; place: string } | null {
  const thing =
    (relation === "have" || relation === "any") && negated
      ? value
      : relation === "date" && update
        ? /\/(.+)$/.exec(subject)?.[1]
        : "";
  const place = destinationOf(thing ?? "");
  return place === undefined ? null : { subject: ownerOf(subject), place };
}

/** Whether the person no longer has work. */
const isIdle = ({ relation, value, negated }: Slots) =>
  relation === "be employ" && !negated && /^(?:unemploi|retir)$/.test(value);
/** Whether the person has switched to another tool of a kind. */
const isSwitch = ({ relation, update, negated }: Slots) => relation === "do us" && update === true && !negated;

/** The slots that end when the statement says that something was completed, given up or changed. */
function endedBy(now: Slots): { subject: string; relation: string }[] {
  const { subject, relation, value, negated, update = false } = now;
  const journey = offTo(now);
  const found = (relations: readonly string[], whose = subject) =>
    relations.map(one => ({ subject: whose, relation: one }));
  return [
    ...oursOf(subject, relation, update).map(one => ({ subject: one, relation })),
    ...(journey ? found(JOURNEYS, journey.subject) : []),
    ...(isIdle(now) ? found(["job", "work at"]) : []),
    ...(isSwitch(now) ? found(SWITCHED) : []),
    ...(negated && relation === "work at" ? found(["job", "be"]) : []),
    ...(negated && relation.startsWith("do ") && value === "" ? found(["job"]) : []),
    ...(!negated && relation === "do speak" && update ? found(["do learn"]) : []),
    ...(!negated && relation.startsWith("do ") && value !== "" ? found([...pursuitsOf(relation), "plan"]) : []),
  ];
}

/** Whether the new statement says that the earlier one was completed, given up or changed. */
function endsThing(now: Slots, before: Slots): boolean {
  if (before.negated) return false;
  const journey = offTo(now);
  if (journey && JOURNEYS.includes(before.relation))
    return ` ${before.value} `.replace(/^ to /, " ").startsWith(` ${journey.place} `);
  if (isIdle(now) && now.subject === before.subject) return before.relation === "job" || before.relation === "work at";
  if (now.negated && now.relation === "work at")
    return /^(?:job|be)$/.test(before.relation) && before.value.endsWith(` ${now.value}`);
  if (now.negated && before.relation === "job")
    return now.value === "" && now.relation.length > 6 && before.value.startsWith(now.relation.slice(3));
  if (now.negated) return false;
  if (before.relation === "plan") return completedPlan(now.relation, now.value) === before.value;
  if (now.relation === "do speak" && before.relation === "do learn") return now.value === before.value;
  if (pursuitsOf(now.relation).includes(before.relation)) return isAimOf(now.value, before.value);
  if (isSwitch(now) && now.subject === before.subject) return isOfKind(now.value, before.value);
  const isWe = isOurs(now.subject) !== isOurs(before.subject) && now.relation === before.relation;
  return isWe && now.single && before.single && now.value !== before.value;
}

/** Further slots that a statement may affect, in addition to those with the same relation or value. */
export function rivalsOf(now: Slots): { subject: string; relation: string }[] {
  const { subject, relation, value, negated, update, frame } = now;
  const others = endedBy(now);
  if (relation === "have" && negated)
    others.push(...THING_RELATIONS.map(one => ({ subject: `${subject}/${value}`, relation: one })));
  if (relation === "have" && !negated && PARTNER.test(value)) others.push({ subject, relation: "marital" });
  if (relation === "name" && subject.endsWith("/spous"))
    others.push({ subject: ownerOf(subject), relation: "marital" });
  if (relation === "be" && update && frame !== undefined)
    others.push(...MEASURED.map(one => ({ subject, relation: one })));
  if (relation === "live in" && subject !== "user")
    others.push({ subject, relation: "be in" }, { subject, relation: "be at" });
  if (relation === "diet") others.push({ subject, relation: "do eat" });
  if (relation === "do eat") others.push({ subject, relation: "diet" });
  if (relation === "job" || relation === "work at") others.push({ subject, relation: "be employ" });
  const owner = SURNAME.exec(subject)?.[1];
  if (owner !== undefined) others.push({ subject: owner, relation: "name" });
  const other = otherSubject(subject);
  if (other !== null) others.push({ subject: other, relation });
  if (USING.includes(relation)) others.push(...USING.map(one => ({ subject, relation: one })));
  if (subject === "assistant" && relation === "address") others.push({ subject: "user", relation: "name" });
  return others;
}

/** All other slots whose statements this one may repeat, replace or end. */
export function relatedSlots(now: Slots): { subject: string; relation: string }[] {
  const { subject, relation, value } = now;
  const found = rivalsOf(now);
  const of = (relations: readonly string[], whose = subject) =>
    relations.map(one => ({ subject: whose, relation: one }));
  if (now.replaces !== undefined || isEnding(now)) found.push(...of(MEANS));
  const other = otherSubject(subject);
  if (now.replaces !== undefined && other !== null) found.push(...of(["be", "name"], other));
  if (isEnding(now)) found.push(...of(THING_RELATIONS, `${subject}/${thingOf(value)}`));
  if (relation === "marital")
    found.push(...of(["do date"]), ...PARTNERS.flatMap(one => of(["name"], `${subject}/${one}`)));
  if (relation === "work at") found.push(...of(["be", "job", "be employ"]));
  if (relation === "do date") found.push(...of(["marital"]));
  if (relation === "do date")
    found.push(
      ...of(["name"], `${subject}/girlfriend`),
      ...of(["name"], `${subject}/boyfriend`),
      ...of(["name"], `${subject}/partner`),
    );
  if (relation === "name" && /\/(?:girlfriend|boyfriend|partner)$/.test(subject))
    found.push(...of(["do date"], ownerOf(subject)));
  if (relation === "do drink" || relation === "do eat") found.push(...of([relation]));
  if (relation.startsWith("prefer ")) found.push(...of(["prefer"]));
  return found;
}

/** Whether the new statement ends an earlier one with another relation. */
export function endsAnother(now: Slots, before: Slots): boolean {
  if (!rivalsOf(now).some(({ subject, relation }) => subject === before.subject && relation === before.relation))
    return false;
  if (endsThing(now, before)) return true;
  if (now.relation === "have" && now.negated) return !JOURNEYS.includes(before.relation);
  if (now.negated || before.negated) return false;
  if (now.relation === "diet") {
    const food = headOfValue(before.value);
    return (MEATLESS.test(now.value) && MEAT.test(food)) || (now.value === "vegan" && OF_ANIMALS.test(food));
  }
  if (now.relation === "do eat") return MEAT.test(headOfValue(now.value)) && MEATLESS.test(before.value);
  if (now.relation === "live in") return now.single && now.value !== before.value;
  if (before.relation === "be employ") return before.value === "unemploi";
  if (SURNAME.test(now.subject)) return before.value.includes(" ") && !before.value.endsWith(` ${now.value}`);
  if (MEASURED.includes(before.relation))
    return now.frame !== undefined && now.frame === before.frame && now.value !== before.value;
  if (before.relation === "marital") return !before.negated && before.value !== "marri";
  return false;
}

/** Whether the negation `now` can refer to `before`, which has the same value. */
export function concerns(now: Slots, before: Slots): boolean {
  if (now.relation === before.relation) return true;
  if (now.relation === "any")
    return before.relation.startsWith("do ") || (before.relation === "like" && !before.negated);
  if (before.negated && before.relation === "have") return GETTING.test(now.relation);
  if (JOURNEYS.includes(now.relation)) return now.negated && JOURNEYS.includes(before.relation);
  if (now.relation === "work at" && now.negated) return before.relation === "live in";
  return now.negated && OWNING.has(now.relation) && OWNING.has(before.relation);
}

/** Whether `now` says that the couple in `before` has separated. */
export const parts = (now: Slots, before: Slots): boolean =>
  now.negated &&
  !before.negated &&
  now.value === before.value &&
  ((now.relation === "partner" && before.subject === now.subject && before.relation === "do date") ||
    (before.subject.startsWith(`${now.subject}/`) &&
      (now.relation === "partner"
        ? PARTNER.test(before.subject.slice(now.subject.length + 1))
        : now.relation === "friend" && FRIEND.test(before.subject))));

/** Whether `before` is about a thing of the same owner. */
export const isOfSameOwner = (now: Slots, before: Slots): boolean =>
  now.subject === before.subject || (now.subject === ownerOf(before.subject) && !PEOPLE.test(before.subject));

export const isUse = (relation: string): boolean => USING.includes(relation);
