import { stem } from "./stem.ts";
import { embeddingTokens, isFunctionWord } from "./tokens.ts";

export const HASH_DIMENSIONS = 1_024;
/** Changes whenever the same text would get another vector, so that indexes are rebuilt. */
export const HASH_EMBEDDING_ID = "built-in/hashed-words-1";

/** The characters of a text that count. The bound limits how long one text can hold a thread. */
const MAX_CHARS = 20_000;
const MAX_STEMS = 20_000;

const WEIGHT = { functionWord: 0.12, bigram: 0.5, subwords: 1 };
const SEED = { word: 0x811c9dc5, bigram: 0x2f0b4c47, subword: 0x5bd1e995 };
const GRAMS = [3, 4] as const;
const EDGE = 0x5f;

const stems = new Map<string, string>();

function stemOf(word: string): string {
  const known = stems.get(word);
  if (known !== undefined) return known;
  if (stems.size >= MAX_STEMS) stems.clear();
  const found = stem(word);
  stems.set(word, found);
  return found;
}

/** FNV-1a over the code units of a text. */
function hash(text: string, seed: number): number {
  let h = seed;
  for (let at = 0; at < text.length; at++) h = Math.imul(h ^ text.charCodeAt(at), 0x01000193);
  return h;
}

/** The finalizer of MurmurHash3 (public domain, A. Appleby). The lowest and highest bits then depend on all bits. */
function mixed(hashed: number): number {
  let h = hashed;
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 0;
}

type Features = Map<number, number>;

const add = (features: Features, feature: number, weight: number) =>
  features.set(feature, (features.get(feature) ?? 0) + weight);

/**
 * Adds the character n-grams of a word, with its edges. They match words that are spelt, inflected or compounded
 * differently.
 */
function addSubwords(features: Features, word: string): void {
  const code = (at: number) => (at < 0 || at >= word.length ? EDGE : word.charCodeAt(at));
  const count = Math.max(1, 2 * word.length - 1);
  const weight = WEIGHT.subwords / Math.sqrt(count);
  for (const size of GRAMS) {
    for (let from = -1; from + size <= word.length + 1; from++) {
      let h: number = SEED.subword + size;
      for (let at = from; at < from + size; at++) h = Math.imul(h ^ code(at), 0x01000193);
      add(features, h, weight);
    }
  }
}

function featuresOf(text: string): Features {
  const features: Features = new Map();
  let previous: string | undefined;
  for (const word of embeddingTokens(text.slice(0, MAX_CHARS))) {
    const isFunction = isFunctionWord(word);
    const root = stemOf(word);
    add(features, hash(root, SEED.word), isFunction ? WEIGHT.functionWord : 1);
    if (isFunction) continue;
    addSubwords(features, word);
    if (previous !== undefined) add(features, hash(root, hash(previous, SEED.bigram)), WEIGHT.bigram);
    previous = root;
  }
  return features;
}

/**
 * A text as a vector of length 1, or of length 0 for a text without words. The same text always has the same vector. It
 * consists of signed hashes of stems, pairs of stems and character n-grams, each with the logarithm of its weight. It
 * compares words, not meanings. After Weinberger et al., "Feature Hashing for Large Scale Multitask Learning", ICML
 * 2009.
 */
export function hashEmbedding(text: string): Float32Array {
  const vector = new Float32Array(HASH_DIMENSIONS);
  for (const [feature, weight] of featuresOf(text)) {
    const h = mixed(feature);
    const at = h % HASH_DIMENSIONS;
    vector[at] = vector[at]! + (h & 0x80000000 ? -1 : 1) * Math.log1p(weight);
  }
  let square = 0;
  for (const value of vector) square += value * value;
  if (square > 0) {
    const length = Math.sqrt(square);
    for (let at = 0; at < vector.length; at++) vector[at] = vector[at]! / length;
  }
  return vector;
}
