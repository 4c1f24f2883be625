import { isChatter, isCorrection, isRequest, isSupposed, leadLength } from "./chatter.ts";
import { type Clause, clausesOf } from "./clauses.ts";
import { dateIn } from "./dates.ts";
import { type Fact, nameOf, type Speaker } from "./fact.ts";
import { factTypeOf } from "./fact-type.ts";
import { isFiller, isJoke } from "./filler.ts";
import { withoutInjected } from "./injected.ts";
import { itemsOf } from "./items.ts";
import { isRemark } from "./remarks.ts";
import { type Sentence, sentencesOf } from "./sentences.ts";
import { slotsOf } from "./slots.ts";
import { inStatement, withSubject } from "./spoken.ts";
import { inFullWords, inThirdPerson, withReferent } from "./third-person.ts";
import { isFinite } from "./verbs.ts";

/** The bound of a text, and of the facts found in it. */
const MAX_CHARS = 100_000;
const MAX_FACTS = 500;
const MAX_CONTENT = 1_000;

export interface ExtractOptions {
  now: Date;
  user?: Speaker;
}

const INSTRUCTION =
  /^(?:please\s+)?(?:(?:keep|make|write|give|format|structure) (?:me |us )?(?:all )?(?:your )?(?:\p{Ll}+ ){0,3}(?:answers|replies|responses|explanations)\b|(?:keep|make|be) (?:it )?[^,]{3,40}? from now on\b|(?!(?:the|my|our|his|her|their|i|we|i['’]m|we['’]re)\b|\p{L}+ (?:is|are|was|were|has|have|will|should|goes|go|takes?|starts?|begins?|runs?)\b)\p{L}+ [^,]{3,80} from now on$|(?:switch|change|go) (?:back )?to \p{Lu}\p{Ll}+(?:ish|ese|[ie]an|ic|ch)\b|(?:from now on|in (?:the )?future|going forward|by default),?\s|always\s+\p{L}+|never\s+(?!mind\b)\p{L}+|you (?:can|may|should always|must always|should never) (?!help|tell|see|(?:call|ring|phone|text|email|write|reach|contact) (?:me|us) (?:back|later|tomorrow|any ?time|when))\p{L}+|(?:don['’]t|do not) (?:ever )?(?:use|write|send|include|mention|call|add|share|suggest|recommend|schedule|book|plan|invite|contact|ring|phone|disturb|offer|order|serve)\b|(?:please )?stop (?:using|writing|sending|including|adding|calling)\b|you (?:don['’]t|do not) (?:have|need) to (?!worry|know|tell|answer|thank|apologi[sz]e|do)\p{L}+ (?:me|my|us)\b|(?:please )?use (?:\p{L}+ ){1,3}(?:spelling|units|format|notation|tone|style|pronouns|currency|system)\b|(?:just |simply )?call me (?!back|later|when|at|on|if|tomorrow|in)|address me\b|(?:answer|reply|respond|write|speak|talk)(?: (?:(?:to|with) )?(?:me|us))? in \p{Lu})/iu;
const PAST =
  /\b(?:was|were|went|had|did|bought|met|saw|broke|ran|sold|left|got|paid|took|came|began|became|moved|\w{3,}ed)\b/i;
const HEDGE =
  /\b(?:maybe|perhaps|might|probably|possibly|i think|i guess|could|not sure|if|would|thinks|guesses|hopes)\b/i;
const SPEAKS_OF_SELF = /\b(?:I|I['’]\w+|my|we|our|We|My|Our|We['’]\w+)\b/;
/** Words that are rare in other languages. */
const ENGLISH =
  /\b(?:the|everyone|everybody|people|calls|is|are|were|of|to|at|and|has|have|with|by|that|my|from|his|her|she|does|doesn['’]t)\b/i;

/** "Me" is a word of other languages too, but not after an English verb. */
const OF_ME =
  /\b(?:they|they[’']ve|he|she|put|puts|took|moved|switched|made|reach|contact|phone|text|email|calls?|employs?|hired|knows?|owes?|likes?|loves?|hates?|pays?|helps?|told|gave|rescheduled|rebooked|pushed|took|weaned|dumped|divorced) (?:me|us)\b/i;

/** What people add to a statement. */
const AFTERTHOUGHT =
  /,? (?:thanks|thank you|thx|cheers|please|pls|lol|lmao|haha|btw|by the way|tho|though|tbh|actually|you know|of course|fyi|in case you (?:forgot|forget|missed it|did not know|didn['’]t know|were wondering|wonder)|as you (?:may |might |already )?(?:know|remember|recall)|as (?:already )?(?:mentioned|stated|said|noted|discussed|before)|sadly|unfortunately|luckily|:\)|:\()$/i;

/** What later pronouns may refer to. */
interface Memory {
  referent: string | undefined;
  /** The statement takes back an earlier one. */
  corrects: boolean;
}

function referentIn(content: string, name: string): string | undefined {
  const [, pet] =
    new RegExp(
      `^${name.replace(/[^\w ]/g, "\\$&")} (?:has|adopted|owns|met|got) (?:an? |one )((?:\\w+ )?\\w+)\\b`,
    ).exec(content) ?? [];
  if (pet !== undefined) return `${name}'s ${pet}`;
  const [, things] =
    new RegExp(
      `^${name.replace(/[^\w ]/g, "\\$&")} (?:has )?(?:\\w+ed|got|sold) (?:their |the )?((?:\\w+ )?\\w+)$`,
    ).exec(content) ?? [];
  if (things !== undefined) return `${name}'s ${things.replace(/(?<=[^s])s$/, "")}`;
  if (content.startsWith(`${name} `)) return undefined;
  const words = content.split(/\s+/);
  const at = words.findIndex((word, place) => place > 0 && isFinite(word.replace(/[^\p{L}'’-]/gu, "")));
  return at > 0 && at < 6 ? words.slice(0, at).join(" ").replace(/,.*$/, "") : undefined;
}

function confidenceOf(content: string, fact: Pick<Fact, "slots">, ambiguous: boolean): number {
  if (ambiguous) return 0.4;
  if (HEDGE.test(content)) return 0.5;
  return fact.slots ? 0.9 : ENGLISH.test(content) ? 0.7 : 0.5;
}

function factOf(
  content: string,
  source: string,
  span: Fact["span"],
  options: ExtractOptions,
  ambiguous: boolean,
  correction: boolean,
): Fact {
  const slots = slotsOf(content, options.user, { correction });
  const past = PAST.test(content) || /\bsince\b/i.test(content);
  const date = dateIn(content, { now: options.now, past });
  const isInstruction = INSTRUCTION.test(source);
  const factType = isInstruction ? "system" : factTypeOf(content, slots, date !== null, past);
  // A birthday recurs, so it has no event date.
  const eventDate = date && slots?.subject !== "user/birthdai" && !isInstruction ? date.toISOString() : null;
  return { content, factType, eventDate, confidence: confidenceOf(content, { slots }, ambiguous), span, slots };
}

function factsOfClause(clause: Clause, sentence: Sentence, memory: Memory, options: ExtractOptions): Fact[] {
  const name = nameOf(options.user);
  const lead = leadLength(clause.text);
  const bare = clause.text
    .slice(lead)
    .trim()
    .replace(/[.!。\s,;]+$/u, "")
    .replace(AFTERTHOUGHT, "");
  const said = clause.subject ? inStatement(bare) : withSubject(inStatement(bare));
  const isInstruction = INSTRUCTION.test(said);
  if (
    !said ||
    sentence.isQuestion ||
    isSupposed(said) ||
    isJoke(sentence.text) ||
    (!isInstruction &&
      (isFiller(said) ||
        isChatter(clause.subject ? `${clause.subject} ${said}` : said, memory.referent !== undefined) ||
        isRequest(said) ||
        isRemark(clause.subject ? `${clause.subject} ${said}` : said)))
  )
    return [];
  // A single word states nothing, unless it is a sentence in a script without spaces.
  if (!/\s/.test(said) && !/[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\u0e00-\u0e7f]{4}/u.test(said)) return [];
  const whole = inFullWords(clause.subject ? `${clause.subject} ${said}` : said);
  const isOwn = SPEAKS_OF_SELF.test(whole) || ENGLISH.test(whole) || OF_ME.test(whole);
  const plain = whole.replace(/^please\s+/i, "").replace(/,?\s+from now on$/i, isInstruction ? "" : " now");
  const third = isOwn ? inThirdPerson(plain, name) : whole;
  const resolved = withReferent(third, memory.referent ?? "");
  const content = (resolved !== null && memory.referent ? resolved : third).slice(0, MAX_CONTENT);
  const ambiguous = resolved !== null && !memory.referent;
  if (!ambiguous) memory.referent = referentIn(content, name) ?? memory.referent;
  const span = {
    start: clause.start + (clause.text.length - clause.text.slice(lead).trimStart().length),
    end: clause.end,
  };
  return itemsOf(content).map(one => factOf(one, said, span, options, ambiguous, memory.corrects));
}

/**
 * The facts that a text states, in order, in the third person: "I live in Paris" becomes "The user lives in Paris".
 * Greetings, questions, requests, chatter and the text between the service's own markers are left out. The rules read
 * English; other languages give whole sentences without slots. Linear in the length of the text, up to 100,000
 * characters. Yields after each clause and each question, so that a caller may let other work go first: a clause has at
 * most 1,000 characters, a text has more.
 */
export function* factsByClause(text: string, options: ExtractOptions): Generator<Fact[]> {
  const plain = withoutInjected(text.slice(0, MAX_CHARS));
  const memory: Memory = { referent: undefined, corrects: false };
  let room = MAX_FACTS;
  for (const sentence of sentencesOf(plain)) {
    if (room <= 0) return;
    if (sentence.isQuestion) {
      yield [];
      continue;
    }
    memory.corrects = isCorrection(sentence.text);
    for (const clause of clausesOf(plain, sentence)) {
      const facts = factsOfClause(clause, sentence, memory, options).slice(0, room);
      yield facts;
      room -= facts.length;
    }
  }
}

/** All of `factsByClause` at once, for short texts. */
export const extractFacts = (text: string, options: ExtractOptions): Fact[] => [...factsByClause(text, options)].flat();
