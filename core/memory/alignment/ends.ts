// Whether a statement says that what another is about has ended.
import { isSameOwner, isOfOneTopic, mentionsUser, namesOf } from "./compare.ts";
import { isVerb } from "../verbs.ts";
import { isRole } from "./concepts.ts";
import { synonymOf } from "./synonyms.ts";
import { isLight } from "./words.ts";
import type { Profile } from "./profile.ts";
import type { TypedValue } from "./typed-values.ts";

/** An allergy does not end with the food, nor a birth with the town. */
const STAYS =
  /\b(?:hates?|dislikes?|allergic|allergy|intoleran\w+|can't stand|cannot stand|afraid|born|grew up|met|never|fan of)\b/i;
const BEHIND = /^(?:in|of|about|for|because|than|from|after|before|during)$/i;

/** Whether a word only says where or why, after what the statement is about: "runs in the park". */
function isAdjunct({ words, topics, length }: Profile, at: number): boolean {
  // "Trains for the marathon".
  const isPurpose = (place: number) => /^for$/i.test(words[place]!.text) && /ing$/.test(words[place - 1]?.text ?? "");
  const from = words
    .slice(0, at)
    .findLastIndex(({ text }, place) => at - place <= 3 && BEHIND.test(text) && !isPurpose(place));
  return from >= 0 && topics.some(topic => topic.at >= length && topic.at < from);
}

/** Whether a thing that `now` ends is what `before` is about. */
export function isEndOf(now: Profile, before: Profile): boolean {
  if (now.ended.length === 0 || before.cues.denied || STAYS.test(before.text)) return false;
  const names = new Set(namesOf(before));
  const known = new Set([...before.keys].map(synonymOf));
  const isThing = !/^the user /i.test(before.text) && before.owner === "user";
  const isInValue = (at: number) =>
    before.values.some(({ type, from, to }) => /^(?:day|date|time|often)$/.test(type) && from <= at && at < to);
  return now.ended.some(ended => {
    const head = ended.at(-1)!;
    if (!ended.every(key => known.has(synonymOf(key)))) return false;
    return before.words.some((word, at) => {
      if (!word.key.split(" ").some(key => synonymOf(key) === synonymOf(head))) return false;
      // A day or a deed of a thing is not what ends: "staging runs", "swims on Fridays".
      if (isInValue(at) || (isThing && isVerb(word.text.toLowerCase()))) return false;
      const next = before.words[at + 1];
      const isHead = word.isLast || !next?.key || isLight(next.key) || /^\d|ly$/.test(next.text);
      const isBehind = isAdjunct(before, at);
      return names.has(head) ? !isBehind || now.owner === head : isHead && !isBehind;
    });
  });
}

/** Whether something is done to the user by a person with the right to: "my doctor took me off it". */
export const isDoneToUser = (now: Profile, before: Profile): boolean =>
  before.owner === "user" && isRole(now.owner) && mentionsUser(now);

/** Whether the person of a post has left it. */
export const isLeftPost = (now: Profile, before: Profile): boolean =>
  now.isLeaving &&
  now.owner !== before.owner &&
  namesOf(before).includes(now.owner) &&
  before.words.some(({ key }) => isRole(key)) &&
  !/ who /.test(before.text);

const NAMES_FORMER =
  /\b(?:instead of|rather than|not|no longer|out of|replac\w+|swapp\w+|trad\w+|ditch\w+|dropp\w+|exchang\w+|mov\w+|switch\w+|chang\w+|migrat\w+|transferr\w+|went) /i;
/** Whether `now` names the value of `before` as the former one. */
export const namesFormer = (now: Profile, before: Profile): boolean =>
  NAMES_FORMER.test(now.text) &&
  now.former.some(
    ({ type, key }) =>
      /^(?:name|email|url|code|language|version)$/.test(type) &&
      before.values.some(one => one.type === type && ` ${one.key} `.includes(` ${key} `) && one.key !== before.owner),
  );

export const HOLDS_POST =
  /^\S+ (?:now )?(?:leads?|runs?|heads?|manages?|owns?|handles?|chairs?|coaches|teaches|drives?|is responsible for|is in charge of|oversees|covers|supervises|lead of)\b/i;
const HANDS_OVER = /\b(?:handed|passed|gave|given)\b.*\b(?:over|on|up|to)\b|\bno longer\b|\bstepped (?:down|back)\b/i;
/** "Olu handed the account over". */
export const isHandedOver = (now: Profile, before: Profile): boolean =>
  HOLDS_POST.test(before.text) && HANDS_OVER.test(now.text) && isOfOneTopic(now, before);

const isCircumstance = ({ type, unit = "" }: TypedValue) =>
  type === "often" || type === "place" || (type === "number" && /^(?:dai|week|month|year)$/.test(unit));

/** "The user does not play tennis any more", or plays it again. */
export function isDenial(now: Profile, before: Profile): boolean {
  if (!isSameOwner(now, before) || now.cues.denied === before.cues.denied) return false;
  const known = new Set(before.topics.map(({ key }) => key));
  const topics = now.topics.filter(({ key }) => key !== now.owner);
  const anchors = topics.filter(({ isAnchor }) => isAnchor);
  const isAlone = topics.length === 1 && before.topics.filter(({ key }) => key !== before.owner).length === 1;
  const tied = anchors.length > 0 ? anchors : isAlone ? topics : [];
  const isKnown = (value: TypedValue) =>
    isCircumstance(value) || before.values.some(one => one.type === value.type && one.key === value.key);
  return tied.length > 0 && tied.every(({ key }) => known.has(key)) && now.values.every(isKnown);
}
