// Okapi BM25 as Robertson and Zaragoza define it ("The Probabilistic Relevance Framework", 2009), with the usual
// constants.
export const K1 = 1.2;
export const B = 0.75;

/**
 * The weight of a word that occurs `tf` times in a text of `length` words, without its rarity. `usual` is the mean
 * length of a text.
 */
export const weightOf = (tf: number, length: number, usual: number): number =>
  (tf * (K1 + 1)) / (tf + K1 * (1 - B + (B * length) / Math.max(1, usual)));

/** The rarity of a word that `holding` of `total` texts contain. It is never negative. */
export const rarityOf = (holding: number, total: number): number =>
  Math.log(1 + (Math.max(0, total - holding) + 0.5) / (holding + 0.5));

export function countWords(words: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
}

/**
 * The BM25 score of each of these texts, with statistics of only these texts; 0 for a text without any keyword. `words`
 * come from `tokenise`.
 */
export function bm25Among(keywords: readonly string[], texts: readonly (readonly string[])[]): number[] {
  const counted = texts.map(countWords);
  const usual = texts.reduce((sum, words) => sum + words.length, 0) / Math.max(1, texts.length);
  const rarity = keywords.map(word => rarityOf(counted.filter(counts => counts.has(word)).length, texts.length));
  return counted.map((counts, place) =>
    keywords.reduce((sum, word, at) => {
      const tf = counts.get(word);
      return tf ? sum + (rarity[at] ?? 0) * weightOf(tf, texts[place]?.length ?? 0, usual) : sum;
    }, 0),
  );
}
