const VOWEL = /[aeiouy]/;
const DOUBLED = /([bdfgkmnprt])\1$/;

/**
 * Takes plurals and the endings -ed and -ing off, so that "prefers", "preferred" and "preferring" are found alike; what it
 * does is the same for the text and for the question, so that a wrong cut joins words and never loses one. Other scripts and
 * words with digits stay as they are. After Harman's S stemmer ("How effective is suffixing?", JASIS 42(1), 1991).
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

/** "live" and "living" have to meet. */
const withoutE = (word: string): string => (word.length > 3 && word.endsWith("e") ? word.slice(0, -1) : word);
