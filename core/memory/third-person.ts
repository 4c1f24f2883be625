import { conjugated, isVerb } from "./verbs.ts";

const ADVERBS =
  "(?:(?:really|also|always|usually|currently|just|still|never|no longer|now|recently|mostly|often|sometimes|probably|actually|only|already|mainly|generally|typically|absolutely|totally|quite|normally|rarely|seldom|hardly|regularly|occasionally|finally|once|truly|particularly|especially|definitely|personally|strongly|kind of|sort of|almost|even|both|all|then|soon|never ever)\\s+)*";
const FIRST = "(?:I|we|We)";
const SHORT: Record<string, string> = { m: "is", re: "is", ve: "has", ll: "will", d: "would" };

const contraction = new RegExp(`\\b${FIRST}['’](m|re|ve|ll|d)\\b`, "g");
const followed = new RegExp(`\\b${FIRST}\\s+(${ADVERBS})([\\p{L}'’]+)`, "gu");
/** "my husband and I adopted": both people are the subject of the verb. */
const together = /\band (?:I|me)\b/g;

const FULL: readonly (readonly [RegExp, string])[] = [
  [/\bi(?=['’](?:m|ve|ll|d)\b)/g, "I"],
  [/\b(?:going to|gonna)\b/gi, "going to"],
  [/\bwanna\b/gi, "want to"],
  [/\bgotta\b/gi, "have to"],
  [/\bain['’]t\b/gi, "am not"],
  [/\bdunno\b/gi, "don't know"],
];

/** Writes colloquial short forms in full. */
export function inFullWords(text: string): string {
  // "i" is a word of other languages too. It is the pronoun only before an English verb.
  const first = text.replace(/^i(?= ([a-z']+))/, (small, verb: string) =>
    text.startsWith(`i ${verb}`) && (isVerb(verb) || verb === "am") ? "I" : small,
  );
  return FULL.reduce((found, [short, full]) => found.replace(short, full), first);
}

const upperFirst = (text: string) => text.replace(/^\p{Ll}/u, first => first.toUpperCase());

/**
 * Turns a clause of a speaker about themselves into the third person, under this name ("The user", or the speaker's
 * own). Clauses about other subjects stay as they are.
 */
export function inThirdPerson(clause: string, name: string): string {
  const inside = name === "The user" ? "the user" : name;
  let text = clause.replace(/\bI am\b/g, "I'm").replace(/\bIm\b/g, "I'm");
  text = text.replace(together, `and ${inside}`);
  text = text.replace(contraction, (_, short: string) => `${inside} ${SHORT[short] ?? ""}`);
  text = text.replace(followed, (_, adverbs: string, verb: string) => {
    const isDo = /^(?:do|don['’]t)$/.test(verb);
    return `${inside} ${adverbs}${isDo ? verb.replace(/^do/, "does") : conjugated(verb.replace("’", "'"))}`;
  });
  text = text.replace(/\b(?:I|we|We)\b/g, inside);
  const subjectAt = text.indexOf(inside);
  text = text.replace(/\b(?:my|our)\b/gi, (_, at: number) =>
    subjectAt >= 0 && subjectAt < at ? "their" : `${inside}'s`,
  );
  text = text.replace(/\b(?:mine|ours)\b/gi, (_, at: number) =>
    subjectAt >= 0 && subjectAt < at ? "theirs" : `${inside}'s`,
  );
  text = text.replace(/\b(?:myself|ourselves)\b/gi, "themselves").replace(/(?<!-)\b(?:me|us)\b(?!-)/g, inside);
  return upperFirst(text);
}

const PRONOUN = /^(he|she|it|they|his|her|its|their)\b(['’]s)?/i;

/** A clause that begins with a pronoun, with the pronoun replaced by its referent; null when it begins otherwise. */
export function withReferent(clause: string, referent: string): string | null {
  const [whole, pronoun = "", short] = PRONOUN.exec(clause) ?? [];
  if (whole === undefined) return null;
  const rest = clause.slice(whole.length);
  const isOwner = /^(?:his|her|its|their)$/i.test(pronoun);
  return upperFirst(`${referent}${isOwner ? "'s" : short ? " is" : ""}${rest}`);
}
