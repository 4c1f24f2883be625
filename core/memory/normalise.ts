import { stem } from "../embedding/stem.ts";
import { inNormalForm } from "../normal-form.ts";
import { timeOfDay } from "./values.ts";

const SAME: Record<string, string> = {
  ...{
    mum: "mother",
    mom: "mother",
    mama: "mother",
    dad: "father",
    papa: "father",
    kid: "child",
    kids: "child",
    children: "child",
  },
  ...{
    wife: "spouse",
    husband: "spouse",
    colour: "color",
    favourite: "favorite",
    "e-mail": "email",
    boss: "manager",
    supervisor: "manager",
  },
  ...{
    flat: "apartment",
    mobile: "phone",
    cell: "phone",
    telephone: "phone",
    neighbour: "neighbor",
    grey: "gray",
    television: "tv",
    usd: "$",
    euros: "euro",
  },
};
const NUMBERS: Record<string, string> = {
  ...{ one: "1", two: "2", three: "3", four: "4", five: "5", six: "6", seven: "7", eight: "8", nine: "9", ten: "10" },
};
const IDLE = new Set(
  "a an the their his her its my our your some any own of that this so very really also still just now currently again anymore any more at all both".split(
    " ",
  ),
);

const EDGES = ".'/:-";
/** A word without the marks around it. A pattern would begin at each of many marks inside the word. */
function withoutEdges(word: string): string {
  let [from, to] = [0, word.length];
  while (from < to && EDGES.includes(word[from]!)) from++;
  while (from < to && EDGES.includes(word[to - 1]!)) to--;
  return word.slice(from, to);
}

/** A text for comparison: lower-case stems in one spelling, without articles. */
export function keyOf(text: string): string {
  const words = inNormalForm(text, "NFKC")
    .toLowerCase()
    .replaceAll("’", "'")
    .replace(/\btime zone\b/g, "timezone")
    .replace(/\b(?:(?:cell|mobile) )?(?:tele)?phone number\b|\b(?:cell|mobile) phone\b/g, "phone")
    .replace(/\b(?:e-?)?mail address\b/g, "email")
    .replace(/(?<=\d),(?=\d{3}\b)/g, "")
    .match(/[\p{L}\p{N}$€£@+#_./:%'-]+/gu);
  return (words ?? [])
    .map(word => withoutEdges(word).replace(/'s$/, ""))
    .filter(word => word && !IDLE.has(word))
    .map(word => SAME[word] ?? NUMBERS[word] ?? word)
    .map(stem)
    .join(" ");
}

/** A time of day in one form: `7:30`, `21:00`; any other text as its key. */
export const timeKey = (text: string): string => timeOfDay(text) ?? keyOf(text);

const PERIOD =
  "(?:weekdays?|weekends?|work ?days?|(?:mon|tues|wednes|thurs|fri|satur|sun)days?(?: and (?:mon|tues|wednes|thurs|fri|satur|sun)days?)*|mornings?|afternoons?|evenings?|nights?|noon|winters?|summers?|springs?|autumns?|holidays?|vacations?|work|home|school|university|college)";
const QUALIFIER = new RegExp(
  `,?\\s+(?:(?:on|at|in|during|over|for|only|when)\\s+(?:the\\s+|most\\s+)?${PERIOD}|every ${PERIOD}|on (?:[a-z]+ )?(?:flights|trips|journeys|calls|planes|trains|mondays|tuesdays|wednesdays|thursdays|fridays|saturdays|sundays)|when [^,]+|as an? (?:student|child|kid|teenager))(?=$|[\\s,])`,
  "gi",
);

/** The qualifiers of a statement, and the statement without them. */
export function qualified(text: string): { rest: string; qualifiers: string[] } {
  const qualifiers = [...text.matchAll(QUALIFIER)].map(([whole]) =>
    keyOf(whole.replace(/^[\s,]*(?:on|at|in|during|over|for|only|every)\s/i, "")),
  );
  return { rest: text.replace(QUALIFIER, "").trim(), qualifiers: qualifiers.sort() };
}
