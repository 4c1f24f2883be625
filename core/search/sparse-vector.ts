import { countWords, weightOf } from "./bm25.ts";

/** Words as dimensions; `indices` ascend. A server multiplies each with the word's rarity. */
export interface SparseVector {
  indices: number[];
  values: number[];
}

/** What a text usually has: only relations between lengths matter, so one figure does for all. */
const USUAL_WORDS = 50;

/** A text's side of BM25. */
export function sparseOfText(words: readonly string[]): SparseVector {
  return collect(countWords(words), tf => weightOf(tf, words.length, USUAL_WORDS));
}

/** A question's side: every keyword counts one. */
export function sparseOfKeywords(keywords: readonly string[]): SparseVector {
  return collect(countWords(keywords), () => 1);
}

function collect(counts: Map<string, number>, weigh: (tf: number) => number): SparseVector {
  const byIndex = new Map<number, number>();
  for (const [word, tf] of counts) {
    const index = indexOf(word);
    byIndex.set(index, (byIndex.get(index) ?? 0) + weigh(tf));
  }
  const indices = [...byIndex.keys()].sort((a, b) => a - b);
  return { indices, values: indices.map(index => byIndex.get(index) as number) };
}

/** FNV-1a, 32 bits: two words seldom share a dimension, and where they do, the texts are looked at again. */
function indexOf(word: string): number {
  let hash = 0x811c9dc5;
  for (const char of word) hash = Math.imul(hash ^ (char.codePointAt(0) as number), 0x01000193);
  return hash >>> 0;
}
