// Compares two statements by their matters and values, for wordings that the relations do not read.
import {
  idsOf,
  isAboutNamed,
  isAgent,
  isOfOneTopic,
  isOfOthers,
  isOfSameIds,
  isSameOwner,
  isSameThing,
  isVia,
  sharedTopics,
} from "./compare.ts";
import { isDenial, isDoneToUser, isEndOf, isHandedOver, isLeftPost, namesFormer } from "./ends.ts";
import { isEndedByEvent, isSettled } from "./life-events.ts";
import { hasOtherKind, hasOtherState, hasOtherValue, isOtherFigure, PLACES, PLAIN, TIMES } from "./other-values.ts";
import { INSTRUCTS } from "./outline.ts";
import type { Profile, Topic } from "./profile.ts";
import {
  isElsewhere,
  isNewThing,
  isOtherChoice,
  isOtherPost,
  isShortName,
  isSuccessor,
  isTransfer,
  NOWADAYS,
} from "./replacements.ts";
import { isRepetition } from "./repetition.ts";

/** Whether `now` says that what `before` states is over, by whatever took its place. */
function saysEnded(now: Profile, before: Profile): boolean {
  if (isLeftPost(now, before) || isShortName(now, before)) return true;
  const isOfIt = isSameOwner(now, before) || isAboutNamed(now, before);
  if (now.cues.further) return false;
  if ((isOfIt || isDoneToUser(now, before)) && isEndOf(now, before)) return true;
  return isOfIt && !now.cues.earlier && !isOfOthers(now, before) && isEndedByEvent(now, before);
}

/** "A mouse in the flat" is not about the flat. */
function isBehindPreposition({ words }: Profile, at: number): boolean {
  const before = words.slice(Math.max(0, at - 3), at).map(({ text }) => text);
  return /(?:^| )(?:in|on|at|with|near|for|from|of)(?: (?:the|their|his|her|user's|an?))*$/i.test(before.join(" "));
}

/** Whether `now` speaks of the same thing, and says that it is in another state, or was dealt with. */
function isDealtWith(now: Profile, before: Profile): boolean {
  if (!isSameOwner(now, before)) return false;
  const isIt = (sharedTopics(now, before) ?? []).some(({ at }) => !isBehindPreposition(now, at));
  if (isIt && isOfSameIds(now, before) && isSettled(now.text, before.text)) return true;
  if (before.cues.open || !isSameThing(now, before)) return false;
  const isDenied = now.cues.denied || before.cues.denied;
  return (!isDenied && hasOtherState(now, before)) || isOtherFigure(now, before);
}

/** Whether `now` says in a special way that something took the place of the other. */
function isReplacement(now: Profile, before: Profile): boolean {
  if (isSuccessor(now, before)) return true;
  if (isVia(now, before) && isEndOf(now, before)) return true;
  return (
    isSameOwner(now, before) &&
    (isNewThing(now, before) ||
      isOtherPost(now, before) ||
      isOtherChoice(now, before) ||
      isTransfer(now, before) ||
      namesFormer(now, before) ||
      (!now.cues.brief && isElsewhere(now, before)) ||
      isHandedOver(now, before) ||
      isDenial(now, before))
  );
}

/** Whether `now` gives another value to a matter that both speak of. */
function hasNewValue(now: Profile, before: Profile): boolean {
  const isTheirs = isSameOwner(now, before);
  const isNamed = isAboutNamed(now, before);
  if (!isTheirs && !isNamed && !isVia(now, before) && !isAgent(now, before)) return false;
  // Two events stand side by side.
  if (now.cues.past && before.cues.past && !NOWADAYS.test(now.text)) return false;
  const [a, b] = [idsOf(now), idsOf(before)];
  if (a.length > 0 && b.length > 0 && !a.some(one => b.includes(one))) return false;
  const topics = sharedTopics(now, before);
  if (topics === null) return false;
  const isDenied = now.cues.denied || before.cues.denied;
  if (topics.length === 0 && isTheirs && !isDenied) {
    const isKnown = ({ key }: Topic) => before.topics.some(one => one.key === key);
    const isDeed = ({ at }: Topic) => /ed$/.test(now.words[at]!.text);
    if (now.topics.every(one => isKnown(one) || isDeed(one)) && hasOtherValue(now, before, ["rate"])) return true;
    if (now.topics.every(one => !one.isAnchor || isKnown(one)) && hasOtherValue(now, before, PLAIN)) return true;
  }
  const isOwn = now.owner !== "user" && isTheirs;
  if (topics.length === 0 && !isOwn && !isNamed) return false;
  if (hasOtherState(now, before)) return true;
  if (isDenied || (topics.length === 0 && !isNamed)) return false;
  if (NOWADAYS.test(now.text) && hasOtherValue(now, before, PLACES)) return true;
  return hasOtherValue(now, before, now.cues.brief ? TIMES : undefined) || hasOtherKind(now, before);
}

function isChange(now: Profile, before: Profile): boolean {
  if (now.cues.open || now.cues.stays || before.cues.earlier) return false;
  if (saysEnded(now, before)) return true;
  if (now.cues.further || now.cues.earlier) return false;
  if (isDealtWith(now, before)) return true;
  if (now.cues.aspect && before.cues.aspect && now.cues.aspect !== before.cues.aspect) return false;
  const isTheirs = isSameOwner(now, before);
  // A plan is changed by another time of it.
  if (before.cues.open)
    return now.cues.change && isTheirs && isOfOneTopic(now, before) && hasOtherValue(now, before, TIMES);
  if (isTheirs && INSTRUCTS.test(now.text) && (INSTRUCTS.test(before.text) || isOfOneTopic(now, before)))
    return hasOtherKind(now, before);
  return now.cues.change && (isReplacement(now, before) || hasNewValue(now, before));
}

/** What `now` does to `before`, when both can be read: it replaces it, repeats it, or neither. */
export function aligned(now: Profile, before: Profile): "change" | "same" | null {
  if (isChange(now, before)) return "change";
  return isRepetition(now, before) ? "same" : null;
}
