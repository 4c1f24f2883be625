// Writes numbers, units and times of day in one form, so that equal values have equal texts.

const WORDS =
  "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty".split(
    " ",
  );
const TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split(" ");
/** "One" is a pronoun as often as a number. */
const WORD = new RegExp(
  `(?<![\\p{L}-])(?:${WORDS.slice(2).join("|")}|${TENS.join("|")})(?:-(?:${WORDS.slice(1, 10).join("|")}))?(?![\\p{L}-])`,
  "giu",
);
const ORDINALS = "first second third fourth fifth sixth seventh eighth ninth tenth".split(" ");
const ORDINAL = new RegExp(`\\b(${ORDINALS.slice(1).join("|")})\\b`, "gi");

function numberOf(word: string): string {
  const [tens = "", ones] = word.toLowerCase().split("-");
  const at = TENS.indexOf(tens);
  const first = at < 0 ? WORDS.indexOf(tens) : (at + 2) * 10;
  return String(first + (ones === undefined ? 0 : WORDS.indexOf(ones)));
}

/** A figure, from its first digit on. To begin at each digit of a long figure takes quadratic time. */
const N = "(?=\\d)(?<!\\d\\.*)(\\d[\\d.]*)";
const UNITS: readonly (readonly [RegExp, string | ((...groups: string[]) => string)])[] = [
  [/(?<=\d),(?=\d{3}\b)/g, ""],
  [/\b(\d+(?:\.\d+)?) ?k\b(?! ?m\b)/g, "$1000"],
  [new RegExp(`${N} ?(?:us )?(?:dollars?|usd|bucks)\\b`, "gi"), "$$$1"],
  [new RegExp(`${N} ?(?:euros?|eur|€)(?!\\p{L})`, "giu"), "€$1"],
  [new RegExp(`${N} ?(?:quid|gbp|pounds sterling)\\b`, "gi"), "£$1"],
  // "Pounds" is a weight too. From a thousand on, it is money.
  [/\b(\d{4,}) ?pounds\b/gi, "£$1"],
  [/\beur ?(?=\d)/gi, "€"],
  [/\busd ?(?=\d)/gi, "$$"],
  [new RegExp(`${N} ?(?:kgs?|kilos?|kilogram(?:me)?s?)\\b`, "gi"), "$1 kg"],
  [new RegExp(`${N} ?(?:km|kilomet(?:er|re)s?)\\b`, "gi"), "$1 km"],
  [new RegExp(`${N} ?(?:cm|centimet(?:er|re)s?)\\b`, "gi"), "$1 cm"],
  [new RegExp(`${N} ?(?:lbs?|pounds)\\b`, "gi"), "$1 lb"],
  [new RegExp(`${N} ?(?:ms|milliseconds?)\\b`, "gi"), "$1 ms"],
  [new RegExp(`${N} ?(?:s|secs?|seconds?)\\b`, "gi"), "$1 s"],
  [new RegExp(`${N} ?(?:mins?|minutes?)\\b`, "gi"), "$1 min"],
  [new RegExp(`${N} ?(?:h|hrs?|hours?)\\b`, "gi"), "$1 h"],
  [new RegExp(`${N} ?(gb|mb|tb|kb)\\b`, "gi"), "$1 $2"],
  [new RegExp(`${N} ?(?:%|percent\\b|per cent\\b)`, "gi"), "$1%"],
  [/\b(\d{1,2}) weeks\b/gi, (_, weeks: string) => `${Number(weeks) * 7} days`],
  [/\ba fortnight\b/gi, "14 days"],
  [/\btwice\b/gi, "2 times"],
  [/\bthrice\b/gi, "3 times"],
  [/\bonce (?=an? |per |every )/gi, "1 times "],
];

const TIME =
  /\b(\d{1,2})(?:[:.](\d{2}))? ?(?:o['’]clock)?(?: ?([ap])\.?m\b\.?| in the (morning|afternoon|evening)| at (night))|\b(\d{1,2}) o['’]clock|\b(noon|midnight)\b/gi;

function hours(
  whole: string,
  hour?: string,
  minutes = "00",
  half?: string,
  day?: string,
  night?: string,
  clock?: string,
  word?: string,
): string {
  if (word !== undefined) return /^noon$/i.test(word) ? "12:00" : "0:00";
  if (clock !== undefined) return `${Number(clock)}:00`;
  const at = Number(hour);
  if (at > 24) return whole;
  const isLate = /^p$/i.test(half ?? "") || /^(?:afternoon|evening)$/i.test(day ?? "") || night !== undefined;
  return `${(at % 12) + (isLate || (at === 12 && half === undefined) ? 12 : 0)}:${minutes}`;
}

/** A text with its numbers as figures, its units abbreviated, and its times of day as `15:00`. */
export function inFigures(text: string): string {
  let found = text.replace(WORD, numberOf);
  for (const [unit, short] of UNITS)
    found = typeof short === "string" ? found.replace(unit, short) : found.replace(unit, short);
  return found
    .replace(TIME, (whole: string, ...groups: (string | undefined)[]) => hours(whole, ...groups.slice(0, 7)))
    .replace(/\b([12])\.(\d)(\d)? ?m(?:et(?:er|re)s?)?\b/g, (_, m: string, d: string, c = "0") => `${m}${d}${c} cm`)
    .replace(/\bfirst(?= (?:floor|year|grade|semester|term|class|league|division|trimester)\b)/gi, "1th")
    .replace(ORDINAL, word => `${ORDINALS.indexOf(word.toLowerCase()) + 1}th`)
    .replace(/\b(\d+)(?:st|nd|rd)\b/g, "$1th");
}

/** A time of day in one form: `7:30`, `21:00`; null when the text is not a time of day. */
export function timeOfDay(text: string): string | null {
  const [, hour, minutes = "00"] =
    /^(?:at |around |about )?(\d{1,2})(?:[:.](\d{2}))?(?: (?:sharp|cet|utc|gmt))?$/i.exec(inFigures(text).trim()) ?? [];
  return hour === undefined || Number(hour) > 24 ? null : `${Number(hour)}:${minutes}`;
}

const OFTEN = /\b(?:daili|weekli|monthli|quarterli|yearli|annual|hourli)\b/g;
const QUANTITY = /[$€£]?\d[\d.:/]*(?:th)?%?/g;

/** A value without its quantities; null when it has none. */
export function frameOf(value: string): string | null {
  const frame = value.replace(OFTEN, "#").replace(QUANTITY, "#");
  return frame === value ? null : frame;
}

/** Whether the quantity is the value itself, rather than part of a name or a list. */
export function isMeasure(relation: string, value: string): boolean {
  if (/^(?:about |around |onli )?[$€£]?\d/.test(value) || new RegExp(OFTEN.source).test(value)) return true;
  if (relation === "be") return /^(?:(?:in|on|at) )?\d+th\b/.test(value);
  return /^do (?:us|run)$/.test(relation) && /^\D+ \d+(?:\.\d+)+$/.test(value);
}
