// Which stored statements end when a new statement says that something is over.
import type { Slots } from "./fact.ts";
import { isOfSameOwner, ownerOf, THING_RELATIONS } from "./rivals.ts";
import { isEnding, isOf, PARTNERS, names, thingOf, topicOf } from "./topics.ts";

/** Relations that end when the thing is gone. */
const HELD = /^(?:have|do (?:drive|ride|us|subscrib|rent|plai|own|wear|keep|pai|run|watch|read))$/;
/** Relations that end when a person gives the thing up. Past events and facts of birth stay. */
const PURSUED =
  /^(?:do (?!born|know|knew|met|meet|hate|studied|learnt)|have$|like$|prefer|plan$|be$|be (?:a|in|at|on)$|job$|diet$|live with$|work at$|work shift$)/;
const KINDS: Record<string, RegExp> = {
  alcohol: /^(?:wine|beer|red wine|white wine|spirit|whiskei|whiski|gin|vodka|rum|cocktail|champagn|cider)$/,
  meat: /^(?:beef|pork|chicken|lamb|steak|ham|bacon|sausag|burger|turkei|veal)$/,
  fish: /^(?:salmon|tuna|cod|trout|sushi|herr|mackerel|sardin)$/,
  dairi: /^(?:milk|chees|butter|yogurt|yoghurt|cream)$/,
  sugar: /^(?:sweet|chocol|candi|cake)$/,
};
/** Whether a food or a drink is one of a kind: wine, of alcohol. No kind is every kind. */
export const isKindOf = (value: string, kind: string): boolean =>
  KINDS[kind === "" ? "alcohol" : kind]?.test(thingOf(value)) ?? false;

/** A user has one thing of each of these kinds, often under its own name: the phone is a Pixel 6. */
const THINGS = /^user\/(?:phone|car|bike|laptop|computer|tablet|camera|watch|printer|tv|van|boat|monitor)$/;
const LEAVE = /^(?:on|in) (?:.+ )?(?:leav|holidai|vacat|sabbat|break)(?: (?:until|till|from|for) .+)?$/;
const UNATTACHED = /^(?:singl|divorc|separ|widow)/;
const COUPLE = new RegExp(`/(?:${PARTNERS.join("|")})$`);
/** A new employer ends these. */
const WITHOUT_EMPLOYER = /^(?:freelanc\S*|self-employ|unemploi|jobless|retir|freelanc \S+)$/;
const HAPPENS = /^(?:have|do (?:do|go|goe|plai|attend|take|teach))$/;
const DAY = /^(?:mon|tues|tue|wednes|thurs|thur|fri|satur|sun)dai/;
const lastOf = (subject: string) => subject.slice(subject.lastIndexOf("/") + 1);

/** Whether the value names the subject of a study: "law school" for "studies law at Leiden". */
const isSubjectOf = (value: string, { relation, value: studied }: Slots): boolean =>
  /^do (?:studi|learn|train|attend)$/.test(relation) && `${studied} `.startsWith(`${thingOf(value)} `);

/** Whether `now` says that the thing or the pursuit of `before` is over. */
export function closes(now: Slots, before: Slots): boolean {
  if (before.negated) return false;
  // "X is gone" or "X is cancelled", when X is the name of a known thing.
  if (now.negated && now.relation === "date" && now.value === "")
    return (
      (before.relation === "name" && before.value === now.subject) ||
      (HELD.test(before.relation) && before.subject === "user" && names(now.subject, before.value)) ||
      (THINGS.test(before.subject) && /^(?:be|be a|name)$/.test(before.relation) && before.value === now.subject)
    );
  if (now.relation === "work at" && now.update && !now.negated && now.subject === before.subject)
    return WITHOUT_EMPLOYER.test(before.value || before.relation.slice(3));
  if (now.relation === "marital" && !now.negated && UNATTACHED.test(now.value))
    return (
      (before.relation === "name" &&
        before.subject !== now.subject &&
        COUPLE.test(before.subject) &&
        before.subject.startsWith(`${now.subject}/`)) ||
      (before.relation === "do date" && before.subject === now.subject)
    );
  if (now.relation === "do date" && !now.negated && now.subject === before.subject)
    return before.relation === "marital" && UNATTACHED.test(before.value);
  const [, a, b] = /^prefer (.+) or (.+)$/.exec(now.relation) ?? [];
  if (a !== undefined && before.relation === "prefer" && now.subject === before.subject)
    return before.value === (a === now.value ? b : a);
  // "Yoga is on Thursdays now" ends "has yoga on Tuesdays".
  if (
    now.relation === "date" &&
    now.update &&
    HAPPENS.test(before.relation) &&
    before.qualifiers.some(one => DAY.test(one))
  )
    return (
      names(lastOf(now.subject), before.value) &&
      ownerOf(before.subject) === "user" &&
      !before.qualifiers.includes(`${now.value}s`)
    );
  if (now.negated && now.relation === "be" && now.value === "on leav")
    return now.subject === before.subject && before.relation === "be" && LEAVE.test(before.value);
  if (!isEnding(now) || !isOfSameOwner(now, before)) return false;
  if (/^(?:do drink|do eat|like)$/.test(before.relation) && isKindOf(before.value, now.value)) return true;
  if (before.subject === `${now.subject}/${thingOf(now.value)}`) return THING_RELATIONS.includes(before.relation);
  return (
    (now.relation === "have" ? HELD : PURSUED).test(before.relation) &&
    (isOf(now.value, before) || isSubjectOf(now.value, before))
  );
}

/** The keys, as owner and word, of the statements that this one may end. */
export function topicsOf({ subject, value, replaces, ends }: Slots): { owner: string; topic: string }[] {
  const owner = ownerOf(subject);
  const own = lastOf(subject);
  return [
    ...[value, replaces ?? "", own].map(text => ({ owner, topic: topicOf(text) })),
    { owner: "user", topic: topicOf(own) },
    ...(ends ? [{ owner: ownerOf(ends.subject), topic: topicOf(ends.value) }] : []),
  ].filter(({ topic }) => topic !== "");
}
