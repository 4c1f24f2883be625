const DAY_MS = 86_400_000;
const MONTHS = [
  "january",
  "february",
  "march",
  "april",
  "may",
  "june",
  "july",
  "august",
  "september",
  "october",
  "november",
  "december",
];
const DAYS = ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"];
const NUMBERS = [
  "zero",
  "one",
  "two",
  "three",
  "four",
  "five",
  "six",
  "seven",
  "eight",
  "nine",
  "ten",
  "eleven",
  "twelve",
];

const MONTH = `(${MONTHS.join("|")}|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)\\.?`;
const WEEKDAY = `(${DAYS.join("|")})`;
const DAY = "(\\d{1,2})(?:st|nd|rd|th)?";
const COUNT = `(\\d{1,3}|an?|${NUMBERS.slice(1).join("|")}|a couple of|a few)`;
const UNIT = "(day|week|month|year)s?";

type Match = RegExpExecArray;
interface Clock {
  now: Date;
  /** The statement is about the past, not the future. */
  past: boolean;
}

/** Months count from 0. Months and days may be out of range. Null for impossible dates. */
function day(year: number, month = 0, date = 1): Date | null {
  const found = new Date(Date.UTC(year, month, date));
  return date > 31 || year < 1000 || Number.isNaN(found.getTime()) ? null : found;
}

const shifted = (from: Date, days: number) => new Date(from.getTime() + days * DAY_MS);
const today = (now: Date) => new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate()));
const monthOf = (name: string) => MONTHS.findIndex(month => month.startsWith(name.slice(0, 3)));
const monday = (now: Date) => shifted(today(now), -((now.getUTCDay() + 6) % 7));
const isBefore = (a: Date, b: Date) => a.getTime() < b.getTime();

/** A day and month without a year: the last such day, or the next. */
function nearest(month: number, date: number, { now, past }: Clock): Date | null {
  const year = now.getUTCFullYear();
  const found = day(year, month, date);
  if (!found) return null;
  if (past) return isBefore(today(now), found) ? day(year - 1, month, date) : found;
  const over = isBefore(found, date === 1 ? (day(year, now.getUTCMonth()) ?? found) : today(now));
  return over ? day(year + 1, month, date) : found;
}

function counted(text: string): number {
  if (/^an?$/.test(text)) return 1;
  if (text === "a couple of") return 2;
  if (text === "a few") return 3;
  return /^\d/.test(text) ? Number(text) : NUMBERS.indexOf(text);
}

function ago(now: Date, count: number, unit: string): Date | null {
  const [year, month, date] = [now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate()];
  if (unit === "year") return day(year - count, month, date);
  if (unit === "month") return day(year, month - count, date);
  return shifted(today(now), -count * (unit === "week" ? 7 : 1));
}

function weekday(name: string, which: string | undefined, { now, past }: Clock): Date {
  const index = (DAYS.indexOf(name) + 6) % 7;
  if (which === "next") return shifted(monday(now), 7 + index);
  const inThisWeek = shifted(monday(now), index);
  if (which === "this") return inThisWeek;
  const back = which === "last" || past;
  if (back) return isBefore(inThisWeek, today(now)) ? inThisWeek : shifted(inThisWeek, -7);
  return isBefore(today(now), inThisWeek) ? inThisWeek : shifted(inThisWeek, 7);
}

function period(which: string, unit: string, now: Date): Date | null {
  const step = { last: -1, this: 0, next: 1 }[which] ?? 0;
  if (unit === "year") return day(now.getUTCFullYear() + step);
  if (unit === "month") return day(now.getUTCFullYear(), now.getUTCMonth() + step);
  return shifted(monday(now), 7 * step + (unit === "weekend" ? 5 : 0));
}

const WORDS: Record<string, number> = {
  ...{ "the day before yesterday": -2, yesterday: -1, "last night": -1, today: 0, tonight: 0, tomorrow: 1 },
  ...{ "this morning": 0, "this afternoon": 0, "this evening": 0, "the day after tomorrow": 2 },
};

/** The forms of a date, most exact first. */
const FORMS: [RegExp, (match: Match, clock: Clock) => Date | null][] = [
  [/\b(\d{4})-(\d{2})-(\d{2})\b/, ([, y, m, d]) => day(Number(y), Number(m) - 1, Number(d))],
  [new RegExp(`\\b${DAY} (?:of )?${MONTH},? (\\d{4})\\b`), ([, d, m, y]) => day(Number(y), monthOf(m!), Number(d))],
  [new RegExp(`\\b${MONTH} ${DAY},? (\\d{4})\\b`), ([, m, d, y]) => day(Number(y), monthOf(m!), Number(d))],
  [new RegExp(`\\b${MONTH},? (\\d{4})\\b`), ([, m, y]) => day(Number(y), monthOf(m!))],
  [new RegExp(`\\b${DAY} (?:of )?${MONTH}\\b`), ([, d, m], clock) => nearest(monthOf(m!), Number(d), clock)],
  [new RegExp(`\\b${MONTH} ${DAY}\\b(?!:)`), ([, m, d], clock) => nearest(monthOf(m!), Number(d), clock)],
  [
    new RegExp(`\\b(${Object.keys(WORDS).join("|")})\\b`),
    ([, word], { now }) => shifted(today(now), WORDS[word!] ?? 0),
  ],
  [new RegExp(`\\b${COUNT} ${UNIT} ago\\b`), ([, count, unit], { now }) => ago(now, counted(count!), unit!)],
  [
    new RegExp(`\\bin ${COUNT} ${UNIT}\\b(?! of)`),
    ([, count, unit], { now, past }) => (past ? null : ago(now, -counted(count!), unit!)),
  ],
  [
    new RegExp(`\\b(?:(last|this|next|on|by|until|till|for|to|is|coming) )${WEEKDAY}\\b`),
    ([, which, name], clock) => weekday(name!, which, clock),
  ],
  [/\b(last|this|next) (week|weekend|month|year)\b/, ([, which, unit], { now }) => period(which!, unit!, now)],
  [
    /\b(last|this|next) (spring|summer|autumn|fall|winter)\b/,
    ([, which, season], { now }) => period(which!, "year", now) && seasonOf(which!, season!, now),
  ],
  [
    new RegExp(`\\b(?:in|since|last|next|this|of|until|by|from) ${MONTH}(?! \\d)\\b`),
    ([, m], clock) => nearest(monthOf(m!), 1, clock),
  ],
  [/\b(?:in|since|from|of|during|until|by) ((?:19|20)\d{2})\b/, ([, y]) => day(Number(y))],
];

function seasonOf(which: string, season: string, now: Date): Date | null {
  const month = { spring: 2, summer: 5, autumn: 8, fall: 8, winter: 11 }[season] ?? 0;
  if (which === "this") return day(now.getUTCFullYear(), month);
  return nearest(month, 1, { now, past: which === "last" });
}

/** Recurring times are not dates. */
const RECURRING = new RegExp(
  `\\b(?:every|each|most|on) (?:\\w+ )?(?:${DAYS.join("|")})s\\b|\\bevery\\b|\\beach (?:day|week|month|year)\\b`,
);

/**
 * The first date in a text, to the day, as the start of the period that it names: ISO dates, days and months, and
 * expressions relative to `now`. `past` decides when either direction is possible. Null when the text contains no date.
 */
export function dateIn(text: string, clock: Clock): Date | null {
  const lower = text.toLowerCase();
  if (RECURRING.test(lower)) return null;
  for (const [form, read] of FORMS) {
    const match = form.exec(lower);
    // "may" and "march" are verbs too.
    if (!match || (/^(?:in|since)? ?(?:may|march)$/.test(match[0]) && !/^(?:in|since)/.test(match[0]))) continue;
    const found = read(match, clock);
    if (found) return found;
  }
  return null;
}

const DATE_WORDS = new RegExp(
  `,?\\s*\\b(?:${Object.keys(WORDS).join("|")}|${COUNT} ${UNIT} ago|in ${COUNT} ${UNIT}|(?:last|next|this) (?:week|weekend|month|year|spring|summer|autumn|fall|winter|${DAYS.join("|")})|(?:in|since|last) ${MONTH}(?: \\d{4})?|(?:in|since) (?:19|20)\\d{2}|(?:since|after|over) (?:new year|christmas|easter)(?:'s)?|since (?:the|their|his|her) [\\w ]{3,30}|for (?:${COUNT}|many|several|some) ${UNIT})\\b`,
  "gi",
);

/** The text without words that only state a time. */
export const withoutDates = (text: string): string => text.replace(DATE_WORDS, "").trim();

/** A day in one form: `5-17`, `1990-5-4`, `monday`; null when the text is not a day. */
export function dayKey(text: string): string | null {
  const lower = text.toLowerCase();
  const [, d1, m1, y1] = new RegExp(`^(?:the )?${DAY} (?:of )?${MONTH}(?:,? (\\d{4}))?$`).exec(lower) ?? [];
  const [, m2, d2, y2] = new RegExp(`^${MONTH} ${DAY}(?:,? (\\d{4}))?$`).exec(lower) ?? [];
  const [month, date, year] = [m1 ?? m2, d1 ?? d2, y1 ?? y2];
  if (month !== undefined) return [year, monthOf(month) + 1, Number(date)].filter(Boolean).join("-");
  const [, name] = new RegExp(`^(?:(?:last|next|this) )?(?:${WEEKDAY}s?|week|month|year)(?: .*)?$`).exec(lower) ?? [];
  const [, alone] = new RegExp(`^(?:next |this |early |late |mid-?)?${MONTH}$`).exec(lower) ?? [];
  if (alone !== undefined) return String(monthOf(alone) + 1);
  return name ?? (/^(?:next|this) (?:week|month|year)|^\d{4}-\d{2}-\d{2}$|^tomorrow/.test(lower) ? lower : null);
}
