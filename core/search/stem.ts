const VOWEL = /[aeiouy]/;
const DOUBLED = /([bdfgkmnprt])\1$/;

/**
 * Removes plurals and the endings -ed and -ing, so that "prefers", "preferred" and "preferring" match. Texts and
 * questions are stemmed alike, so a wrong cut can merge words but never lose one. Other scripts and words with digits
 * stay unchanged. After Harman's S stemmer ("How effective is suffixing?", JASIS 42(1), 1991).
 *
 * It cuts less than the stemmer of core/embedding, because a keyword counts in full: "universe" is no hit for
 * "university". Keyword indexes store these stems, so another result needs new indexes.
 */
export function stem(word: string): string {
  if (word.length < 4 || !/^[a-z]+$/.test(word)) return word;
  return withoutEnding(singular(word));
}

function singular(word: string): string {
  if (word.endsWith("ies") && !/[ae]ies$/.test(word)) return `${word.slice(0, -3)}y`;
  if (/(ss|us|is)$/.test(word)) return word;
  if (/(x|ch|sh|ss|z)es$/.test(word)) return word.slice(0, -2);
  return word.endsWith("s") ? word.slice(0, -1) : word;
}

function withoutEnding(word: string): string {
  const root = /^(.*?)(?:ing|ed)$/.exec(word)?.[1];
  if (root !== undefined && root.length >= 3 && VOWEL.test(root)) return withoutE(root.replace(DOUBLED, "$1"));
  return withoutE(word);
}

/** "live" and "living" must have the same stem. */
const withoutE = (word: string): string => (word.length > 3 && word.endsWith("e") ? word.slice(0, -1) : word);
