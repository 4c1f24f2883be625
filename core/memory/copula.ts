import { dayKey } from "./dates.ts";
import { keyOf } from "./normalise.ts";
import { ATTRIBUTE, NO_NAME, REPEATED, ROLES, SEVERAL } from "./nouns.ts";
import { headOf, isPlace, type Reading, type Clause, toMany, toOne } from "./readings.ts";
import { timeOfDay } from "./values.ts";

/** Adjectives that exclude each other: only one holds at a time. */
const STATES = [
  "color red blue green yellow black white gray brown orang purpl pink silver gold beig",
  "open close shut",
  "avail unavail",
  "empti full",
  "enabl disabl",
  "onlin offlin",
  "activ inact",
  "employ unemploi retir",
  "aliv dead",
  "healthi sick ill",
  "long short",
  "hot cold warm",
  "cheap expens",
  "public privat",
  "fast slow",
  "formal inform casual",
].map(words => new Set(words.split(" ")));

const CONTRASTS = [
  "dark light",
  "window aisl",
  "morn afternoon even",
  "hot cold ice",
  "short long",
  "formal inform casual",
  "earli late",
  "paper digit",
  "metric imperi",
  "manual automat",
  "remot onsit hybrid",
  "public privat",
].map(words => new Set(words.split(" ")));

export function preference(text: string): Reading {
  const [, winner, loser] = /^(.+?) (?:over|to|rather than|instead of|more than) (.+)$/i.exec(text) ?? [];
  if (winner !== undefined && loser !== undefined) {
    return toOne(`prefer ${[keyOf(winner), keyOf(loser)].sort().join(" or ")}`, winner);
  }
  const words = keyOf(text).split(" ");
  const contrast = words.length > 1 ? CONTRASTS.find(set => set.has(words[0]!)) : undefined;
  if (!contrast) return toMany("prefer", text);
  return { relation: `prefer ${[...contrast].join("/")} ${words.slice(1).join(" ")}`, value: words[0]!, single: true };
}

/** When or where something is. Opening hours do not supersede dates. */
export function when(whole: string, value: string, subject: string): Reading | null {
  const date = dayKey(value);
  if (date !== null) return subject === "user" ? null : { relation: "date", value: date, single: true };
  const time =
    /^(?:opens?|leaves?|departs?|arrives?|expires?|ends?) /i.test(whole) || subject === "user"
      ? null
      : timeOfDay(value);
  if (time !== null) return { relation: "time", value: time, single: true };
  return /^(?:takes? place|is held|are held) (?:in|at) /i.test(whole) && isPlace(value)
    ? toOne("be in", headOf(value))
    : null;
}

/** "X is Y" for a subject other than the user. */
function copula(value: string, { subject, isUpdate }: Clause): Reading {
  const date = dayKey(
    value.replace(/^(?:on|at|in|by|due on|due|(?:planned|scheduled|set|expected|due) (?:for|on|in|at)) /i, ""),
  );
  if (date !== null) return { relation: "date", value: date, single: isUpdate || !REPEATED.test(subject) };
  const time = /^at |:/.test(value) ? timeOfDay(value) : null;
  if (time !== null) return { relation: "time", value: time, single: isUpdate || !REPEATED.test(subject) };
  const [, place] = /^(?:(?:on|at) (?=\p{Lu}|\S+\.\S)|(?=[^\s@]+\.[a-z]{2,}(?:[:/]|$)))(.+)$/u.exec(value) ?? [];
  if (place !== undefined) return toOne("be at", place);
  const [, made, inside] = /^(?:(written|coded|built|implemented) )?in (\p{Lu}.*)$/u.exec(value) ?? [];
  if (inside !== undefined) return { ...toOne("be in", inside), single: made !== undefined || isUpdate };
  if (/^an? \p{Lu}/u.test(value)) return { ...toMany("be a", value), single: isUpdate };
  if (ROLES.test(subject) && /^(?:Dr\.? |Mr\.? |Mrs\.? |Ms\.? )?\p{Lu}/u.test(value)) return toOne("name", value);
  if ((ATTRIBUTE.test(subject) && !ROLES.test(subject)) || /\bfavorit\b/.test(subject)) {
    const [, main = value, limit] = /^(.+?) (?:for|per) (.+)$/.exec(value) ?? [];
    return { ...toOne("be", main), ...(limit !== undefined && { qualifiers: [keyOf(limit)] }) };
  }
  const isName = /^(?:(?:Dr|Mr|Mrs|Ms|Prof)\.? )?\p{Lu}[\p{L}'-]*(?: \p{Lu}[\p{L}'-]*)?$/u.test(value);
  if (isName && subject.startsWith("user/"))
    return { ...toOne("name", value), single: isUpdate || !SEVERAL.test(subject) };
  return { ...toMany("be", value), single: isUpdate && isName };
}

export function readCopula(value: string, said: Clause): Reading {
  const state = keyOf(value);
  const states = STATES.find(set => set.has(state));
  if (states) return toOne(`be ${[...states][0]!}`, value);
  if (said.subject !== "user") return copula(value, said);
  const isName = /^\p{Lu}[\p{L}'-]+(?: \p{Lu}[\p{L}'-]+)?$/u.test(value) && !NO_NAME.test(value);
  return toMany(isName ? "name" : "be", value);
}
