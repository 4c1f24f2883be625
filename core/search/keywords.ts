import { STOP_WORDS } from "./stop-words.ts";
import { tokenise } from "./tokenise.ts";

/** Of one question; the first ones count. */
export const MAX_KEYWORDS = 16;

/** What a question is looked up by: its words without those that say nothing, unless it has no others. Each once. */
export function keywordsOf(question: string): string[] {
  const all = [...new Set(tokenise(question))];
  const telling = all.filter(word => !STOP_WORDS.has(word));
  return (telling.length > 0 ? telling : all).slice(0, MAX_KEYWORDS);
}

/** The keywords match a text that holds at least half of them. */
export const neededOf = (keywords: number): number => Math.max(1, Math.ceil(keywords / 2));

/** `words` are a text's, as `tokenise` gives them. */
export function keywordsMatch(keywords: readonly string[], words: Iterable<string>): boolean {
  if (keywords.length === 0) return false;
  const held = words instanceof Set ? (words as Set<string>) : new Set(words);
  return keywords.filter(word => held.has(word)).length >= neededOf(keywords.length);
}
