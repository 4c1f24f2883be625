// The words of a statement, and those that tie no two statements together.
import { once } from "../../once.ts";
import { keyOf } from "../normalise.ts";

export interface Word {
  text: string;
  key: string;
  /** It ends a part of the sentence: a comma or the like follows. */
  isLast: boolean;
}

const LIGHT = `
user be is are am been was were has have had do does did done doing get gets got gotten go goes going went come
comes came take takes took taken taking make makes made put puts can could will would shall keep keeps kept give
gives gave let lets say says said see set sets use uses used using who that which what where when there here it in
on at with by for of to as about from into onto up down out off over under until till than like per a via within
between among through against and or but so because if while although though not no never only just already always
usually often ever very really quite too also still yet now new old current previous former latest own same such
first last next early late best good main usual favorite favourite preferred regular everything something anything
thing stuff way lot bit time day week month year today yesterday tomorrow morning evening night people one ones they
them he she him her we i you me us change changed switch switched move moved replace replaced instead longer any
more again back since these days nowadays start started begin began stop stopped finish finished end ended named
actual actually finally sadly recently total altogether around please hello yes mr ms mrs dr herself himself
themselves every each given gone mostly daily whole entire after before during spring summer autumn winter weekend
hour minute big small little large nice lovely beautiful huge tiny bigger smaller larger age brand inside outside
away
`;
const light = once(
  () =>
    new Set(
      LIGHT.trim()
        .split(/\s+/)
        .map(word => keyOf(word) || word),
    ),
);
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
