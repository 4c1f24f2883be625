// The evidence in two statements for and against that the later one replaces or repeats the earlier one.
import { once } from "../../once.ts";
import { idsOf, isAboutNamed, isOfOthers, isSameOwner, sharedTopics } from "../alignment/compare.ts";
import { isEndOf } from "../alignment/ends.ts";
import { isEndedByEvent, isSettled } from "../alignment/life-events.ts";
import { hasOtherKind, hasOtherState, hasOtherValue, TIMES } from "../alignment/other-values.ts";
import type { Cues } from "../alignment/cues.ts";
import type { Content, Reading } from "./reading.ts";
import { COMPARES, haveOtherSides, ONE_TIME } from "./word-lists.ts";

export interface Signals {
  /** Whether a signal is wanted. What takes long to compute is not computed for any other. */
  isWanted: (name: string) => boolean;
  /** Takes one signal. A signal that is absent is not given. */
  take: (name: string, value: number) => void;
}

const FLAGS = ["change", "further", "open", "brief", "earlier", "denied", "past", "moved", "stays"] as const;

/** The number of letters that two words begin with in common. */
function commonStart(a: string, b: string): number {
  let at = 0;
  while (at < a.length && at < b.length && a[at] === b[at]) at++;
  return at;
}

/**
 * Whether two keys are related words: `quilt` and `quilter`. Keys are stems already (embedding/stem.ts), but that
 * stemmer keeps the endings of short words. A common start is enough to weigh as evidence, and too little for a key.
 */
function isRelatedWord(one: string, other: string): boolean {
  if (one === other) return true;
  if (one.length < 4 || other.length < 4 || one[0] !== other[0]) return false;
  const common = commonStart(one, other);
  return (
    common >= 4 &&
    common >= Math.min(one.length, other.length) - 1 &&
    common * 9 >= Math.max(one.length, other.length) * 5
  );
}

/** Whether two words speak of one matter. */
export const isOfOneMatter = (one: Content, other: Content): boolean =>
  (one.family !== undefined && one.family === other.family) || isRelatedWord(one.key, other.key);

/** The words that both have, as they stand in the later one, and the rest of both. */
function match(now: Reading, before: Reading) {
  const shared: (Content & { place: number })[] = [];
  const left: Content[] = [];
  const found = new Set<Content>();
  let alike = 0;
  for (const word of now.content) {
    const other =
      before.content.find(({ key }) => word.key === key) ?? before.content.find(one => isOfOneMatter(word, one));
    if (!other) left.push(word);
    else {
      if (word.key !== other.key) alike++;
      shared.push({ ...word, isName: word.isName || other.isName, place: before.content.indexOf(other) });
      found.add(other);
    }
  }
  return { shared, left, missing: before.content.filter(word => !found.has(word)), alike };
}

const share = (part: number, all: number) => (all === 0 ? 0 : part / all);

/**
 * Passes each signal of two statements to `take`, except the common words of each. Returns false, and passes none, if
 * they share no word.
 */
export function signalsOf(
  now: Reading,
  before: Reading,
  ruled: "change" | "same" | null,
  { isWanted, take }: Signals,
): boolean {
  const { shared, left, missing, alike } = match(now, before);
  if (shared.length === 0) return false;
  const [n, b] = [now.profile, before.profile];
  const set = (name: string, value: number | boolean | (() => number | boolean)) => {
    if (typeof value === "function" && !isWanted(name)) return;
    const found = typeof value === "function" ? value() : value;
    if (found) take(name, Number(found));
  };
  set("bias", 1);
  const names = shared.filter(({ isName }) => isName).length;
  const ofBefore = share(before.content.length - missing.length, before.content.length);
  const ofNow = share(shared.length, now.content.length);
  set("alike", Math.min(alike, 3));
  set("alike only", alike === shared.length);
  set("alike all", alike > 0 && left.length === 0);
  set("names", Math.min(names, 3));
  set("nouns", Math.min(shared.length - names, 4));
  set("named", names > 0);
  set("link2", shared.length > 1);
  set("link3", shared.length > 2);
  set("of before", ofBefore);
  set("of before squared", ofBefore ** 2);
  set("of now", ofNow);
  set("of now squared", ofNow ** 2);
  set("of both", Math.min(ofBefore, ofNow));
  set("left", Math.min(left.length, 8));
  for (const count of [0, 1, 2]) set(`left ${count}`, left.length === count);
  set("left nouns", Math.min(left.filter(({ isVerb, isName }) => !isVerb && !isName).length, 5));
  set("left names", Math.min(left.filter(({ isName }) => isName).length, 3));
  set("missing", Math.min(missing.length, 8));
  set("missing names", Math.min(missing.filter(({ isName }) => isName).length, 3));
  const isFirst = shared.some(({ place }) => place === 0);
  set("first of before", isFirst);
  set("first of now", shared[0] === undefined ? false : shared[0].key === now.content[0]?.key);
  const isSwap = left.length > 0 && left.length <= 2 && missing.length > 0 && missing.length <= 2;
  set("swap", isSwap);
  set("swap one", left.length === 1 && missing.length === 1);
  set("swap names", isSwap && left.some(({ isName }) => isName) && missing.some(({ isName }) => isName));

  const isOwn = isSameOwner(n, b);
  const isNamed = isAboutNamed(n, b);
  set("own", isOwn);
  set("own user", isOwn && n.owner === "user");
  set("about named", isNamed);
  set("of other", !isOwn && !isNamed);
  set("new person", () => [...now.people].some(one => !before.people.has(one)));
  set("lost person", () => [...before.people].some(one => !now.people.has(one)));
  set("same person", () => [...before.people].some(one => now.people.has(one)));
  set("other names", () => isOfOthers(n, b));

  const fresh = [...now.numbers].filter(one => !before.numbers.has(one)).length;
  const same = now.numbers.size - fresh;
  const isOther = fresh > 0 && before.numbers.size > 0 && same === 0;
  set("new number", fresh > 0);
  set("same number", same > 0);
  set("other number", isOther);
  set("other number own", isOther && isOwn);
  set("other number link2", isOther && shared.length > 1);
  set("all numbers", fresh === 0 && same > 0 && same === before.numbers.size);
  set("lost number", before.numbers.size > same);
  set("before counts", before.numbers.size > 0);

  set("other id", () => {
    const [a, z] = [idsOf(n), idsOf(b)];
    return a.length > 0 && z.length > 0 && !a.some(one => z.includes(one));
  });
  set("other side", () => haveOtherSides(now.sides, before.sides));
  set("new side", () => !now.sides.isSubsetOf(before.sides));
  set("one time", () => ONE_TIME.test(n.text));
  set("one time denied", () => n.cues.denied && ONE_TIME.test(n.text));

  const topics = once(() => sharedTopics(n, b));
  const isOfTopic = () => (topics()?.length ?? 0) > 0;
  set("told apart", () => topics() === null);
  set("one topic", isOfTopic);
  set("one topic change", () => n.cues.change && isOfTopic());
  set("one topic number", () => isOther && isOfTopic());
  for (const flag of FLAGS) {
    set(`now ${flag}`, n.cues[flag as keyof Cues] === true);
    set(`before ${flag}`, b.cues[flag as keyof Cues] === true);
  }
  const isDenial = n.cues.denied !== b.cues.denied;
  set("denial", isDenial);
  set("denial of now", isDenial ? ofNow : 0);
  set("denial of before", isDenial ? ofBefore : 0);
  set("past after present", n.cues.past && !b.cues.past);
  set("past after past", n.cues.past && b.cues.past);
  set("ordered", () => COMPARES.test(n.text) && COMPARES.test(b.text));

  const isValue = once(() => hasOtherValue(n, b, TIMES));
  const isKind = once(() => hasOtherKind(n, b));
  set("other value", isValue);
  set("other value of before", () => isValue() && ofBefore);
  set("other name", () => hasOtherValue(n, b, ["name"]));
  set("other kind", isKind);
  set("other kind of before", () => isKind() && ofBefore);
  set("other state", () => hasOtherState(n, b));
  set("event", () => isEndedByEvent(n, b));
  set("settled", () => isSettled(n.text, b.text));
  set("ended", () => isEndOf(n, b));
  set("former", () =>
    n.former.some(value => b.values.some(({ type, key }) => type === value.type && key === value.key)),
  );
  set("rule change", ruled === "change");
  set("rule same", ruled === "same");

  for (const [cue, places] of now.cues) {
    set(`${cue}`, Math.min(places.length, 2));
    set(`${cue} link1`, shared.length === 1);
    set(`${cue} link2`, shared.length > 1);
    set(`${cue} named`, names > 0);
    set(`${cue} own`, isOwn || isNamed);
    set(`${cue} open`, b.cues.open);
    set(`${cue} past`, b.cues.past);
    set(`${cue} of before`, ofBefore);
    set(`${cue} left`, Math.min(left.length, 4));
    set(`${cue} denied`, () =>
      (now.cues.get("deny") ?? []).some(([, end]) => places.some(([at]) => at > end && at - end <= 2)),
    );
    // How far the cue stands from what both speak of.
    const after = once(() =>
      Math.min(...places.flatMap(([, end]) => shared.map(({ at }) => (at > end ? at - end : 99)))),
    );
    const ahead = once(() =>
      Math.min(...places.flatMap(([start]) => shared.map(({ at }) => (at < start ? start - at : 99)))),
    );
    set(`${cue} before it`, () => after() <= 2);
    set(`${cue} soon before it`, () => after() > 2 && after() <= 5);
    set(`${cue} after it`, () => ahead() <= 2);
    set(`${cue} soon after it`, () => ahead() > 2 && ahead() <= 5);
  }
  for (const cue of before.cues.keys()) set(`before ${cue}`, true);
  set("settles open", b.cues.open && now.cues.has("achieved"));
  set("long now", Math.min(n.words.length, 30) / 10);
  set("long before", Math.min(b.words.length, 30) / 10);
  return true;
}
