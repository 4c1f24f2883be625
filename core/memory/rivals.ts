import type { Slots } from "./fact.ts";

/** Ways to have a thing. Selling the thing ends all of them. */
const OWNING = new Set(["have", "do drive", "do ride", "do us", "do subscrib", "do rent", "do plai"]);
const GETTING = /^do (?:bought|got|adopt|purchas|acquir|receiv)$/;
const USING = ["do us", "do run"];
/** Relations that describe a thing. They end when the thing ends. */
const TOLD_BY = ["name", "date", "time", "be", "be color"];
/** Relations for what a thing has or takes. Their values change like the thing's own. */
const MEASURED = ["have", "do cost", "do last", "do take", "do hold", "do pai"];
const SURNAME = /^(.+)\/(?:last|famili|surnam)(?: name)?$/;
const MEAT = /^(?:meat|beef|pork|chicken|lamb|steak)$/;
const MEATLESS = /^(?:vegan|vegetarian)$/;
const PARTNER = /^(?:girlfriend|boyfriend|spous|partner|fianc\S*)$/;
const PEOPLE =
  /\/(?:\S+ )*?(?:mother|father|spous|partner|brother|sister|sibl|son|daughter|child|friend|girlfriend|boyfriend|colleagu|manag|neighbor|uncl|aunt|cousin|parent|grand\w+|dog|cat|pet)(?: |$)/;
const HEAD_ENDS = / (?:in|on|at|for|with|when|everi|each|per|from|to|as|becaus|onc|\d+ time)(?: .*)?$/;

/** The value without its qualifiers: `jenkin` of `jenkin for ci`. */
export const headOfValue = (value: string): string => ` ${value}`.replace(HEAD_ENDS, "").trim();

/** The owner in a subject: `user` of `user/phone`. */
export const ownerOf = (subject: string): string => subject.replace(/\/.*$/, "");

/** The same thing with or without its owner. Without an owner it belongs to the user. Null for people. */
export function otherSubject(subject: string): string | null {
  if (subject === "user" || subject === "assistant" || PEOPLE.test(subject)) return null;
  return subject.startsWith("user/") ? subject.slice(5) : subject.includes("/") ? null : `user/${subject}`;
}

/** Further slots, beside those of the same relation or value, that a statement may affect. */
export function rivalsOf({
  subject,
  relation,
  value,
  negated,
  update,
  frame,
}: Slots): { subject: string; relation: string }[] {
  const others: { subject: string; relation: string }[] = [];
  if (relation === "have" && negated)
    others.push(...TOLD_BY.map(one => ({ subject: `${subject}/${value}`, relation: one })));
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

/** Whether the new statement ends an earlier one of another relation. */
export function endsAnother(now: Slots, before: Slots): boolean {
  if (!rivalsOf(now).some(({ subject, relation }) => subject === before.subject && relation === before.relation))
    return false;
  if (now.relation === "have" && now.negated) return true;
  if (now.negated || before.negated) return false;
  if (now.relation === "diet") return MEATLESS.test(now.value) && MEAT.test(headOfValue(before.value));
  if (now.relation === "do eat") return MEAT.test(headOfValue(now.value)) && MEATLESS.test(before.value);
  if (now.relation === "live in") return now.single && now.value !== before.value;
  if (before.relation === "be employ") return before.value === "unemploi";
  if (SURNAME.test(now.subject)) return before.value.includes(" ") && !before.value.endsWith(` ${now.value}`);
  if (MEASURED.includes(before.relation)) return now.frame === before.frame && now.value !== before.value;
  if (before.relation === "marital") return !before.negated && before.value !== "marri";
  return false;
}

/** Whether the negation `now` can refer to `before`, which has the same value. */
export function concerns(now: Slots, before: Slots): boolean {
  if (now.relation === before.relation) return true;
  if (now.relation === "any")
    return before.relation.startsWith("do ") || (before.relation === "like" && !before.negated);
  if (before.negated && before.relation === "have") return GETTING.test(now.relation);
  if (now.relation === "work at" && now.negated) return before.relation === "live in";
  return now.negated && OWNING.has(now.relation) && OWNING.has(before.relation);
}

/** Whether `now` says that two people are no longer together who are together in `before`. */
export const parts = (now: Slots, before: Slots): boolean =>
  now.relation === "partner" &&
  now.negated &&
  !before.negated &&
  now.value === before.value &&
  ((before.subject === now.subject && before.relation === "do date") ||
    (before.subject.startsWith(`${now.subject}/`) && PARTNER.test(before.subject.slice(now.subject.length + 1))));

/** Whether `before` is about a thing of the same owner. */
export const isTheirs = (now: Slots, before: Slots): boolean =>
  now.subject === before.subject || (now.subject === ownerOf(before.subject) && !PEOPLE.test(before.subject));

export const isUse = (relation: string): boolean => USING.includes(relation);
