// Whether two statements are of the same person and the same thing.
import { isFinite } from "../verbs.ts";
import { alternativesOf } from "./alternatives.ts";
import { isOneOfSeveral, isPerson, isRole, matterOf } from "./concepts.ts";
import type { Profile, Topic } from "./profile.ts";

/** The words of the names in a statement. */
export const namesOf = (profile: Profile): string[] =>
  [...profile.values, ...profile.former].filter(({ type }) => type === "name").flatMap(({ key }) => key.split(" "));

export const mentionsUser = ({ text }: Profile): boolean => /\b(?:the user|me|us)\b/i.test(text);

/** Whether both are about the same person. A thing without an owner is the user's. */
export const isSameOwner = (now: Profile, before: Profile): boolean => now.owner === before.owner;

/** Whether `now` is about a person or a thing that `before` names: "Jenkins is gone". */
export const isAboutNamed = (now: Profile, before: Profile): boolean =>
  before.owner === "user" &&
  !/^and$/i.test(now.words[now.length]?.text ?? "") &&
  (namesOf(before).includes(now.owner) || before.topics.some(({ key, isAnchor }) => isAnchor && key === now.owner));

/** "Our doctor upped the dose": a person of the user's changes a thing of the user's. */
export const isAgent = (now: Profile, before: Profile): boolean =>
  before.owner === "user" &&
  isRole(now.owner) &&
  / (?:the|the user's|their) /.test(now.text.slice(4)) &&
  !before.topics.some(({ marks }) => marks.some(mark => isPerson(mark) && mark !== now.owner));

const SUCCEEDS =
  /\b(?:took over|taken over|takes over|succeeds|succeeded|replaces|replaced|is (?:now )?the new|is now the|becomes|became)\b/i;
/** "Ramen is the user's favorite dish": the statement is about the user's thing, whatever it begins with. */
export const isVia = (now: Profile, before: Profile): boolean =>
  before.owner === "user" &&
  now.length > 0 &&
  !isPerson(now.owner) &&
  now.topics.some(({ key, at, isAnchor }) => {
    const isTheirs = now.words.slice(Math.max(0, at - 4), at).some(({ text }) => /^user's$/i.test(text));
    const isKnown = isAnchor && at > now.length && before.topics.some(one => one.key === key);
    return isKnown && (isTheirs || SUCCEEDS.test(now.text));
  });

/** The topics in both, null when the words beside them show that they are different things. */
export function sharedTopics(now: Profile, before: Profile): Topic[] | null {
  const groups = new Set([...before.keys].flatMap(alternativesOf));
  const isKnown = (mark: string) =>
    before.matters.has(matterOf(mark)) || alternativesOf(mark).some(group => groups.has(group));
  const isUnsaid = (mark: string) => !now.matters.has(matterOf(mark)) && alternativesOf(mark).length === 0;
  const found: Topic[] = [];
  for (const topic of now.topics) {
    if (isOneOfSeveral(topic.key) || topic.key === now.owner) continue;
    const others = before.topics.filter(
      ({ key, isAnchor, isMark }) => (isAnchor || topic.isAnchor) && isMark === topic.isMark && key === topic.key,
    );
    if (others.length === 0) continue;
    if (topic.marks.some(mark => !isKnown(mark))) return null;
    if (topic.marks.length > 0 && others.every(({ marks }) => marks.some(isUnsaid))) return null;
    found.push(topic);
  }
  return found;
}

/** Whether they share a topic, and no word beside it tells them apart. */
export const isOfOneTopic = (now: Profile, before: Profile): boolean => (sharedTopics(now, before)?.length ?? 0) > 0;

const JOINS =
  /^(?:is|are|was|were|at|to|in|on|has|have|costs?|earns?|by|from|about|only|with|for|as|of|user|user's|the|now|and|not)$/i;
/** Numbers and names that follow the noun of the subject tell it from others: "ticket 4411", "our supplier Henkel". */
export const idsOf = ({ values, words, length }: Profile): string[] =>
  values
    .filter(({ type, from, unit }) => {
      const isId = (type === "number" || type === "name") && unit === undefined && from > 0 && from < length + 3;
      if (!isId) return false;
      const { text, isLast } = words[from - 1]!;
      return !isLast && /^\p{Ll}|^\p{Lu}\p{Ll}+$/u.test(text) && !JOINS.test(text) && !isFinite(text);
    })
    .map(({ key }) => key);

/** Whether they have the same numbers or names of their things, or none. */
export function isOfSameIds(now: Profile, before: Profile): boolean {
  const [a, b] = [idsOf(now), idsOf(before)];
  return a.length === b.length && a.every(one => b.includes(one));
}

/** Whether both begin with the same thing: "the refund", "order 8841". */
export function isSameThing(now: Profile, before: Profile): boolean {
  const own = ({ topics, length }: Profile) => topics.filter(({ at }) => at < length + 2 && at >= length - 1);
  const known = new Set(own(before).flatMap(({ isAnchor, key }) => (isAnchor ? [key] : [])));
  return own(now).some(({ key }) => known.has(key)) && isOfOneTopic(now, before) && isOfSameIds(now, before);
}

/** Whether both name people or places, and none in common. */
export function isOfOthers(now: Profile, before: Profile): boolean {
  const names = (profile: Profile) => namesOf(profile).filter(name => name !== profile.owner);
  const [a, b] = [names(now), new Set(names(before))];
  return a.length > 0 && b.size > 0 && !a.some(name => b.has(name));
}
