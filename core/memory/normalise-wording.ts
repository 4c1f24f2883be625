import { once } from "../once.ts";
import { needlesOf } from "./needle.ts";
import { rewrites } from "./paraphrases.ts";
import { thirdPerson } from "./verbs.ts";
import { type Rewrite, upperFirst, withoutWhen } from "./wordings.ts";
import { peopleRewrites } from "./wordings-people.ts";
import { thingRewrites } from "./wordings-things.ts";
import { ofPost, updateRewrites } from "./wordings-updates.ts";
import { workRewrites } from "./wordings-work.ts";

// Compiling these many expressions takes longer than loading a service, and only memory needs them.
const updates = once(updateRewrites);
const people = once(peopleRewrites);
const work = once(workRewrites);
const things = once(thingRewrites);
const general = once(rewrites);

interface Sought {
  rewrite: Rewrite;
  /** A statement without any of these cannot match, and the pattern is not even compiled. */
  needles: readonly string[];
}
const sought = (all: readonly Rewrite[]): Sought[] => all.map(rewrite => ({ rewrite, needles: needlesOf(rewrite[0]) }));
const special = once(() => sought([...updates(), ...people(), ...work(), ...things()]));
const last = once(() => sought(general()));
/** All rewrites of statements, in parts that are created at their first use. */
export const WORDINGS: readonly (() => readonly Rewrite[])[] = [updates, people, work, things, general];

function reworded(statement: string, rewrites: readonly Sought[]): string {
  let text = statement;
  let lower = text.toLowerCase();
  for (const { rewrite, needles } of rewrites) {
    if (needles.length > 0 && !needles.some(needle => lower.includes(needle))) continue;
    const [pattern, by] = rewrite;
    const before = text;
    if (typeof by === "string") text = text.replace(pattern, by);
    else {
      const match = pattern.exec(text);
      const made = match && by(...match.slice(1));
      if (match && made !== null) text = text.slice(0, match.index) + made + text.slice(match.index + match[0].length);
    }
    if (text !== before) lower = text.toLowerCase();
  }
  return text;
}

const DENIED = /^(The user|\p{Lu}\p{L}+|The user's \p{Ll}+) (no longer|does not|doesn't|never) (\p{Ll}+)( .*)?$/u;

function further(statement: string, tail: string): string {
  const bare = withoutWhen(statement);
  // "Any more" is a part of some wordings.
  const over = tail === "" ? bare : reworded(bare + tail, special());
  if (over !== bare + tail) return over;
  const plain = reworded(bare, special());
  if (plain !== bare) return plain;
  const [, who, not, verb, rest] = DENIED.exec(bare) ?? [];
  if (who === undefined || not === undefined || verb === undefined) return statement;
  const start = `${who} `;
  const asserted = start + (/s$/.test(verb) ? verb : thirdPerson(verb)) + (rest ?? "");
  const made = reworded(asserted, special());
  if (made === asserted || !made.startsWith(start)) return statement;
  return made.startsWith(`${start}is `)
    ? made.replace(`${start}is`, `${start}is no longer`)
    : made.replace(start, `${start}no longer `);
}

/** Longer statements contain more than one fact, and the rewrites may take quadratic time. */
const MAX_CHARS = 300;
const FIRST =
  /^((?:these days|nowadays|currently|now|from (?:now|here|today) on|as of (?:now|today)),? |(?:from|as of|starting|beginning|effective|since)(?: from| on| in| with)? (?:(?:early|late|mid|next|this|last) )?(?:today|tomorrow|yesterday|week|month|quarter|year|spring|summer|autumn|winter|january|february|march|april|may|june|july|august|september|october|november|december|(?:mon|tues|wednes|thurs|fri|satur|sun)day)(?: \d{1,4}(?:st|nd|rd|th)?)?(?: on(?:wards)?| onwards)?,? )(.+)$/i;
const NOW = /^(?:these days|nowadays|currently|now|from (?:now|here|today)|as of (?:now|today))\b/i;
const LAST =
  /^(.+?)(,? (?:now|these days|nowadays|any ?more|any longer|by now|from (?:now|here|today) on|again|instead|after all))$/i;

/**
 * Rewrites a statement in the third person to the wording that the relations match. Unknown wordings stay unchanged.
 */
export function normaliseWording(statement: string): string {
  if (statement.length > MAX_CHARS) return statement;
  const [, since = "", said = ofPost(statement)] = FIRST.exec(statement) ?? [];
  const [, core = said, tail = ""] = LAST.exec(said) ?? [];
  const whole = since ? upperFirst(core) : core;
  const text = reworded(further(whole, /^,? any/.test(tail) ? tail : ""), last());
  return `${upperFirst(text.replace(/ 's /g, "'s "))}${tail}${since && (NOW.test(since) ? ` ${since.replace(/,? $/, "")}` : tail ? "" : " now")}`;
}
