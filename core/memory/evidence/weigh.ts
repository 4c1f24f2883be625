// Weighs the evidence that one statement replaces or repeats another.
import { once } from "../../once.ts";
import { aligned } from "../alignment/align.ts";
import { mentionsUser } from "../alignment/compare.ts";
import { isMatter } from "../alignment/concepts.ts";
import { hasOtherKind } from "../alignment/other-values.ts";
import { isPart, ORDERED } from "../alignment/repetition.ts";
import type { Profile } from "../alignment/profile.ts";
import { type Content, type Reading, readingOf } from "./reading.ts";
import { isOfOneMatter, signalsOf } from "./signals.ts";
import { WEIGHTS } from "./weights.ts";
import { FOR_NOW, isGeneralVerb, isOfOtherSide, TASTE } from "./word-lists.ts";

/** Above these sums the evidence decides by itself. */
const REPLACES = 2.8;
const REPEATS = 1.7;
/** The same where only one of the two denies something. */
const REPEATS_DENIED = 3.5;
/** The share of its words that a short repetition may have of its own, and how many words a short one has. */
const MAX_NEW = 0.45;
const SHORT = 3;
/** What the rules say needs at least this much. */
const SUPPORTS_CHANGE = 0.3;
const MARGIN = 0.5;
const SUPPORTS_SAME = -1;

/** For a change, and for a repetition. */
type Weight = readonly [number, number];

/** The weight of each signal by its name, and of each common word in the later and in the earlier statement. */
const weights = once(() => {
  const signals = new Map<string, Weight>();
  const says = { now: new Map<string, Weight>(), before: new Map<string, Weight>() };
  for (const row of WEIGHTS.trim().split(/\s*[|\n]\s*/)) {
    const [, name = "", change, same] = /^(.+) (\S+) (\S+)$/.exec(row) ?? [];
    const weight = [Number(change), Number(same)] as const;
    const [, which, word = ""] = /^(now|before) says (.+)$/.exec(name) ?? [];
    if (which === "now" || which === "before") says[which].set(word, weight);
    else if (name) signals.set(name, weight);
  }
  return { signals, says };
});

/** Whether `before` may be out of date at all: what happened stays so, and so do two sides of one kind. */
const mayEnd = (now: Profile, before: Profile): boolean =>
  !now.cues.stays &&
  !FOR_NOW.test(now.text) &&
  !(before.cues.past && !before.cues.open) &&
  !isOfOtherSide(now.text, before.text);

const says = ({ profile, content }: Reading, owner: string): boolean =>
  owner === "user" ? mentionsUser(profile) : content.some(({ key }) => key === owner);

/** "Anna helped me", after "I helped Anna". */
function isReversed(now: Reading, before: Reading): boolean {
  const [owner, other] = [now.profile.owner, before.profile.owner];
  if (owner === other || !says(now, other) || !says(before, owner)) return false;
  if (ORDERED.test(now.profile.text) && ORDERED.test(before.profile.text)) return true;
  const verbs = new Set(before.content.flatMap(({ key, isVerb }) => (isVerb ? [key] : [])));
  return now.content.some(({ key, isVerb }) => isVerb && verbs.has(key));
}

/** With more nouns than these, two statements that share their words may say one thing with different verbs. */
const FEW_NOUNS = 2;

/**
 * Whether the verb of one short statement says what the other does not say: "I own a lighthouse" does not repeat "I
 * painted a lighthouse".
 */
function hasOtherVerb(now: Reading, before: Reading): boolean {
  // A noun of both says nothing of a verb: "reads novels" is not "writes novels", though reading and novels are of one
  // family.
  const says = ({ content }: Reading, verb: Content, { content: own }: Reading) =>
    content.some(
      word => isOfOneMatter(verb, word) && (word.isVerb || !own.some(({ key, isVerb }) => !isVerb && key === word.key)),
    );
  const own = (one: Reading, other: Reading) =>
    one.content.filter(word => word.isVerb && !isGeneralVerb(word.key) && !says(other, word, one));
  if (now.content.filter(({ isVerb }) => !isVerb).length > FEW_NOUNS) return false;
  if (TASTE.test(now.profile.text) !== TASTE.test(before.profile.text)) return true;
  const verbs = now.content.filter(({ key, isVerb }) => isVerb && !isGeneralVerb(key));
  return own(now, before).length > 0 || (verbs.length === 0 && own(before, now).length > 0);
}

/** Whether `now` may repeat `before`: it has no number of its own, and if it is short, few words. */
function mayRepeat(now: Reading, before: Reading): boolean {
  if (!now.numbers.isSubsetOf(before.numbers)) return false;
  const left = now.content.filter(word => !before.content.some(other => isOfOneMatter(word, other)));
  return (
    (left.length <= now.content.length * MAX_NEW || now.content.length > SHORT) &&
    !hasOtherVerb(now, before) &&
    !isPart(now.profile, before.profile) &&
    !hasOtherKind(now.profile, before.profile) &&
    !isReversed(now, before)
  );
}

/** Whether both speak of one thing. A verb alone ties no statements together. */
const isTied = (now: Reading, before: Reading): boolean =>
  now.content.some(word => !word.isVerb && before.content.some(other => !other.isVerb && isOfOneMatter(word, other)));

/** The sums of the evidence for a change and for a repetition. */
export function scores(now: Profile, before: Profile, ruled = aligned(now, before)) {
  let change = 0;
  let same = 0;
  const { signals, says } = weights();
  const add = (weight: Weight | undefined, value = 1) => {
    if (!weight) return;
    change += weight[0] * value;
    same += weight[1] * value;
  };
  const [later, earlier] = [readingOf(now), readingOf(before)];
  const isRelated = signalsOf(later, earlier, ruled, {
    isWanted: name => signals.has(name),
    take: (name, value) => add(signals.get(name), value),
  });
  if (isRelated) {
    for (const word of later.words) add(says.now.get(word));
    for (const word of earlier.words) add(says.before.get(word));
  }
  return { isRelated, change, same };
}

/** "The invoices go to Aix" says nothing of the deliveries. */
function isOtherMatter(now: Reading, before: Reading): boolean {
  const first = ({ content }: Reading) => content.find(({ isName }) => !isName);
  const [a, b] = [first(now), first(before)];
  if (!a || !b || !isMatter(a.key) || !isMatter(b.key) || a.isVerb || b.isVerb) return false;
  return !before.content.some(word => isOfOneMatter(a, word)) && !now.content.some(word => isOfOneMatter(b, word));
}

/** What `now` does to `before`: it replaces it, repeats it, or neither. */
export function weighed(now: Profile, before: Profile): "change" | "same" | null {
  const ruled = aligned(now, before);
  const { isRelated, change, same } = scores(now, before, ruled);
  if (!isRelated) return ruled;
  if (ruled === "change") {
    const isBacked = change > SUPPORTS_CHANGE && change > same + MARGIN;
    return isBacked && mayEnd(now, before) && !isOtherMatter(readingOf(now), readingOf(before)) ? ruled : null;
  }
  if (ruled === "same") return same > SUPPORTS_SAME && !hasOtherVerb(readingOf(now), readingOf(before)) ? ruled : null;
  if (change > REPLACES && change > same && isTied(readingOf(now), readingOf(before)) && mayEnd(now, before))
    return "change";
  const least = now.cues.denied === before.cues.denied ? REPEATS : REPEATS_DENIED;
  return same > least && same > change && mayRepeat(readingOf(now), readingOf(before)) ? "same" : null;
}
