// The words by which the evidence in two statements is told, as data.
import { once } from "../../once.ts";
import { matterOf } from "../alignment/concepts.ts";
import { keyOf } from "../normalise.ts";

const ENDS_OF_A_THING = "left|right|upper|lower|front|rear";
/** Words that tell one of several like things from the others. */
const SIDES = new RegExp(
  `\\b(?:${ENDS_OF_A_THING}|north|south|east|west|first|second|third|fourth|other|older|elder|younger|morning|evening|test|production|staging|inner|outer|next|upstairs|downstairs|home|work|office|private|personal|weekend|weekday|summer|winter)\\b`,
  "gi",
);
/** The same before a noun: "the left hip", but not "turned left". */
const SIDES_OF_A_THING = new RegExp(`\\b(?:${ENDS_OF_A_THING})(?= \\p{Ll}{3,})`, "giu");

const found = (text: string, pattern: RegExp): ReadonlySet<string> =>
  new Set((text.match(pattern) ?? []).map(side => side.toLowerCase()));
export const sidesIn = (text: string) => found(text, SIDES);

/** Whether both name sides, and none in common. */
export const haveOtherSides = (a: ReadonlySet<string>, b: ReadonlySet<string>): boolean =>
  a.size > 0 && b.size > 0 && a.isDisjointFrom(b);
/** Whether two statements speak of two sides of a thing: the left hip and the right one. */
export const isOfOtherSide = (now: string, before: string): boolean =>
  haveOtherSides(found(now, SIDES_OF_A_THING), found(before, SIDES_OF_A_THING));

/** Words of a time that is over soon, or of an event. */
export const ONE_TIME =
  /\b(?:next|this|that|last|yesterday|today|tonight|tomorrow|for once|right now|at the moment|just now)\b/i;

/** In these the order of the words may have a meaning: "prefers tea to coffee". */
export const COMPARES = /\b(?:than|prefers?|rather|over|from|before|after|until)\b/i;

/** What is so today alone: "the train is late today". */
export const FOR_NOW =
  /\b(?:broke down|(?:is|are|was|were) (?:down|late|delayed|off sick|stuck)|running late)\b.*\b(?:today|tonight|this (?:morning|afternoon|evening|week)|right now|just now)\b/i;

/** What a person likes or dislikes. */
export const TASTE =
  /\b(?:dislikes?|(?<!would |['’]d )likes?(?! (?:i|we|you|he|she|they)\b)|loves?|hates?|enjoys?|adores?|detests?|prefers?|keen|fond|fan|favou?rite|can(?:not|['’]t) (?:stand|bear))\b/i;

/** Verbs that say little beside their nouns: "works as a nurse" is "is a nurse". */
const GENERAL_VERBS =
  "work live stay reside base locate call name go get do make take keep start end close expire run say tell know mean want need plan reach pay paid";
const generalVerbs = once(() => new Set(GENERAL_VERBS.split(" ").map(verb => matterOf(keyOf(verb)))));
/** Whether a verb, by its matter, says little beside its nouns. */
export const isGeneralVerb = (matter: string): boolean => generalVerbs().has(matter);
