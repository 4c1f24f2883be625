// What a statement is about, read quickly: by it, a statement finds the few of many that it may concern.
import { once } from "../../once.ts";
import { expandContractions } from "../spoken.ts";
import { inFigures } from "../values.ts";
import { alternativesOf } from "./alternatives.ts";
import { isOccupation, matterOf } from "./concepts.ts";
import { lifeEventsIn, lifeStatesIn } from "./life-events.ts";
import { inOneWord } from "./phrases.ts";
import { fromSubject, inActive } from "./word-order.ts";
import { isLight, type Word, wordsOf } from "./words.ts";

export interface Outline {
  /** The statement in the wording that is compared. */
  text: string;
  words: Word[];
  /** The statement can only concern others of which one sign is among those that it seeks. */
  signs: ReadonlySet<string>;
  seeks: ReadonlySet<string>;
}

export const INSTRUCTS =
  /^(?:please |always |never |you can |you may |don't |do not )?(?:keep|use|write|answer|be|speak|reply|give|make|call|format|include|avoid|talk|send|deliver|provide|show|list)\b/i;
export const CALLS = /\bcalls? the user (\p{Lu}\p{Ll}+)/u;
export const IS_FINE = /^(\p{Lu}\p{Ll}+) is (?:just |quite |totally )?(?:fine|ok|okay|enough|good)$/u;
export const BELONGS =
  /\b(?:goes to|attends|is at|plays for|studies at|enrolled at|trains at|belongs to|works (?:at|for)|banks with) \p{Lu}/u;
export const TRANSFERS = /\b(?:transferred|switched|changed|moved over|moved schools) to (?:the )?\p{Lu}/u;
export const IS_IN = / (?:is|are|has been|have been) (?:now |back |all )*in \p{Lu}/u;

/** Values that a person has one of, so that no common word is needed. */
const ONE_OF_A_TYPE: readonly (readonly [string, RegExp])[] = [
  ["email", /\S@\S+\.\p{L}/u],
  ["phone", /\d[\d ()/-]{4,}\d/],
  ["version", /\d\.\d/],
  ["rate", /\b(?:an?|per|each|every) (?:day|week|month|year|hour)\b/i],
];
/** Signs that only the earlier statement has, and only the later one seeks. */
const SPECIAL: readonly (readonly [string, RegExp, RegExp])[] = [
  ["name", CALLS, IS_FINE],
  ["membership", BELONGS, TRANSFERS],
];

/** Hours in words, "nine thirty", after their numbers became figures. */
const HOURS = /\b(\d{1,2}) (15|30|45)(?! ?(?:min|km|kg|%|[a-z]))/g;
/** Without one of these, a statement has no numbers, units or times to write in one form. */
const COUNTED =
  /\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\w+teen|\w+ty|noon|midnight|twice|thrice|once|fortnight|first|second|third|fourth|fifth|\w+th)\b/i;
const figures = (text: string) => (COUNTED.test(text) ? inFigures(text).replace(HOURS, "$1:$2") : text);
const inWording = (content: string) =>
  inActive(fromSubject(figures(inOneWord(expandContractions(content.replaceAll("’", "'")))).replace(/[.!\s]+$/, "")));

/** The signs of a word. They are the same each time, and words recur. */
const signsOfWords = once(() => new Map<string, readonly string[]>());
const MAX_WORDS = 5_000;
function signsOfWord(key: string): readonly string[] {
  const known = signsOfWords();
  const found = known.get(key);
  if (found) return found;
  const made = isLight(key) ? [] : [matterOf(key)];
  made.push(...alternativesOf(key), ...(isOccupation(key) ? ["post"] : []));
  if (known.size >= MAX_WORDS) known.clear();
  known.set(key, made);
  return made;
}

/** Linear in the length of the statement. Null for one of more than 400 characters, which is not compared. */
export function outlineOf(content: string): Outline | null {
  if (content.length > 400) return null;
  const text = inWording(content);
  const words = wordsOf(text);
  const signs = new Set<string>();
  for (const { key } of words) for (const one of key.split(" ")) for (const sign of signsOfWord(one)) signs.add(sign);
  for (const [type, pattern] of ONE_OF_A_TYPE) if (pattern.test(text)) signs.add(`type ${type}`);
  if (INSTRUCTS.test(text)) signs.add("instruction");
  signs.delete("");
  signs.delete("user");
  const seeks = new Set(signs);
  for (const at of lifeStatesIn(text)) signs.add(`life ${at}`);
  for (const at of lifeEventsIn(text)) seeks.add(`life ${at}`);
  for (const [sign, before, now] of SPECIAL) {
    if (before.test(text)) signs.add(sign);
    if (now.test(text)) seeks.add(sign);
  }
  if (IS_IN.test(text)) seeks.add("*home");
  return { text, words, signs, seeks };
}

/** Whether a statement may concern an earlier one. */
export function mayConcern(now: Outline, before: Outline): boolean {
  for (const sign of now.seeks) if (before.signs.has(sign)) return true;
  return false;
}
