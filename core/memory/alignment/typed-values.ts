// Values that are known by their form: times, sums, addresses, names. Two statements about one matter that have different
// values of one type contradict each other.
import { keyOf } from "../normalise.ts";
import { isFinite } from "../verbs.ts";
import type { Word } from "./words.ts";

export type ValueType =
  | "email"
  | "url"
  | "phone"
  | "time"
  | "day"
  | "date"
  | "money"
  | "percent"
  | "version"
  | "number"
  | "language"
  | "color"
  | "code"
  | "place"
  | "rate"
  | "often"
  | "name";

export interface TypedValue {
  type: ValueType;
  key: string;
  /** The first word and the one after the last. */
  from: number;
  to: number;
  /** The unit of a number, as a key: `seat` of "25 seats". */
  unit?: string;
}

const MONTHS = "jan feb mar apr may jun jul aug sep oct nov dec".split(" ");
const MONTH =
  /^(?:January|February|March|April|May|June|July|August|September|October|November|December|Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec)\.?$/;
const DAY = /^(mon|tues|wednes|thurs|fri|satur|sun)days?$/i;
const COLOR =
  /^(?:red|blue|green|yellow|black|white|gr[ae]y|brown|orange|purple|pink|silver|gold|beige|navy|turquoise|teal|violet|blonde?|brunette|ginger|auburn)$/i;
const LANGUAGE =
  /^(?:English|German|French|Spanish|Italian|Portuguese|Dutch|Polish|Russian|Turkish|Swedish|Danish|Norwegian|Finnish|Czech|Greek|Japanese|Chinese|Mandarin|Cantonese|Korean|Arabic|Hindi|Urdu|Hebrew|Welsh|Irish|Catalan|Hungarian|Romanian|Ukrainian|Thai|Vietnamese)$/;
/** Capital words that name nothing. */
const NO_NAME =
  /^(?:I|The|They|He|She|It|We|You|My|Our|Their|His|Her|A|An|This|That|These|Those|There|In|On|At|By|From|Since|As|Now|No|Not|Please|And|But|So|Sadly|Finally|After|Before|Every|Instead|Today|Recently|Both|All|TV|PM|AM|OK|URL|API|SDK|CEO|CTO|CFO|COO|HR|IT|RAM|GB|MB|ID|GP|HQ|SLA|VAT|DB|Mr|Ms|Mrs|Dr|Prof)$/;

const bare = (text: string) => text.replace(/'s$/, "");
const isName = (word: Word | undefined) =>
  word !== undefined &&
  /^(?:\p{Lu}|i[A-Z])/u.test(word.text) &&
  !NO_NAME.test(word.text) &&
  !MONTH.test(word.text) &&
  !DAY.test(word.text);

function dateAt(words: readonly Word[], at: number): TypedValue | null {
  const month = (index: number) => {
    const text = words[index]?.text ?? "";
    return MONTH.test(text) ? MONTHS.indexOf(text.slice(0, 3).toLowerCase()) + 1 : 0;
  };
  const dayOf = (index: number) => /^(\d{1,2})(?:th|st|nd|rd)?$/.exec(words[index]?.text ?? "")?.[1];
  const yearOf = (index: number) => /^(?:19|20)\d{2}$/.exec(words[index]?.text ?? "")?.[0];
  const day = dayOf(at);
  if (day !== undefined && month(at + 1) > 0) {
    const year = yearOf(at + 2);
    return {
      type: "date",
      key: [year, month(at + 1), day].filter(Boolean).join("-"),
      from: at,
      to: at + (year ? 3 : 2),
    };
  }
  if (month(at) > 0) {
    const follows = dayOf(at + 1);
    const year = yearOf(follows === undefined ? at + 1 : at + 2);
    const to = at + 1 + (follows === undefined ? 0 : 1) + (year === undefined ? 0 : 1);
    return { type: "date", key: [year, month(at), follows].filter(Boolean).join("-"), from: at, to };
  }
  const ordinal = /^(\d{1,2})(?:th|st|nd|rd)$/.exec(words[at]?.text ?? "")?.[1];
  if (ordinal !== undefined && /^(?:the|on)$/i.test(words[at - 1]?.text ?? "") && !words[at + 1]?.key)
    return { type: "date", key: ordinal, from: at, to: at + 1 };
  const year = yearOf(at);
  if (year !== undefined && /^(?:in|since|until|till|by|from)$/i.test(words[at - 1]?.text ?? ""))
    return { type: "date", key: year, from: at, to: at + 1 };
  return /^\d{4}-\d{2}-\d{2}$/.test(words[at]?.text ?? "")
    ? { type: "date", key: words[at]!.text, from: at, to: at + 1 }
    : null;
}

function phoneAt(words: readonly Word[], at: number): TypedValue | null {
  let to = at;
  while (/^\+?[\d()/-]+$/.test(words[to]?.text ?? "") && !(to > at && words[to - 1]!.isLast)) to++;
  const digits = words
    .slice(at, to)
    .map(({ text }) => text)
    .join("")
    .replace(/\D/g, "");
  return digits.length >= 6 && (to > at + 1 || digits.length >= 7)
    ? { type: "phone", key: digits, from: at, to }
    : null;
}

const PERIOD = /^(?:day|night|week|month|quarter|year|hour|minute|fortnight|morning|evening)$/i;
const NO_UNIT =
  /^(?:on|in|at|to|from|by|and|or|of|for|with|until|till|instead|now|not|since|every|each|per|a|an|the|is|are|has|have|as|but|because|so|rather|than|before|after|if|when|these|this|those|that|from)$/;
const RATE = /^(?:an?|per|each|every) (day|week|month|year|hour|minute|second|night)$/i;

function numberAt(words: readonly Word[], at: number): TypedValue | null {
  const { text, isLast } = words[at]!;
  const one = (type: ValueType, key = text): TypedValue => ({ type, key, from: at, to: at + 1 });
  if (/^\d{1,2}:\d{2}$/.test(text)) return one("time", text.replace(/^0(?=\d)/, ""));
  if (/^[$€£]\d/.test(text)) return one("money");
  if (/^\d[\d.]*%$/.test(text)) return one("percent");
  if (/^v?\d+(?:\.\d+)+$/i.test(text)) return one("version", text.replace(/^v/i, ""));
  if (
    /^one$/i.test(text) &&
    /^\p{Ll}{3,}$/u.test(words[at + 1]?.text ?? "") &&
    !isLast &&
    !NO_UNIT.test(words[at + 1]!.text)
  )
    return { ...one("number", "1"), unit: words[at + 1]!.key };
  if (!/^\d[\d.]*(?:th)?$/.test(text)) return null;
  const before = words[at - 1]?.text ?? "";
  const next = words[at + 1];
  const isUnit = !isLast && next?.key && /^\p{Ll}/u.test(next.text) && !NO_UNIT.test(next.text) && !isFinite(next.text);
  const unit = isUnit ? next.key : undefined;
  const rate =
    unit === undefined
      ? null
      : RATE.exec(
          words
            .slice(at + 2, at + 4)
            .map(word => word.text)
            .join(" "),
        );
  if (rate && unit === "time") return { type: "often", key: `${text}/${keyOf(rate[1]!)}`, from: at, to: at + 4 };
  if (rate) return { type: "rate", key: text, from: at, to: at + 2, unit: `${unit}/${keyOf(rate[1]!)}` };
  if (unit === undefined && /^(?:at|until|till|by|around|about)$/i.test(before) && Number(text) <= 24)
    return one("time", `${text}:00`);
  return { ...one("number"), ...(unit !== undefined && { unit }) };
}

function nameAt(words: readonly Word[], at: number): TypedValue | null {
  if (!isName(words[at])) return null;
  let to = at + 1;
  while (to < words.length && !words[to - 1]!.isLast && !/'s$/.test(words[to - 1]!.text) && isName(words[to])) to++;
  const text = words
    .slice(at, to)
    .map(word => bare(word.text))
    .join(" ");
  return { type: LANGUAGE.test(text) ? "language" : "name", key: keyOf(text), from: at, to };
}

function simpleAt(words: readonly Word[], at: number): TypedValue | null {
  const { text, key } = words[at]!;
  const one = (type: ValueType, value: string): TypedValue => ({ type, key: value, from: at, to: at + 1 });
  if (/^[^\s@]+@[^\s@]+\.\p{L}/u.test(text)) return one("email", text.toLowerCase());
  if (
    /^(?:https?:\/\/|www\.)|^[\w-]+(?:\.[\w-]+)*\.[a-z]{2,}(?:[:/]\S*)?$/i.test(text) &&
    !/^(?:e\.g|i\.e)/i.test(text)
  )
    return one("url", text.toLowerCase());
  if (
    !/^\p{Lu}/u.test(text) &&
    /^[a-z]+-(?:(?:north|south|east|west|central)\w*|\d+)(?:-\d+)?$|^(?=\D*\d)(?=[^a-z]*[a-z])[a-z\d]+(?:-[a-z\d]+)*$/i.test(
      text,
    ) &&
    !/^\d+(?:th|st|nd|rd|k|m|h|s|gb|mb|kg|km|cm|ms)?$/i.test(text)
  )
    return one("code", text.toLowerCase());
  const day = DAY.exec(text)?.[1];
  if (day !== undefined) return one("day", day.toLowerCase());
  const every = /^(?:every|each)$/i.test(text) && PERIOD.test(words[at + 1]?.text ?? "") ? words[at + 1]!.key : null;
  if (every !== null) return { type: "often", key: `1/${every}`, from: at, to: at + 2 };
  const often =
    /^(dai|week|month|quarter|year|hour|fortnight)l[iy]$/.exec(key)?.[1] ?? (/^daily$/i.test(text) ? "dai" : undefined);
  if (often !== undefined) return one("often", `1/${often}`);
  if (COLOR.test(text)) return one("color", keyOf(text));
  return null;
}

/** "At their desk", "in the canteen". */
function placeAt(words: readonly Word[], at: number): TypedValue | null {
  if (
    !/^(?:in|at|on)$/i.test(words[at]!.text) ||
    !/^(?:the|his|her|their|its|an?|our)$/i.test(words[at + 1]?.text ?? "")
  )
    return null;
  const noun = words[at + 2];
  return noun && /^\p{Ll}{3,}$/u.test(noun.text) && noun.key
    ? { type: "place", key: noun.key, from: at, to: at + 1 }
    : null;
}

/** The typed values of a statement, in order. No word is in two. */
export function valuesIn(words: readonly Word[]): TypedValue[] {
  const found: TypedValue[] = [];
  for (let at = 0; at < words.length;) {
    const value =
      simpleAt(words, at) ??
      dateAt(words, at) ??
      phoneAt(words, at) ??
      numberAt(words, at) ??
      nameAt(words, at) ??
      placeAt(words, at);
    if (value) found.push(value);
    at = value ? value.to : at + 1;
  }
  return found;
}
