/** A call of `Intl`, or of a method that depends on a locale. All fields are JSON. */
export interface IntlCall {
  kind: string;
  method: string;
  locales?: unknown;
  options?: unknown;
  args?: readonly unknown[];
}

/** `value` is absent when the call returns undefined. */
export type IntlAnswer = { value?: unknown } | { error: { name: "RangeError" | "TypeError"; message: string } };

/** The most characters of a call and of its text. ICU's time and memory have no other limit. */
export const MAX_INTL_LENGTH = 100_000;
const MAX_FORMATTERS = 50;
/** The default locale. Without it, results would depend on the machine. */
const LOCALE = "en-US";

type Formatter = Record<string, (...args: readonly unknown[]) => unknown>;
type Constructor = (new (locales: unknown, options: unknown) => Formatter) & {
  supportedLocalesOf: (locales: unknown, options?: unknown) => string[];
};

const asIs = (args: readonly unknown[]) => args;
const numbers = (args: readonly unknown[]) => args.map(Number);
/** Plain decimals keep all their digits. In other notations, a short exponent could produce millions of digits. */
const DECIMAL = /^-?\d{1,1000}(\.\d{1,100})?$/;
const decimals = (args: readonly unknown[]) =>
  args.map(value => (typeof value === "string" && DECIMAL.test(value) ? value : Number(value)));

interface Kind {
  methods: readonly string[];
  read: (args: readonly unknown[]) => readonly unknown[];
}

const KINDS: Record<string, Kind> = {
  Collator: { methods: ["compare"], read: args => args.map(String) },
  DateTimeFormat: { methods: ["format", "formatToParts", "formatRange", "formatRangeToParts"], read: numbers },
  DisplayNames: { methods: ["of"], read: asIs },
  DurationFormat: { methods: ["format", "formatToParts"], read: asIs },
  ListFormat: { methods: ["format", "formatToParts"], read: asIs },
  NumberFormat: { methods: ["format", "formatToParts", "formatRange", "formatRangeToParts"], read: decimals },
  PluralRules: { methods: ["select", "selectRange"], read: numbers },
  RelativeTimeFormat: { methods: ["format", "formatToParts"], read: ([value, unit]) => [Number(value), unit] },
  Segmenter: { methods: ["segment"], read: args => args.map(String) },
};

const OTHERS: Record<string, (call: IntlCall) => unknown> = {
  "Intl.getCanonicalLocales": ({ args: [locales] = [] }) => Intl.getCanonicalLocales(locales as string),
  "Intl.supportedValuesOf": ({ args: [key] = [] }) => Intl.supportedValuesOf(key as "currency"),
  "String.toLocaleLowerCase": ({ args: [text] = [], locales }) => String(text).toLocaleLowerCase(locales as string),
  "String.toLocaleUpperCase": ({ args: [text] = [], locales }) => String(text).toLocaleUpperCase(locales as string),
};

const DAY = { year: "numeric", month: "numeric", day: "numeric" } as const;
const CLOCK = { hour: "numeric", minute: "numeric", second: "numeric" } as const;
const OF_DAY = ["weekday", "year", "month", "day"];
const OF_CLOCK = ["dayPeriod", "hour", "minute", "second", "fractionalSecondDigits"];
const STYLES = ["dateStyle", "timeStyle"];

/** What the methods of Date show if the options select no part (ECMA-402, ToDateTimeOptions). */
const DATE_METHODS: Record<string, { named: readonly string[]; defaults: object; refused?: string }> = {
  toLocaleString: { named: [...OF_DAY, ...OF_CLOCK], defaults: { ...DAY, ...CLOCK } },
  toLocaleDateString: { named: OF_DAY, defaults: DAY, refused: "timeStyle" },
  toLocaleTimeString: { named: OF_CLOCK, defaults: CLOCK, refused: "dateStyle" },
};

function dateOptions(method: string, options: unknown): object {
  if (options === null) throw new TypeError("The options are null.");
  const { named, defaults, refused } = DATE_METHODS[method]!;
  const given = Object(options ?? {}) as object;
  if (refused && Object.hasOwn(given, refused)) throw new TypeError(`${method} takes no ${refused}.`);
  return [...named, ...STYLES].some(name => Object.hasOwn(given, name)) ? given : { ...given, ...defaults };
}

/**
 * The printable ASCII characters in collation order. Upper-case letters are left out, because they sort like their
 * lower case.
 */
export const ASCII_ORDER = Array.from({ length: 95 }, (_, i) => String.fromCharCode(32 + i))
  .filter(char => !/[A-Z]/.test(char))
  .sort(new Intl.Collator(LOCALE).compare)
  .join("");

/**
 * Answers calls from inside a sandbox with the `Intl` of this process. It takes and returns only JSON, calls only the
 * methods above, and reads neither clock nor environment, so equal calls have equal answers. One instance serves one
 * run of code.
 */
export function createIntl(): (call: IntlCall) => IntlAnswer {
  const formatters = new Map<string, Formatter>();

  const formatter = (kind: string, locales: unknown, options: unknown): Formatter => {
    const key = JSON.stringify([kind, locales, options]);
    const known = formatters.get(key);
    if (known) return known;
    const make = (Intl as unknown as Record<string, Constructor>)[kind]!;
    const made = new make(locales, options);
    if (formatters.size >= MAX_FORMATTERS) formatters.clear();
    formatters.set(key, made);
    return made;
  };

  const valueOf = (call: IntlCall): unknown => {
    const { kind, method, locales = LOCALE, options, args = [] } = call;
    const name = `${kind}.${method}`;
    if (kind === "Date" && Object.hasOwn(DATE_METHODS, method)) {
      const time = Number(args[0]);
      if (Number.isNaN(time)) return "Invalid Date";
      return formatter("DateTimeFormat", locales, dateOptions(method, options)).format!(time);
    }
    if (Object.hasOwn(OTHERS, name)) return OTHERS[name]!(call);
    if (!Object.hasOwn(KINDS, kind)) throw new TypeError(`Intl.${kind} is not in the sandbox.`);
    if (method === "supportedLocalesOf")
      return (Intl as unknown as Record<string, Constructor>)[kind]!.supportedLocalesOf(locales, options);
    const { methods, read } = KINDS[kind]!;
    const made = formatter(kind, locales, options);
    if (method === "resolvedOptions") return made.resolvedOptions!();
    if (!methods.includes(method)) throw new TypeError(`Intl.${name} is not in the sandbox.`);
    const value = made[method]!(...read(args));
    return kind === "Segmenter" ? [...(value as Iterable<unknown>)] : value;
  };

  return call => {
    try {
      return { value: valueOf(call) };
    } catch (error) {
      const name = error instanceof RangeError ? "RangeError" : "TypeError";
      return { error: { name, message: (error as Error).message } };
    }
  };
}
