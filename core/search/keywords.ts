import { STOP_WORDS } from "./stop-words.ts";
import { tokenise } from "./tokenise.ts";

/** The most keywords of a question. Later words are ignored. */
export const MAX_KEYWORDS = 16;

/** The keywords of a question: its distinct words without stop words, unless it has no others. */
export function keywordsOf(question: string): string[] {
  const all = [...new Set(tokenise(question))];
  const telling = all.filter(word => !STOP_WORDS.has(word));
  return (telling.length > 0 ? telling : all).slice(0, MAX_KEYWORDS);
}

/** A text matches when it contains at least half of the keywords. */
export const neededOf = (keywords: number): number => Math.max(1, Math.ceil(keywords / 2));

/** `words` are the words of a text, from `tokenise`. */
export function keywordsMatch(keywords: readonly string[], words: Iterable<string>): boolean {
  if (keywords.length === 0) return false;
  const held = words instanceof Set ? (words as Set<string>) : new Set(words);
  return keywords.filter(word => held.has(word)).length >= neededOf(keywords.length);
}
