import { inNormalForm } from "../normal-form.ts";
import { stem } from "./stem.ts";

/** The characters of a text that are indexed. Keywords do not match the rest. */
const MAX_CHARS = 100_000;
export const MAX_TOKENS = 20_000;
const MAX_TOKEN_CHARS = 64;

const RUN = /[\p{L}\p{N}\p{M}]+/gu;
/** Scripts without spaces between words. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}]/u;
const UNSPACED_RUN =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}ー]+|[^\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}ー]+/gu;

/**
 * The words of a text as the index stores them, in order, with repeats: lower case, without diacritics, stemmed.
 * Scripts without spaces give pairs of characters. Words consist only of letters and digits, so they need no escaping.
 */
export function tokenise(text: string): string[] {
  const tokens: string[] = [];
  for (const [run] of fold(text.slice(0, MAX_CHARS)).matchAll(RUN)) {
    for (const token of UNSPACED.test(run) ? unspaced(run) : [stem(run)]) {
      tokens.push(clip(token));
      if (tokens.length === MAX_TOKENS) return tokens;
    }
  }
  return tokens;
}

/** Marks in scripts that can be read without them. In other scripts such marks are vowels. */
const MARKS = /[\u0300-\u036f\u0591-\u05c7\u064b-\u065f\u0670]/g;

/** Converts to upper case first, because lower case alone keeps variants of letters such as ẞ apart. */
function fold(text: string): string {
  const inOneCase = inNormalForm(text.toWellFormed(), "NFKD").toUpperCase().toLowerCase();
  return inNormalForm(inNormalForm(inOneCase, "NFKD").replace(MARKS, ""), "NFC");
}

function* unspaced(run: string): Generator<string> {
  for (const [part] of run.matchAll(UNSPACED_RUN)) {
    if (!UNSPACED.test(part)) yield stem(part);
    else {
      const chars = [...part];
      if (chars.length === 1) yield part;
      for (let at = 0; at + 1 < chars.length; at++) yield `${chars[at]}${chars[at + 1]}`;
    }
  }
}

/** Cuts between characters, never inside one. */
const clip = (token: string): string =>
  token.length <= MAX_TOKEN_CHARS
    ? token
    : [...token.slice(0, MAX_TOKEN_CHARS)].join("").toWellFormed().replace("\ufffd", "");
