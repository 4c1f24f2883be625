// The words of a statement, and those that tie no two statements together.
import { once } from "../../once.ts";
import { COMMON_WORDS } from "../common-words.ts";
import { keyOf } from "../normalise.ts";

export interface Word {
  text: string;
  key: string;
  /** It ends a part of the sentence: a comma or the like follows. */
  isLast: boolean;
}

const LIGHT = `
doing gets gotten goes went come comes came takes taken puts keeps kept gives set sets uses used using onto under
till than per via within between among against although usually often new old current former latest early main
favorite favourite preferred regular month year morning evening night people ones him her change changed switch
switched move moved replace replaced instead longer nowadays started begin began stopped finish finished ended named
actual sadly recently total altogether around mr ms mrs dr herself himself themselves each mostly daily entire
during spring summer autumn winter weekend hour big small large beautiful tiny bigger smaller larger age brand
inside outside away
`;
const light = once(() => new Set([...COMMON_WORDS, ...LIGHT.trim().split(/\s+/)].map(word => keyOf(word) || word)));
/** Whether a word, by its key, ties no statements together: "have", "new", "day". */
export const isLight = (key: string): boolean => light().has(key);

export const PREPOSITION =
  /^(?:in|on|at|to|from|with|by|for|of|until|till|into|onto|as|than|not|instead|rather|within|about|over)$/i;
export const FUNCTION =
  /^(?:the|an?|is|are|was|were|be|been|has|have|had|will|and|or|but|so|because|that|which|who|their|his|her|its|not|no|it|there|user's|user|now|only|then|also|just|still|already|if|when|while|since)$/i;

/** The keys of words, which recur. */
const keys = new Map<string, string>();
const MAX_KEYS = 5_000;
function keyFor(word: string): string {
  const known = keys.get(word);
  if (known !== undefined) return known;
  const key = keyOf(word);
  if (keys.size >= MAX_KEYS) keys.clear();
  if (word.length < 40) keys.set(word, key);
  return key;
}

/** The first sixty words of a statement. */
export function wordsOf(text: string): Word[] {
  const parts = text.match(/[^\s]+/g) ?? [];
  return parts.slice(0, 60).map((part, at) => {
    const word = part.replace(/^["“‘(]+|["”’).,;:!]+$/gu, "");
    return {
      text: word,
      key: keyFor(word),
      isLast: /[,;:!)]$|\.$/.test(part) || /^[–—-]$/.test(parts[at + 1] ?? ""),
    };
  });
}
