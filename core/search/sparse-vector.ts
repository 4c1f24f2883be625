import { countWords, weightOf } from "./bm25.ts";

/** A vector with words as dimensions. `indices` ascend. The server multiplies each value by the word's rarity. */
export interface SparseVector {
  indices: number[];
  values: number[];
}

/** The assumed length of a usual text. Only ratios of lengths matter, so one figure is enough. */
const USUAL_WORDS = 50;

/** The text's factor of BM25. */
export function sparseOfText(words: readonly string[]): SparseVector {
  return collect(countWords(words), tf => weightOf(tf, words.length, USUAL_WORDS));
}

/** The question's factor of BM25: every keyword counts one. */
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

/** FNV-1a, 32 bits. Two words rarely share a dimension, and the later check of the texts then corrects the match. */
function indexOf(word: string): number {
  let hash = 0x811c9dc5;
  for (const char of word) hash = Math.imul(hash ^ (char.codePointAt(0) as number), 0x01000193);
  return hash >>> 0;
}
