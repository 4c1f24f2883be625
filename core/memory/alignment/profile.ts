// A statement as the alignment of two statements sees it: whose it is, its matters, its values, and what it says of change.
import { keyOf } from "../normalise.ts";
import { isFinite, isVerb } from "../verbs.ts";
import { isMatter, isPerson, matterOf, statesOf } from "./concepts.ts";
import { type Cues, cuesIn, endedIn, saysLeft } from "./cues.ts";
import { NO_PERSON, ownerOf } from "./owner.ts";
import type { Outline } from "./outline.ts";
import { type TypedValue, valuesIn } from "./typed-values.ts";
import { FUNCTION, isLight, PREPOSITION, type Word } from "./words.ts";

export interface Topic {
  key: string;
  /** The words that tell it from others of its kind: `dentist` of "dentist appointment". */
  marks: string[];
  /** A noun, or a word of a matter; verbs such as "play" tie no statements together. */
  isAnchor: boolean;
  /** It tells what another noun is about: `mobile` of "mobile contract", `server` of "the server's clock". */
  isMark: boolean;
  at: number;
}

export interface Profile extends Outline {
  /** `user`, or the key of another person or of a name that begins the statement. */
  owner: string;
  /** How many words name the owner. */
  length: number;
  topics: Topic[];
  /** Values that hold. */
  values: TypedValue[];
  /** Values that hold no more: "from Leeds", "not Monday". */
  former: TypedValue[];
  states: { group: number; state: number }[];
  cues: Cues;
  /** The keys of each thing that has ended. */
  ended: string[][];
  isLeaving: boolean;
  /** The keys of all words. */
  keys: ReadonlySet<string>;
  /** The same, each as its matter or the word that stands for its synonyms. */
  matters: ReadonlySet<string>;
}

const FORMER = /^(?:from|than|not|replaces|replacing|succeeds|succeeding)$/i;

/** "Dr Patel is the user's cardiologist": it is about the user. */
const IS_OURS = /^(?:is|are|was) (?:now )?(?:the user's|their) /i;

/** The words before a noun, and after "of" or "for", that say which one it is. */
function marksOf(words: readonly Word[], at: number, taken: ReadonlySet<number>): string[] {
  const found: string[] = [];
  const keep = (word: Word) => {
    if (word.key && !isLight(word.key) && !/(?:ed|ly|-bedroom)$|^\d/.test(word.text)) found.push(word.key);
  };
  for (let left = at - 1; left >= 0 && left > at - 4; left--) {
    const word = words[left]!;
    if (word.isLast || FUNCTION.test(word.text) || PREPOSITION.test(word.text)) break;
    // "The Hamburg office".
    if (taken.has(left)) {
      if (/^\p{Lu}/u.test(word.text) && !isVerb(words[at]!.text.toLowerCase())) keep(word);
      break;
    }
    const isBare = !/^(?:the|user's|their|his|her|its|our|my|an?)$/i.test(words[left - 1]?.text ?? "");
    if (isBare && isVerb(word.text.toLowerCase()) && !/ing$/.test(word.text)) break;
    keep(word);
  }
  const after = words[at + 1];
  if (after && !words[at]!.isLast && /^(?:of|for)$/i.test(after.text))
    for (let right = at + 2; right < Math.min(words.length, at + 6); right++) {
      const word = words[right]!;
      if (taken.has(right) || /^(?:is|are|was|were|has|have|now|to|in|on|at|from|went|until)$/i.test(word.text)) break;
      if (!FUNCTION.test(word.text)) keep(word);
      if (word.isLast) break;
    }
  return found;
}

/** After these words a noun keeps its own meaning: an internet provider is the internet's. */
const NO_HEAD =
  /^(?:provider|plan|contract|team|subscription|supplier|service|address|line|tariff|class|lessons?|sessions?|course|forward|back|up|out|over|away|alone|together)$/i;
const REPLACED =
  /\b(?:replaced|swapped|traded|ditched|dropped|exchanged) (?:the |their |his |her |the user's )?(.+?) (?:for|with|by)\b/i;

function isFormer(words: readonly Word[], { from }: TypedValue): boolean {
  for (let at = from - 1; at >= 0 && at > from - 4; at--) {
    const { text, isLast } = words[at]!;
    if (FORMER.test(text)) return true;
    if (/^of$/i.test(text) && /^(?:instead|out)$/i.test(words[at - 1]?.text ?? "")) return true;
    if (isLast || (PREPOSITION.test(text) && !/^(?:at|in|on|for|to)$/i.test(text))) return false;
    if (/^to$/i.test(text) || isVerb(text.toLowerCase())) return false;
  }
  return false;
}

/** Reads the statement that an outline is of. */
export function profileOf(content: string, outline: Outline): Profile {
  const { text, words } = outline;
  const all = valuesIn(words);
  const { owner: first, length } = ownerOf(words, all);
  const isOurs = IS_OURS.test(
    words
      .slice(length, length + 4)
      .map(word => word.text)
      .join(" "),
  );
  const owner = isOurs ? "user" : first;
  const isThing = first === "user" && length === 1;
  const taken = new Set(all.flatMap(({ from, to }) => Array.from({ length: to - from }, (_, at) => from + at)));
  const replaced = REPLACED.exec(text)?.[1];
  // "Basic to Pro".
  const isLeft = ({ type, to }: TypedValue) =>
    (type === "name" || type === "code") &&
    /^(?:to|→|->)$/.test(words[to]?.text ?? "") &&
    all.some(one => one.type === type && one.from === to + 1) &&
    /(?:upgrad|chang|mov|switch|migrat|transfer|downgrad)\w*\b/i.test(text);
  const old = (value: TypedValue) =>
    isFormer(words, value) || isLeft(value) || (replaced !== undefined && keyOf(replaced).includes(value.key));
  const topics: Topic[] = [];
  const states: Profile["states"] = [];
  for (const [at, word] of words.entries()) {
    // The first word has a capital whatever it is.
    if (!word.key || (taken.has(at) && at > 0 && !isPerson(word.key))) continue;
    const before = words[at - 1]?.text ?? "";
    const isPredicate =
      /^(?:is|are|was|were|be|been|got|turned|became|become|now|fully|all|back|to|still|not|stays|went)$/i.test(before);
    const isParticle = /^(?:on|off|up|down|live|done|well|fine|better|free)$/i.test(word.text);
    const isAtEnd = at === words.length - 1 || /^(?:again|now|since|after)$/i.test(words[at + 1]!.text);
    if (at > 0 && (isParticle ? isAtEnd : isPredicate || statesOf(word.key).length > 0))
      states.push(...statesOf(word.key));
    if ((isLight(word.key) && !/^longer$/i.test(word.text)) || /^called$|n't$/i.test(word.text)) continue;
    const isOfThing = NO_PERSON.test(before) && isPerson(word.key);
    const key = isOfThing ? `${keyOf(before)} ${word.key}` : matterOf(word.key);
    const lower = word.text.toLowerCase();
    const isNamed = /^(?:the|an?|user's|their)$/i.test(before) || /^(?:the|user's)$/i.test(words[at - 2]?.text ?? "");
    const isAnchor =
      isMatter(key) ||
      at < length ||
      (isNamed && at < length + 2 && !/^the user /i.test(text)) ||
      (!isVerb(lower) && !/(?:ed|ly)$/.test(lower));
    // "At home" and "at work" only say where.
    if (/^(?:home|work)$/i.test(lower) && /^(?:at|from|to|for)$/i.test(before)) continue;
    const next = words[at + 1];
    const isNoun =
      !word.isLast &&
      next !== undefined &&
      next.key !== "" &&
      /^\p{Ll}{3,}$/u.test(next.text) &&
      !isLight(next.key) &&
      !taken.has(at + 1) &&
      !NO_HEAD.test(next.text);
    const isOther = isNoun && !FUNCTION.test(next.text) && !PREPOSITION.test(next.text) && !isVerb(next.text);
    const isMark =
      /'s$/.test(word.text) || (isOther && !isFinite(next.text) && !/(?:ed|ly|ing)$/.test(next.text) && !isVerb(lower));
    topics.push({ key, marks: marksOf(words, at, taken), isAnchor, isMark, at });
  }
  const ended = endedIn(text)
    .map(what =>
      keyOf(what)
        .split(" ")
        .filter(key => key && !isLight(key)),
    )
    .filter(({ length: count }) => count > 0);
  const values = all.filter(
    value => !old(value) && !(isThing && value.from === 0 && value.type === "name" && value.to <= length),
  );
  const keys = new Set([...words, ...topics, ...values].flatMap(({ key }) => key.split(" ")).filter(Boolean));
  return {
    ...outline,
    owner,
    length,
    topics,
    values,
    former: all.filter(old),
    states,
    cues: cuesIn(content),
    ended,
    isLeaving: saysLeft(text),
    keys,
    matters: new Set([...keys].map(matterOf)),
  };
}
