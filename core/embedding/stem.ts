// M. F. Porter, "An algorithm for suffix stripping", Program 14(3), 1980.
const C = "[^aeiou][^aeiouy]*";
const V = "[aeiouy][aeiou]*";
const MEASURE_1 = new RegExp(`^(?:${C})?${V}${C}`);
const MEASURE_IS_1 = new RegExp(`^(?:${C})?${V}${C}(?:${V})?$`);
const MEASURE_2 = new RegExp(`^(?:${C})?${V}${C}${V}${C}`);
const HAS_VOWEL = new RegExp(`^(?:${C})?[aeiouy]`);
const SHORT_END = new RegExp(`^${C}[aeiouy][^aeiouwxy]$`);

const STEP_2: readonly (readonly [string, string])[] = Object.entries({
  ...{ ational: "ate", tional: "tion", enci: "ence", anci: "ance", izer: "ize", bli: "ble", alli: "al", entli: "ent" },
  ...{ eli: "e", ousli: "ous", ization: "ize", ation: "ate", ator: "ate", alism: "al", iveness: "ive", fulness: "ful" },
  ...{ ousness: "ous", aliti: "al", iviti: "ive", biliti: "ble", logi: "log" },
});
const STEP_3: readonly (readonly [string, string])[] = Object.entries({
  ...{ icate: "ic", ative: "", alize: "al", iciti: "ic", ical: "ic", ful: "", ness: "" },
});
const STEP_4 = /^(.+?)(al|ance|ence|er|ic|able|ible|ant|ement|ment|ent|ou|ism|ate|iti|ous|ive|ize|(?<=[st])ion)$/;

function replaceEnd(word: string, ends: readonly (readonly [string, string])[]): string {
  for (const [end, other] of ends) {
    if (!word.endsWith(end)) continue;
    const base = word.slice(0, -end.length);
    return MEASURE_1.test(base) ? base + other : word;
  }
  return word;
}

function withoutPast(word: string): string {
  if (word.endsWith("eed")) return MEASURE_1.test(word.slice(0, -3)) ? word.slice(0, -1) : word;
  const base = /^(.+)(?:ed|ing)$/.exec(word)?.[1];
  if (base === undefined || !HAS_VOWEL.test(base)) return word;
  if (/(?:at|bl|iz)$/.test(base)) return `${base}e`;
  if (/([^aeiouylsz])\1$/.test(base)) return base.slice(0, -1);
  return SHORT_END.test(base) ? `${base}e` : base;
}

/**
 * The stem of a lower-case English word, for comparison and not for display. Other words are returned unchanged.
 *
 * It cuts more than the stemmer of core/search, because vectors and the keys of memories are to bring "translate" and
 * "translator" together. Vectors and slots are stored, so another result needs a new HASH_EMBEDDING_ID, and slots that
 * are read anew.
 */
export function stem(word: string): string {
  if (word.length < 3 || !/^[a-z]+$/.test(word)) return word;
  // A consonant y is marked, so that the letter classes need no context.
  let w = word.replace(/^y/, "Y");
  w = w.replace(/sses$|ies$/, end => end.slice(0, -2)).replace(/([^s])s$/, "$1");
  w = withoutPast(w);
  if (w.endsWith("y") && HAS_VOWEL.test(w.slice(0, -1))) w = `${w.slice(0, -1)}i`;
  w = replaceEnd(replaceEnd(w, STEP_2), STEP_3);
  const base = STEP_4.exec(w)?.[1];
  if (base !== undefined && MEASURE_2.test(base)) w = base;
  if (w.endsWith("e")) {
    const short = w.slice(0, -1);
    if (MEASURE_2.test(short) || (MEASURE_1.test(short) && !(MEASURE_IS_1.test(short) && SHORT_END.test(short))))
      w = short;
  }
  if (w.endsWith("ll") && MEASURE_2.test(w)) w = w.slice(0, -1);
  return w.toLowerCase();
}
