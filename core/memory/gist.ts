import { keyOf } from "./normalise.ts";
import { inFigures } from "./values.ts";
import { isPast } from "./verbs.ts";

const words = (text: string) => new Set(text.split(" "));
/** Words that only connect other words. Keys (normalise.ts) already omit articles and possessives. */
const LIGHT = words(
  "user be is are am been was were has ha have had do doe did get got take takes took own us use uses pai can in on at with by for of to as about there who that which where what " +
    "it them themselv also alwai usual usually realli absolut total veri quit just current everi each call name know would if ever and but doing place run hold held need",
);
const ALIKE: Record<string, string> = {
  ...{ dai: "day", daili: "day", weekli: "week", monthli: "month", yearli: "year", annual: "year" },
  ...{ mate: "friend", pal: "friend", buddi: "friend", begin: "start", commenc: "start", studi: "learn" },
  ...{ ador: "like", love: "like", enjoi: "like", close: "near", camp: "camp", job: "work", emploi: "work" },
  ...{ employe: "peopl", subscrib: "subscript", weigh: "weight", code: "program", pm: "pm", resid: "live" },
  ...{ fiance: "engag", fiancee: "engag", fiancée: "engag", speaker: "speak", diabet: "diabetes", meet: "meet" },
};
const NEGATION = /\b(?:not|no|never|none|without|cannot|\w+n't|non-\w+)\b/gi;
/** The order of words matters in statements with these: tea to coffee, taller than Ben, from Monday to Friday. */
const ORDERED = /\b(?:than|prefers?|rather|over|from|before|after|until|beats|instead)\b/i;
/** Participles that state a result: built, married. */
const MADE =
  /^(?:built|made|written|wrote|founded|located|based|named|called|married|engaged|divorced|retired|employed|hosted|headquartered|used|broken|born|interested|subscribed|allergic)$/;
const DOUBTS =
  /\b(?:might|may|could|should|would|will|wants?|wish\w*|plans?|hopes?|if|maybe|perhaps|used to|tried|almost|going to|thinks?|said|says)\b/i;

/** Verbs of instructions, which add no content. */
const STYLE = /^(?:please )?(?:keep|give|make|write|use|format)(?: the user| me| us)?(?: your)? (?=.+)/i;
const isDenial = (word: string) => /^(?:not|no|never|none|cannot)$|n't$/.test(word);

/**
 * The content words of a statement. Statements with the same meaning and different grammar have the same content words.
 */
export function contentWords(content: string): string[] {
  const tokens = keyOf(inFigures(content.replace(STYLE, "")))
    .split(" ")
    .filter(word => word !== "" && !LIGHT.has(word) && !isDenial(word))
    .map(word => (ALIKE[word] ?? word).replace(/(?<=\d):00$/, ""));
  return (tokens.length > 2 ? tokens.filter(word => word !== "work") : tokens).sort();
}

/** Whether a statement is about the past: "worked at", which has the same key as "works at". */
export function isAboutPast(content: string): boolean {
  const all = content.match(/[\p{L}\p{N}'-]+/gu) ?? [];
  return all.some(
    (word, at) => isPast(word) && !MADE.test(word) && !/^(?:is|are|has|have|been|get|got)$/.test(all[at - 1] ?? ""),
  );
}

/**
 * The meaning of a statement apart from its grammar: statements with equal gists mean the same. Null for statements
 * whose meaning depends on word order, and for those that are not asserted.
 */
export function gistOf(content: string): string | null {
  if (content.length > 300 || ORDERED.test(content) || DOUBTS.test(content)) return null;
  const kept = contentWords(content);
  if (kept.length < 2) return null;
  const plain = content.replace(STYLE, "").replaceAll("’", "'");
  const all = plain.match(/[\p{L}\p{N}'-]+/gu) ?? [];
  // Whether the user is the object rather than the subject.
  const isObject = /.\bthe user(?!'| \p{Ll}+s\b)/iu.test(plain) && !/\band the user\b/i.test(plain);
  const isDenied = (plain.match(NEGATION)?.length ?? 0) % 2 === 1;
  const names = all.slice(1).filter(word => /^\p{Lu}/u.test(word));
  const numbers = plain.match(/\d[\d.:,]*/g) ?? [];
  return JSON.stringify([
    kept,
    isDenied,
    isAboutPast(plain),
    isObject,
    names.length > 1 ? names.map(word => word.toLowerCase().replace(/'s$/, "")) : [],
    numbers.length > 1 ? numbers : [],
  ]);
}
