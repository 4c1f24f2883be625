// What the weighing of evidence knows of one statement.
import { once } from "../../once.ts";
import { isPerson, matterOf, personOf } from "../alignment/concepts.ts";
import type { Profile } from "../alignment/profile.ts";
import { isLight } from "../alignment/words.ts";
import { isFinite, isPast, isVerb } from "../verbs.ts";
import { type CueClass, cuesAt } from "./cue-classes.ts";
import { familyOf } from "./families.ts";
import { sidesIn } from "./word-lists.ts";

export interface Content {
  key: string;
  family: number | undefined;
  at: number;
  isName: boolean;
  isVerb: boolean;
}

export interface Reading {
  profile: Profile;
  /** Its words with a meaning of their own, each once. */
  content: Content[];
  readonly numbers: ReadonlySet<string>;
  readonly people: ReadonlySet<string>;
  /** The words that tell one of several like things from the others. */
  readonly sides: ReadonlySet<string>;
  readonly cues: Map<CueClass, [number, number][]>;
  /** All its words as they stand, in lower case. */
  readonly words: ReadonlySet<string>;
}

const expanded = (_: string, year: string) => (Number(year) > 40 ? `19${year}` : `20${year}`);
const TITLE = /^(?:mr|ms|mrs|dr)$/;

const readings = new WeakMap<Profile, Reading>();

/** Whether a word is a form of a known verb: learn, learned, learning. */
const isVerbal = (word: string) =>
  isVerb(word) || isFinite(word) || (/ing$/.test(word) && ["", "e"].some(end => isVerb(word.replace(/ing$/, end))));

function contentOf({ words, owner }: Profile): Content[] {
  const found: Content[] = [];
  const seen = new Set<string>();
  for (const [at, word] of words.entries()) {
    const isName = /^\p{Lu}/u.test(word.text) && word.text !== "I" && (at > 0 || word.key === owner);
    for (const part of word.key.split(" ")) {
      if (
        part === "" ||
        part === "user" ||
        !/[\p{L}\p{N}]/u.test(part) ||
        (isLight(part) && (!isName || TITLE.test(part)))
      )
        continue;
      const key = matterOf(part);
      if (seen.has(key)) continue;
      seen.add(key);
      const lower = word.text.toLowerCase();
      found.push({ key, family: familyOf(part), at, isName, isVerb: !isName && isVerbal(lower) });
    }
  }
  return found;
}

/** Whether a word is common enough to be a signal of its own. */
export const isCommon = (word: string): boolean => isLight(word) || isVerb(word) || isPast(word) || isFinite(word);

const numbersIn = (text: string) =>
  new Set(
    Array.from(text.replace(/['’](\d\d)\b(?! ?cm)/g, expanded).matchAll(/\d[\d.,:]*/g), ([number]) =>
      number.replace(/[.,:]+$|:00$/g, ""),
    ),
  );

/** Reads a statement once. */
export function readingOf(profile: Profile): Reading {
  const known = readings.get(profile);
  if (known) return known;
  const { text } = profile;
  const content = contentOf(profile);
  // Most statements share no word, so that the rest of them is never read.
  const numbers = once(() => numbersIn(text));
  const people = once(() => new Set(content.flatMap(({ key }) => (isPerson(key) ? [personOf(key)] : []))));
  const sides = once(() => sidesIn(text));
  const cues = once(() =>
    cuesAt(
      text,
      Array.from(text.matchAll(/\S+/g), ({ index }) => index),
    ),
  );
  const words = once(() => new Set(text.toLowerCase().match(/[a-z']+/g)));
  const made: Reading = {
    profile,
    content,
    get numbers() {
      return numbers();
    },
    get people() {
      return people();
    },
    get sides() {
      return sides();
    },
    get cues() {
      return cues();
    },
    get words() {
      return words();
    },
  };
  readings.set(profile, made);
  return made;
}
