import { type Piece, pieceOf } from "./sentences.ts";
import { isFinite, opensClause } from "./verbs.ts";

export interface Clause extends Piece {
  /** The subject that the clause shares with the previous one. */
  subject?: string;
}

const PRONOUN =
  "(?:I|the|they['’]\\w+|I['’]\\w+|we|we['’]\\w+|my|our|he|she|they|it|his|her|their|he['’]s|she['’]s|it['’]s)";
/** Another subject with its verb. */
const OTHERS = "[\\p{L}'’-]+ (?:is|has|was|took|will) ";
/** A third subject with its verb, after only a comma: "Sam left, Ms Lee is the contact now". */
const NAMED =
  "(?!(?:which|who|that|this|it|there|what|not|as|and|or|but|so|then|now)\\b)(?:(?:Mr|Ms|Mrs|Dr)\\.? )?[\\p{L}'’-]+ (?:is|are|has|was|leads|runs|heads|manages|took over|takes over)";
const BREAK = new RegExp(
  [
    "\\s*;\\s+",
    "\\s+[–—]\\s+",
    ",?\\s+so\\s+(?=no\\s+more\\b)",
    `:\\s+(?=${PRONOUN}\\s)`,
    `,?\\s+(?:but|although|though|because|while|whereas|so)\\s+(?:now\\s+)?(?=${PRONOUN}\\s|please\\b)`,
    `,?\\s+and\\s+(?:now\\s+)?(?=${PRONOUN}\\s)`,
    "(?:,\\s+|,?\\s+(?:and|but)\\s+)(?:now\\s+|then\\s+)?(?=[a-z']+\\s)",
    `,\\s+(?=${PRONOUN}\\s)`,
    `,\\s+(?=${NAMED} )`,
    `,?\\s+(?:and|but|so)\\s+(?=${OTHERS})`,
  ].join("|"),
  "giu",
);
const OWN_SUBJECT = new RegExp(`^(?:${PRONOUN}(?=\\s)|(?!he|she|it|that|this|now|then|also)${OTHERS})`, "iu");
const THIRD = new RegExp(`^${NAMED} `, "iu");
/** A piece that begins with one of these is not a statement of its own. */
const LEADS =
  /^(?:when|whenever|since|as|while|once|after|before|until|if|where|because|although|though|for|in|on|at|from|by|with)\b/i;
const SUBJECT = /^(?:I|we|he|she|they|it)\b/i;
/** The most breaks in a sentence. The rest stays one clause. */
const MAX_BREAKS = 30;
/** The possible beginnings of a statement without a subject. */
const ADVERB = /^(?:finally|just|recently|sadly|also|already)?$/i;
const CONDITIONAL = /\b(?:if|unless|whether)\b/i;

const wordsIn = (text: string) => text.match(/[\p{L}\p{N}'’-]+/gu) ?? [];
const hasVerb = (text: string) =>
  /\b(?:I|we|you|they)\s+\S/i.test(text) ||
  /['’](?:m|re|ve|s|d|ll)\b/.test(text) ||
  wordsIn(text).slice(1).some(isFinite);

/** Splits a sentence into statements. A statement that shares the previous one's subject names it. */
export function clausesOf(text: string, sentence: Piece): Clause[] {
  // A sentence with a condition stays whole, because neither of its parts states a fact by itself.
  if (CONDITIONAL.test(sentence.text)) return [sentence];
  const found: Clause[] = [];
  let start = sentence.start;
  let subject: string | undefined;
  const close = (end: number) => {
    const piece = pieceOf(text, start, end);
    const clause: Clause = subject === undefined ? piece : { ...piece, subject };
    if (piece.text) found.push(clause);
    return clause;
  };
  for (const { 0: mark, index } of sentence.text.matchAll(BREAK).take(MAX_BREAKS)) {
    const at = sentence.start + index;
    if (at <= start) continue;
    const before = text.slice(start, at);
    const after = text.slice(at + mark.length, sentence.end);
    const [next = "", second] = wordsIn(after);
    const isPlea = /^please\b/i.test(after);
    const isNamed = mark.trim() === "," && THIRD.test(after) && !LEADS.test(before);
    const isOwn = /;|[–—]|so\s+$/.test(mark) || isPlea || isNamed || OWN_SUBJECT.test(after);
    const isStatement = isOwn ? isPlea || hasVerb(after) || /;|so\s+$/.test(mark) : opensClause(next, second);
    // "I own and run a bakery": both verbs have one object.
    const isJoint = /^\s+and/.test(mark) && /^(?:I|we|he|she|they|\p{Lu}\p{Ll}+)\s+\p{L}+$/u.test(before.trim());
    if (isJoint || /^the\s.*\b(?:who|that|which|whose)\b/i.test(after)) continue;
    if (!isStatement || (subject === undefined && !hasVerb(before) && !/^(?:please|don['’]t|do not)\b/i.test(before)))
      continue;
    const closed = close(at);
    if (isOwn) subject = undefined;
    else subject ??= SUBJECT.exec(closed.text)?.[0] ?? subjectOf(closed.text);
    if (subject !== undefined && ADVERB.test(subject)) subject = undefined;
    start = at + mark.length;
  }
  close(sentence.end);
  return found;
}

function subjectOf(clause: string): string {
  const all = clause.split(/\s+/);
  const verb = all.findIndex((word, at) => at > 0 && isFinite(word.replace(/[^\p{L}'’-]/gu, "")));
  return verb > 0 ? all.slice(0, verb).join(" ") : "";
}
