import type { FactType, Slots } from "./fact.ts";

const PROFILE = new Set([
  "live in",
  "work at",
  "job",
  "name",
  "age",
  "marital",
  "birthplace",
  "birth year",
  "origin",
  "do speak",
]);
const PREFERENCE = /^(?:like|prefer|diet)/;
const ABOUT_SOMEBODY =
  /^user\/(?:\S+ )*(?:email|phone|number|address|birthdai|birth date|anniversari|timezon|spous|languag|team|manag|usernam|height|weight|nation)$/;
const TASTE =
  /\b(?:favou?rite|would (?:love|like|rather)|'d (?:love|like|rather)|prefers?|doesn't eat|does not eat|never eats?)\b/i;
const PERSONAL =
  /\b(?:self-employed|works? (?:at|for) the|retired|unemployed|degree in|grew up|(?:was|is|are|were) (?:an? )?\w*(?:maker|smith)|tall|kids are|children are|citizen)\b/i;
/** States and habits. They are not events, even in the past tense or with a date. */
const STATE =
  /\b(?:used to|has been|have been|studied|lived|worked|needs?|knew|loved|liked|deadline|budget|every|usually|always|keeps?|takes?|since)\b/i;

/** The date on which a job begins is not the job itself. */
const TAKES_UP = /\b(?:got|found|landed|accepted|took|hired|settled)\b/i;

const PASSIVE = /\b(?:is|are|be|being)\s+(?:\w+ly\s+)?\w+ed\b/i;

/** Decides the fact type of a statement in the third person. */
export function factTypeOf(content: string, slots: Slots | null, isDated: boolean, past: boolean): FactType {
  const { relation = "", subject = "" } = slots ?? {};
  if (PREFERENCE.test(relation) || TASTE.test(content)) return "preference";
  if (
    (PROFILE.has(relation) && !TAKES_UP.test(content)) ||
    (/^(?:be|name|date)$/.test(relation) && ABOUT_SOMEBODY.test(subject)) ||
    PERSONAL.test(content)
  )
    return "profile";
  if (STATE.test(content) || (PASSIVE.test(content) && !isDated)) return "fact";
  return isDated ||
    (past &&
      /^[^,]*?\b(?!was\b|were\b)(?:\w{2,}ed|went|bought|met|saw|broke|ran|sold|got|took|set|began|paid|quit|won|lost|made|had)\b/i.test(
        content,
      ))
    ? "event"
    : "fact";
}
