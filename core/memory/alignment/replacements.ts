// Special ways to say that another thing, place, post or person took the place of the one before.
import { keyOf } from "../normalise.ts";
import { isOfOneTopic } from "./compare.ts";
import { isOccupation, isOneOfSeveral, isPerson, isRole } from "./concepts.ts";
import { HOLDS_POST } from "./ends.ts";
import { hasOtherValue } from "./other-values.ts";
import { BELONGS, CALLS, IS_FINE, IS_IN, TRANSFERS } from "./outline.ts";
import type { Profile } from "./profile.ts";

export const NOWADAYS = /\b(?<!right |just )now\b|\b(?:these days|nowadays|since|from now on|as of)\b/i;

/** "I'm in Hove now", of a person who lived elsewhere. */
export const isElsewhere = (now: Profile, before: Profile): boolean =>
  now.topics.every(({ key }) => key === now.owner) &&
  NOWADAYS.test(now.text) &&
  IS_IN.test(now.text) &&
  before.topics.some(
    ({ key, at }) => key === "*home" && (before.owner !== "user" || /^the user /i.test(before.text) || at < 4),
  ) &&
  !/^(?:the user's|the) \p{Ll}+ (?:is|are) (?:based|located)/iu.test(before.text) &&
  hasOtherValue(now, before, ["name"]);

const beginsWithName = ({ owner, values }: Profile) =>
  values.some(({ type, key, from }) => from === 0 && type === "name" && key.endsWith(owner));
/** "Joanna leads mobile now", after "Ravi leads the mobile team". */
export const isSuccessor = (now: Profile, before: Profile): boolean =>
  now.owner !== before.owner &&
  HOLDS_POST.test(now.text) &&
  HOLDS_POST.test(before.text) &&
  beginsWithName(now) &&
  beginsWithName(before) &&
  NOWADAYS.test(now.text) &&
  isOfOneTopic(now, before);

const TAKES_POST =
  /\b(?:became|become|becomes|is now|are now|works? now|now works?|as an?|retrained|qualified|trained|switched|instead|new job)\b/i;
const HAS_POST = /^(?:is|works as|working as) (?:an? |the )(?!user\b)/i;
/** What is said of a person, and not of what they have. */
const saidOf = ({ text, owner, words, length }: Profile) =>
  owner === "user" && !/^the user /i.test(text)
    ? ""
    : words
        .slice(length)
        .map(word => word.text)
        .join(" ");
const postsOf = ({ words }: Profile) => words.flatMap(({ key }) => (isOccupation(key) ? [key] : []));
/** Another occupation of the same person. */
export function isOtherPost(now: Profile, before: Profile): boolean {
  if (!TAKES_POST.test(saidOf(now)) || !HAS_POST.test(saidOf(before))) return false;
  const [a, b] = [postsOf(now), postsOf(before)];
  return a.length > 0 && b.length > 0 && !a.some(post => b.includes(post));
}

const CHOICE = /\b(?:favou?rite|go-to|usual|preferred|default|main|primary|current|first choice|top|daily)\b/i;
const IS_CHOICE = /^(?:the user's|the) ([^,]{2,40}?) (?:is|are) (?:now )?(.+?)(?: now| these days| nowadays)?$/iu;
/** "My go-to breakfast is porridge these days": there is one. */
export function isOtherChoice(now: Profile, before: Profile): boolean {
  if (!CHOICE.test(now.text) || !NOWADAYS.test(now.text)) return false;
  const [, what = "", value] = IS_CHOICE.exec(now.text) ?? [];
  const [, subject = "", old] = IS_CHOICE.exec(before.text) ?? [];
  if (value === undefined || old === undefined || value === old) return false;
  const known = keyOf(subject).split(" ");
  return (
    CHOICE.test(what) &&
    CHOICE.test(subject) &&
    keyOf(what)
      .split(" ")
      .every(word => known.includes(word))
  );
}

/** "Mia transferred to Roosevelt High", who goes to Lincoln High. */
export const isTransfer = (now: Profile, before: Profile): boolean =>
  TRANSFERS.test(now.text) &&
  BELONGS.test(before.text) &&
  now.topics.every(({ key, isAnchor }) => key === now.owner || !isAnchor) &&
  hasOtherValue(now, before, ["name"]);

const NEW_THING =
  /\b(?:bought|got|ordered|has|have|purchased|received|treated themselves to|picked up) (?:themselves )?(?:an? |their )(?:brand[- ])?new ([\p{L} -]{3,30})$/iu;
const OF_THING = /^(?:the user's|the) ([^,]{3,30}?) (?:is|are|has|keeps|runs|was|costs|uses|\p{Ll}+s)\b/iu;
/** "We bought a new dishwasher": what was said of the old one is out of date. */
export function isNewThing(now: Profile, before: Profile): boolean {
  const key = keyOf(NEW_THING.exec(now.text)?.[1] ?? "");
  if (key === "" || key !== keyOf(OF_THING.exec(before.text)?.[1] ?? "")) return false;
  return !key.split(" ").some(word => isPerson(word) || isRole(word) || isOneOfSeveral(word));
}

/** "Rob is fine", after "call me Robert". */
export function isShortName(now: Profile, before: Profile): boolean {
  const short = IS_FINE.exec(now.text)?.[1] ?? "";
  const long = CALLS.exec(before.text)?.[1] ?? "";
  return short !== "" && short !== long && long.toLowerCase().includes(short.toLowerCase());
}
