// Whether a statement adds nothing to another, in whatever words.
import { isAboutNamed, isSameOwner, isSameThing, mentionsUser, namesOf } from "./compare.ts";
import { isMatter } from "./concepts.ts";
import { hasOtherKind } from "./other-values.ts";
import type { Profile, Topic } from "./profile.ts";
import { NOWADAYS } from "./replacements.ts";
import type { TypedValue } from "./typed-values.ts";

/** In these the order of the words has a meaning: "taller than Ben". */
export const ORDERED = /\b(?:than|prefers? .+ to|over|before|after|until|from|used to)\b/i;

const HOLDS =
  /^the user (?:now |still |currently )?(?:uses?|has|owns|drives|rides|works with|writes in|codes in|is using|got)\b/i;
const IS = /^(?:the user's|the) [\p{L} -]+? is (?:an? |the )?/iu;
const valueOf = ({ values }: Profile) => values.map(({ key }) => key).join(" ");
/** "My browser is Firefox" and "uses Firefox": one only holds the thing, the other says what it is. */
function isHolding(now: Profile, before: Profile): boolean {
  const [held, said] = HOLDS.test(now.text) ? [now, before] : [before, now];
  if (!HOLDS.test(held.text) || !IS.test(said.text)) return false;
  const isIn = held.topics.every(({ key }) => said.topics.some(one => one.key === key));
  const value = valueOf(now);
  return isIn && said.topics.length - held.topics.length <= 1 && value !== "" && value === valueOf(before);
}

/** Words that add nothing to what is known of a thing. */
const GENERIC = new Set(
  ["citi", "town", "compani", "firm", "countri", "person", "place", "*employer", "format", "kind", "type"], //
);
const HOLDING = new Set(
  ["drive", "own", "ride", "wear", "us", "hold", "head", "lead", "attend", "expir", "serv", "shut", "close"], //
);

/** Whether the two differ in mood, time or what they say of change, so that neither can repeat the other. */
const isOtherMood = (now: Profile, before: Profile): boolean =>
  now.cues.open !== before.cues.open ||
  now.cues.denied !== before.cues.denied ||
  now.cues.past !== before.cues.past ||
  now.cues.aspect !== before.cues.aspect ||
  (now.cues.moved && !before.cues.moved) ||
  (NOWADAYS.test(now.text) && !NOWADAYS.test(before.text));

/** "Lives in London", of who lives in London and Paris: the rest may have ended. */
export const isPart = (now: Profile, before: Profile): boolean =>
  / and /.test(before.text) && !/ and /.test(now.text) && now.values.length < before.values.length;

/** Whether `now` adds nothing to `before`. */
export function isRepetition(now: Profile, before: Profile): boolean {
  if (now.cues.open !== before.cues.open || now.cues.denied !== before.cues.denied) return false;
  if (now.cues.earlier || before.cues.earlier || now.cues.further) return false;
  if (ORDERED.test(now.text) || now.ended.length > 0 || before.ended.length > 0) return false;
  if (isSameOwner(now, before) ? isHolding(now, before) : !(isAboutNamed(now, before) && mentionsUser(now)))
    return isSameOwner(now, before);
  const known = new Set(before.topics.map(({ key }) => key));
  const isKnown = (value: TypedValue) =>
    (value.from === 0 && known.has(value.key)) ||
    before.values.some(one => one.type === value.type && one.key === value.key);
  const isNew = ({ key, isAnchor, at }: Topic) =>
    !known.has(key) &&
    key !== now.owner &&
    !(at === 0 && namesOf(before).includes(key)) &&
    !(GENERIC.has(key) || (!isAnchor && HOLDING.has(key)));
  if (!now.values.every(isKnown) || now.topics.some(isNew)) return false;
  if (isPart(now, before) || isOtherMood(now, before) || hasOtherKind(now, before)) return false;
  // "Mum is in Galway", who lives there.
  const isPlaced =
    now.topics.every(({ key }) => key === now.owner) &&
    before.topics.some(({ key }) => key === "*home" || key === "*employer") &&
    / (?:is|are) (?:in|at) /.test(now.text);
  if (isPlaced) return now.values.some(({ from }) => from > 0);
  const anchors = now.topics.filter(({ isAnchor, key }) => isAnchor && key !== now.owner && known.has(key));
  if (anchors.length > 0 && now.topics.length > 1 && isSameThing(now, before)) return true;
  return anchors.length > 1 || anchors.some(({ key }) => isMatter(key) || now.values.length > 0);
}
