import { type TimeZone, timeZone } from "../cron/time-zone.ts";

const MONTHS = "January February March April May June July August September October November December".split(" ");
const DAYS = "Sunday Monday Tuesday Wednesday Thursday Friday Saturday".split(" ");
/** The tokens of a format, longest first. Text in single quotes stands for itself, and two quotes stand for one. */
const TOKENS = /'((?:[^']|'')*)'|yyyy|yy|MMMM|MMM|MM|M|dd|d|EEEE|EEE|HH|H|hh|h|mm|m|ss|s|SSS|a|ZZZ|ZZ|X|x/g;
const MAX_FORMAT_LENGTH = 200;
/** The largest time that a date can hold, in ms since 1970. */
const MAX_TIME = 8.64e15;
const MINUTE_MS = 60_000;

const UNITS = {
  millisecond: 1,
  second: 1_000,
  minute: MINUTE_MS,
  hour: 60 * MINUTE_MS,
  day: 1,
  week: 7,
  month: 1,
  quarter: 3,
  year: 12,
} as const;
type Unit = keyof typeof UNITS;

export class DateFault extends Error {}

const fault = (message: string): never => {
  throw new DateFault(message);
};

const two = (number: number, width = 2) => String(number).padStart(width, "0");

function zoneOf(name: string | undefined): TimeZone | null {
  if (name === undefined || name === "UTC") return null;
  return timeZone(name) ?? fault(`The time zone "${name}" is not known: use a name such as Europe/Berlin`);
}

const withinDates = (ms: number): number =>
  Number.isFinite(ms) && Math.abs(ms) <= MAX_TIME ? ms : fault("The time is outside the range of dates");

/**
 * Reads ISO 8601 text, or ms since 1970. Returns ms since 1970.
 * @throws {DateFault}
 */
export function instantOf(value: unknown): number {
  if (typeof value === "number") return withinDates(value);
  const text = typeof value === "string" ? value.trim() : "";
  const isIso = /^[+-]?\d{4,6}(-\d\d(-\d\d)?)?([T ]\d\d:\d\d|$)/.test(text);
  // A time without an offset is UTC, regardless of the machine's time zone.
  const zoned = /T|\d \d/.test(text) && !/(Z|[+-]\d\d:?\d\d)$/i.test(text) ? `${text.replace(" ", "T")}Z` : text;
  const ms = isIso ? Date.parse(zoned) : NaN;
  return Number.isNaN(ms)
    ? fault(`"${String(value)}" is not a time in ISO 8601: give its form, as in $parseDate(text, "dd.MM.yyyy")`)
    : ms;
}

function offsetText(ms: number, colon: string): string {
  const minutes = Math.abs(ms) / MINUTE_MS;
  return `${ms < 0 ? "-" : "+"}${two(Math.floor(minutes / 60))}${colon}${two(Math.floor(minutes % 60))}`;
}

/**
 * Formats an instant, such as by `dd.MM.yyyy HH:mm`, in a time zone.
 * @throws {DateFault}
 */
export function formatDate(value: unknown, format: string, zoneName?: string): string {
  const ms = instantOf(value);
  if (format.length > MAX_FORMAT_LENGTH) fault(`The format is longer than ${MAX_FORMAT_LENGTH} characters`);
  const offset = zoneOf(zoneName)?.offsetAt(ms) ?? 0;
  const local = new Date(withinDates(ms + offset));
  const [year, month, day] = [local.getUTCFullYear(), local.getUTCMonth(), local.getUTCDate()];
  const [hour, weekday] = [local.getUTCHours(), DAYS[local.getUTCDay()]!];
  const hour12 = hour % 12 || 12;
  const parts: Record<string, () => string> = {
    yyyy: () => two(year, 4),
    yy: () => two(year % 100),
    MMMM: () => MONTHS[month]!,
    MMM: () => MONTHS[month]!.slice(0, 3),
    MM: () => two(month + 1),
    M: () => String(month + 1),
    dd: () => two(day),
    d: () => String(day),
    EEEE: () => weekday,
    EEE: () => weekday.slice(0, 3),
    HH: () => two(hour),
    H: () => String(hour),
    hh: () => two(hour12),
    h: () => String(hour12),
    mm: () => two(local.getUTCMinutes()),
    m: () => String(local.getUTCMinutes()),
    ss: () => two(local.getUTCSeconds()),
    s: () => String(local.getUTCSeconds()),
    SSS: () => two(local.getUTCMilliseconds(), 3),
    a: () => (hour < 12 ? "AM" : "PM"),
    ZZZ: () => offsetText(offset, ""),
    ZZ: () => offsetText(offset, ":"),
    X: () => String(Math.floor(ms / 1_000)),
    x: () => String(ms),
  };
  return format.replace(TOKENS, (token, quoted?: string) =>
    quoted === undefined ? parts[token]!() : quoted.replaceAll("''", "'") || "'",
  );
}

const NUMBER = "(\\d{1,2})";
const names = (list: readonly string[], length?: number) => `(${list.map(name => name.slice(0, length)).join("|")})`;
const PATTERNS: Record<string, string> = {
  yyyy: "(\\d{4})",
  yy: "(\\d{2})",
  MMMM: names(MONTHS),
  MMM: names(MONTHS, 3),
  EEEE: names(DAYS),
  EEE: names(DAYS, 3),
  SSS: "(\\d{3})",
  a: "(AM|PM)",
  ZZZ: "(Z|[+-]\\d{4})",
  ZZ: "(Z|[+-]\\d{2}:\\d{2})",
  X: "(\\d{1,12})",
  x: "(\\d{1,15})",
};
const escaped = (text: string) => text.replace(/[$()*+.?[\\\]^{|}]/g, "\\$&");

/** The parts of a text, by token of the format. */
function readParts(text: string, format: string): Map<string, string> {
  const tokens: string[] = [];
  let [pattern, end] = ["", 0];
  for (const found of format.matchAll(TOKENS)) {
    const [token, quoted] = found;
    pattern += escaped(format.slice(end, found.index));
    end = found.index + token.length;
    if (quoted !== undefined) pattern += escaped(quoted.replaceAll("''", "'") || "'");
    else {
      // Each token may occur once. With many tokens of one or two digits, a text that does not match could take very
      // long.
      if (tokens.includes(token)) fault(`The format has "${token}" twice`);
      tokens.push(token);
      pattern += PATTERNS[token] ?? (token.length === 2 ? "(\\d{2})" : NUMBER);
    }
  }
  const values = new RegExp(`^${pattern}${escaped(format.slice(end))}$`, "i").exec(text);
  if (!values) return fault(`"${text.slice(0, 100)}" does not have the form "${format}"`);
  return new Map(tokens.map((token, i) => [token, values[i + 1]!]));
}

const indexIn = (list: readonly string[], name: string) =>
  list.findIndex(each => each.slice(0, 3).toLowerCase() === name.slice(0, 3).toLowerCase());

/** The year of a date, and its month from 0. */
function monthOf(parts: ReadonlyMap<string, string>): [year: number, month: number] {
  const name = parts.get("MMMM") ?? parts.get("MMM");
  const month = name === undefined ? Number(parts.get("MM") ?? parts.get("M") ?? 1) - 1 : indexIn(MONTHS, name);
  const short = parts.get("yy");
  return [short === undefined ? Number(parts.get("yyyy") ?? 1970) : 2000 + Number(short), month];
}

function hourOf(parts: ReadonlyMap<string, string>): number {
  const hour12 = parts.get("hh") ?? parts.get("h");
  if (hour12 === undefined) return Number(parts.get("HH") ?? parts.get("H") ?? 0);
  if (Number(hour12) < 1 || Number(hour12) > 12) return fault(`A 12-hour clock has no hour ${hour12}`);
  return (Number(hour12) % 12) + (parts.get("a")?.toUpperCase() === "PM" ? 12 : 0);
}

/**
 * The instant at which clocks of a zone show a local time. For a time that clocks skip, it is the instant of the
 * change.
 */
function instantAt(local: number, zone: TimeZone | null): number {
  return zone ? (zone.instantsOf(local)[0] ?? zone.afterGap(local)) : local;
}

/**
 * Reads a text in the given format. Returns ms since 1970. Text without an offset is read in the time zone.
 * @throws {DateFault}
 */
export function parseDate(text: string, format: string | undefined, zoneName?: string): number {
  const zone = zoneOf(zoneName);
  if (format === undefined) {
    const ms = instantOf(text);
    return /(Z|[+-]\d\d:?\d\d)$/i.test(text.trim()) ? ms : instantAt(ms, zone);
  }
  if (format.length > MAX_FORMAT_LENGTH) fault(`The format is longer than ${MAX_FORMAT_LENGTH} characters`);
  const parts = readParts(text, format);
  const [unix, unixMs] = [parts.get("X"), parts.get("x")];
  if (unix !== undefined || unixMs !== undefined) return Number(unixMs ?? Number(unix) * 1_000);
  const [year, month] = monthOf(parts);
  const number = (long: string, short: string) => Number(parts.get(long) ?? parts.get(short) ?? 0);
  const day = number("dd", "d") || 1;
  const [hour, minute, second] = [hourOf(parts), number("mm", "m"), number("ss", "s")];
  const local = new Date(0);
  local.setUTCFullYear(year, month, day);
  if (local.getUTCMonth() !== month || local.getUTCDate() !== day || hour > 23 || minute > 59 || second > 59)
    fault(`"${text}" is not a valid date or time`);
  local.setUTCHours(hour, minute, second, Number(parts.get("SSS") ?? 0));
  const offset = parts.get("ZZ") ?? parts.get("ZZZ");
  if (offset === undefined) return instantAt(local.getTime(), zone);
  const [, sign, hours = "0", minutes = "0"] = /([+-])(\d\d):?(\d\d)/.exec(offset) ?? [];
  return local.getTime() - (sign === "-" ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * MINUTE_MS;
}

/**
 * Adds an amount of time to an instant. Returns ms since 1970. Days and longer units follow the calendar of the time
 * zone: a day can have 23 or 25 hours, and a month after 31 January ends in February.
 * @throws {DateFault}
 */
export function addTime(value: unknown, amount: number, unitName: string, zoneName?: string): number {
  const ms = instantOf(value);
  const unit = unitName.toLowerCase().replace(/s$/, "") as Unit;
  if (!Object.hasOwn(UNITS, unit)) fault(`"${unitName}" is not a unit of time: use ${Object.keys(UNITS).join(", ")}`);
  if (!Number.isFinite(amount)) fault("The amount of time is not a number");
  const size = UNITS[unit];
  if (["millisecond", "second", "minute", "hour"].includes(unit)) return withinDates(ms + amount * size);
  if (!Number.isInteger(amount)) fault(`The number of ${unit}s is not a whole number`);
  const zone = zoneOf(zoneName);
  const local = new Date(ms + (zone?.offsetAt(ms) ?? 0));
  if (unit === "day" || unit === "week") local.setUTCDate(local.getUTCDate() + amount * size);
  else {
    const day = local.getUTCDate();
    local.setUTCDate(1);
    local.setUTCMonth(local.getUTCMonth() + amount * size);
    const last = new Date(Date.UTC(local.getUTCFullYear(), local.getUTCMonth() + 1, 0)).getUTCDate();
    local.setUTCDate(Math.min(day, last));
  }
  return withinDates(instantAt(withinDates(local.getTime()), zone));
}
