import type { Js } from "./js-expression.ts";
import { methodOf, type References } from "./references.ts";
import { call, literal, type Typed, typed } from "./typed.ts";
import { shown, Untranslatable } from "./untranslatable.ts";

/** The tokens of Luxon that mean the same in Weft, and those that have another name. */
const TOKENS = /'[^']*'|([A-Za-z])\1*/g;
const SAME = new Set("yyyy yy MMMM MMM MM M dd d EEEE EEE HH H hh h mm m ss s SSS a ZZZ ZZ X x".split(" "));
const RENAMED: Readonly<Record<string, string>> = {
  y: "yyyy",
  LLLL: "MMMM",
  LLL: "MMM",
  LL: "MM",
  L: "M",
  cccc: "EEEE",
  ccc: "EEE",
};
const UNITS = new Set("millisecond second minute hour day week month quarter year".split(" "));
/** The formats of numeric parts of a time. */
const PARTS: Readonly<Record<string, string>> = {
  year: "yyyy",
  month: "M",
  day: "d",
  hour: "H",
  minute: "m",
  second: "s",
};

/**
 * Translates a format of Luxon to one of `$formatDate`.
 * @throws {Untranslatable} when a token has no counterpart
 */
export function dateFormat(format: string): string {
  // Luxon has its own rules for a quote inside quoted text, and for an unclosed quote.
  if (format.includes("''") || format.split("'").length % 2 === 0)
    throw new Untranslatable("quotes in a date format that do not enclose text");
  return format.replaceAll(TOKENS, token => {
    if (token.startsWith("'") || SAME.has(token)) return token;
    const known = RENAMED[token];
    if (known === undefined) throw new Untranslatable(`the part \`${shown(token)}\` of a date format`);
    return known;
  });
}

const zoned = (args: Typed[], { zone }: References): Typed[] => (zone === undefined ? args : [...args, literal(zone)]);

export const formatted = (time: Typed, format: string, to: References): Typed =>
  call("formatDate", zoned([time, literal(dateFormat(format))], to), "text");

export function added(time: Typed, amount: Typed, unit: string, to: References): Typed {
  const single = unit.toLowerCase().replace(/s$/, "");
  if (!UNITS.has(single)) throw new Untranslatable(`the unit of time "${shown(unit)}"`);
  return call("addTime", zoned([time, amount, literal(single)], to), "text");
}

export const now = (): Typed => typed("$now()", "text", true);

/** The first day of a unit of time, as a format. */
const FIRST_DAYS: Readonly<Record<string, string>> = { day: "yyyy-MM-dd", month: "yyyy-MM-'01'", year: "yyyy-'01-01'" };

/** The first moment of the day, month or year of a time, in the workflow's time zone. */
function startOf(time: Typed, unit: string, to: References): Typed {
  const format = Object.hasOwn(FIRST_DAYS, unit) ? FIRST_DAYS[unit]! : undefined;
  if (format === undefined) throw new Untranslatable(`the start of a unit of time "${shown(unit)}"`);
  const day = call("formatDate", zoned([time, literal(format)], to), "text");
  return call("parseDate", zoned([day, literal("yyyy-MM-dd")], to), "text");
}

const isName = (js: Js, name: string) => js.kind === "name" && js.name === name;
const isDateTime = (js: Js) => isName(js, "DateTime");

/**
 * Reads text in ISO 8601 as a time whose text can be compared. Text that does not end in `Z` is refused outside UTC,
 * because n8n may read it in the workflow's time zone.
 * @throws {Untranslatable}
 */
function fromText(value: Typed, { zone }: References): Typed {
  if (zone !== undefined && zone !== "UTC" && !/Z$/.test(String(value.literal ?? "")))
    throw new Untranslatable("a time that is read from text by the clocks of a time zone");
  return call("addTime", [value, literal(0), literal("day")], "text");
}

/** The amounts of `plus` and `minus`: `{days: 2}`, or `2, "days"`. */
function amountsOf(args: readonly Js[], into: (js: Js) => Typed): [Typed, string][] {
  const [first, unit] = args;
  if (first?.kind === "object") return first.entries.map(([name, value]) => [into(value), name]);
  if (first && unit?.kind === "literal" && typeof unit.value === "string") return [[into(first), unit.value]];
  throw new Untranslatable("an amount of time that is computed");
}

/** An expression that stands for a time, such as `$now.plus({days: 2})`; null for anything else. */
function timeOf(js: Js, to: References, into: (js: Js) => Typed): Typed | null {
  if (isName(js, "$now")) return now();
  if (isName(js, "$today")) return startOf(now(), "day", to);
  if (js.kind === "call" && js.isNew && isName(js.callee, "Date"))
    return js.args.length === 0 ? now() : js.args.length === 1 ? fromText(into(js.args[0]!), to) : null;
  const method = methodOf(js);
  if (!method) return null;
  const { object, name, args } = method;
  if (isDateTime(object)) {
    if (name === "now") return now();
    return name === "fromISO" && args.length === 1 ? fromText(into(args[0]!), to) : null;
  }
  if (name === "toDateTime" && args.length === 0) return fromText(into(object), to);
  if (name !== "plus" && name !== "minus" && name !== "startOf") return null;
  const time = timeOf(object, to, into);
  if (!time) return null;
  if (name === "startOf") {
    const [unit, ...more] = args;
    if (unit?.kind === "literal" && typeof unit.value === "string" && more.length === 0)
      return startOf(time, unit.value, to);
    throw new Untranslatable("`startOf` of a unit of time that is computed");
  }
  return amountsOf(args, into).reduce((at, [amount, unit]) => {
    const back = name === "minus";
    const signed = !back
      ? amount
      : typeof amount.literal === "number"
        ? literal(-amount.literal)
        : typed(`-(${amount.text})`, "number");
    return added(at, signed, unit, to);
  }, time);
}

/**
 * Translates the use of a time: its text, its number, or a part of it. Returns null for an expression without times.
 */
export function dateOf(js: Js, to: References, into: (js: Js) => Typed): Typed | null {
  const time = timeOf(js, to, into);
  if (time) return time;
  if (js.kind === "member" && typeof js.name === "string" && Object.hasOwn(PARTS, js.name)) {
    const of = timeOf(js.object, to, into);
    return of && call("number", [formatted(of, PARTS[js.name]!, to)], "number");
  }
  const method = methodOf(js);
  const of = method && timeOf(method.object, to, into);
  if (!method || !of) return null;
  const [first] = method.args;
  switch (method.name) {
    case "toISO":
      if (method.args.length > 0) break;
      // Luxon writes the offset of the time zone, and `Z` for UTC.
      return to.zone === undefined || to.zone === "UTC" ? of : formatted(of, "yyyy-MM-dd'T'HH:mm:ss.SSSZZ", to);
    case "toISOString":
    case "toJSON":
    case "toString":
      return of;
    case "toISODate":
      return formatted(of, "yyyy-MM-dd", to);
    case "toFormat":
    case "format":
      if (first?.kind === "literal" && typeof first.value === "string") return formatted(of, first.value, to);
      break;
    case "toMillis":
    case "getTime":
    case "valueOf":
      return call("toMillis", [of], "number");
  }
  throw new Untranslatable(`\`${shown(method.name)}(…)\` of a time`);
}
