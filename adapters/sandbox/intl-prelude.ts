/* eslint-disable @typescript-eslint/unbound-method -- they are kept from what the code may change, and called by `call` */
/**
 * Runs inside the sandbox, like `prelude`, and adds `Intl` and the methods that depend on a locale. QuickJS implements
 * these methods without locales and time zones, and ignores the arguments. `ask` takes the JSON of an IntlCall and
 * returns the JSON of its IntlAnswer. `asciiOrder` is ASCII_ORDER.
 */
export function intlPrelude(ask: (call: string) => string, asciiOrder: string): void {
  const { parse, stringify } = JSON;
  const [AnyDate, AnyNumber, AnyRangeError, AnyTypeError, text, list] = [
    Date,
    Number,
    RangeError,
    TypeError,
    String,
    Array.from,
  ];
  const { create, defineProperty } = Object;
  const { getTime } = Date.prototype;
  const { valueOf: numberOf } = Number.prototype;
  const { valueOf: bigintOf } = BigInt.prototype;
  const now = Date.now;
  const made = new WeakMap<object, { locales: unknown; options: unknown }>();
  const [look, keep] = [WeakMap.prototype.get, WeakMap.prototype.set];
  const isInfinite = (value: unknown) => value !== value || value === Infinity || value === -Infinity;

  /** JSON has neither these numbers nor -0, so they are sent as text, which the host converts back. */
  const sent = (_: string, value: unknown) =>
    typeof value === "number" && (isInfinite(value) || (value === 0 && 1 / value < 0))
      ? value === 0
        ? "-0"
        : text(value)
      : value;

  const request = (kind: string, method: string, given: object): unknown => {
    const answer = parse(ask(stringify({ __proto__: null, kind, method, ...given }, sent))) as {
      value?: unknown;
      error?: { name: string; message: string };
    };
    if (!answer.error) return answer.value;
    throw new (answer.error.name === "RangeError" ? AnyRangeError : AnyTypeError)(answer.error.message);
  };

  const method = (on: object, name: string, value: (...args: never[]) => unknown) => {
    defineProperty(value, "name", { value: name, configurable: true });
    defineProperty(on, name, { value, writable: true, configurable: true });
  };

  const time = (value: unknown) =>
    value === undefined ? now() : value instanceof AnyDate ? getTime.call(value) : AnyNumber(value);
  const numeric = (value: unknown) =>
    typeof value === "bigint" || typeof value === "string" ? text(value) : AnyNumber(value);
  const same = (value: unknown) => value;

  const intl = {};
  defineProperty(intl, Symbol.toStringTag, { value: "Intl", configurable: true });
  method(intl, "getCanonicalLocales", (locales?: unknown) =>
    locales === undefined ? [] : request("Intl", "getCanonicalLocales", { args: [locales] }),
  );
  method(intl, "supportedValuesOf", (key: unknown) => request("Intl", "supportedValuesOf", { args: [key] }));

  const define = (
    kind: string,
    { read, bound, methods }: { read: (value: unknown) => unknown; bound?: string; methods: string[] },
  ) => {
    const make = function (this: object | undefined, locales?: unknown, options?: unknown) {
      const self = new.target ? this! : (create(make.prototype as object) as object);
      // Checks the options here, so that faults are reported here. Copying them as text protects them from later
      // changes.
      const given = parse(stringify({ __proto__: null, locales, options }, sent)) as {
        locales: unknown;
        options: unknown;
      };
      request(kind, "resolvedOptions", given);
      keep.call(made, self, given);
      return self;
    };
    const { prototype } = make as unknown as { prototype: object };
    const given = (self: object): object => {
      const found = look.call(made, self) as object | undefined;
      if (!found) throw new AnyTypeError(`This is not an Intl.${kind}.`);
      return found;
    };
    const perform = (self: object, name: string, values: unknown[]) =>
      request(kind, name, { ...given(self), args: values.map(read) });
    defineProperty(prototype, Symbol.toStringTag, { value: `Intl.${kind}`, configurable: true });
    method(make, "supportedLocalesOf", (locales: unknown, options: unknown) =>
      locales === undefined ? [] : request(kind, "supportedLocalesOf", { locales, options }),
    );
    method(prototype, "resolvedOptions", function (this: object) {
      return request(kind, "resolvedOptions", given(this));
    });
    for (const name of methods) {
      method(prototype, name, function (this: object, ...values: unknown[]) {
        return perform(this, name, values);
      });
    }
    if (bound !== undefined) {
      defineProperty(prototype, bound, {
        configurable: true,
        get(this: object) {
          given(this);
          return (...values: unknown[]) => perform(this, bound, values.length > 0 ? values : [undefined]);
        },
      });
    }
    defineProperty(make, "name", { value: kind, configurable: true });
    defineProperty(intl, kind, { value: make, writable: true, configurable: true });
  };

  const ranges = ["formatToParts", "formatRange", "formatRangeToParts"];
  define("Collator", { read: text, bound: "compare", methods: [] });
  define("DateTimeFormat", { read: time, bound: "format", methods: ranges });
  define("DisplayNames", { read: text, methods: ["of"] });
  define("DurationFormat", { read: same, methods: ["format", "formatToParts"] });
  define("ListFormat", { read: value => list(value as string[]), methods: ["format", "formatToParts"] });
  define("NumberFormat", { read: numeric, bound: "format", methods: ranges });
  define("PluralRules", { read: value => AnyNumber(value), methods: ["select", "selectRange"] });
  define("RelativeTimeFormat", { read: same, methods: ["format", "formatToParts"] });
  define("Segmenter", { read: text, methods: ["segment"] });
  method(intl, "Locale", function () {
    throw new AnyTypeError('Intl.Locale is not in the sandbox: write a locale as text, such as "de-CH".');
  });
  defineProperty(globalThis, "Intl", { value: intl, writable: true, configurable: true });

  const formatted = (value: unknown, locales: unknown, options: unknown) =>
    request("NumberFormat", "format", { locales, options, args: [value] });
  method(Number.prototype, "toLocaleString", function (this: number, locales: unknown, options: unknown) {
    return formatted(numberOf.call(this), locales, options);
  });
  method(BigInt.prototype, "toLocaleString", function (this: bigint, locales: unknown, options: unknown) {
    return formatted(text(bigintOf.call(this)), locales, options);
  });
  for (const name of ["toLocaleString", "toLocaleDateString", "toLocaleTimeString"]) {
    method(Date.prototype, name, function (this: Date, locales: unknown, options: unknown) {
      return request("Date", name, { locales, options, args: [getTime.call(this)] });
    });
  }

  const { charCodeAt } = String.prototype;
  const ranks = new Uint8Array(128);
  for (let i = 0; i < asciiOrder.length; i++) ranks[asciiOrder.charCodeAt(i)] = i + 1;
  for (let code = 65; code <= 90; code++) ranks[code] = ranks[code + 32]!;
  /**
   * Compares two ASCII texts in the host's order, because a sort would call the host too often. Undefined for other
   * texts.
   */
  const compareAscii = (one: string, other: string): number | undefined => {
    let [first, byCase] = [0, 0];
    const length = one.length > other.length ? one.length : other.length;
    for (let i = 0; i < length; i++) {
      const a = i < one.length ? charCodeAt.call(one, i) : -1;
      const b = i < other.length ? charCodeAt.call(other, i) : -1;
      if (a === -1 || b === -1) {
        if (!ranks[a === -1 ? b : a]) return undefined;
        first ||= a === -1 ? -1 : 1;
      } else if (!ranks[a] || !ranks[b]) return undefined;
      else if (ranks[a] !== ranks[b]) first ||= ranks[a] < ranks[b] ? -1 : 1;
      else if (a !== b) byCase ||= a > b ? -1 : 1;
    }
    return first || byCase;
  };
  method(String.prototype, "localeCompare", function (this: string, that: unknown, locales: unknown, options: unknown) {
    const args = [text(this), text(that)] as const;
    const known = locales === undefined && options === undefined ? compareAscii(...args) : undefined;
    return known ?? request("Collator", "compare", { locales, options, args });
  });
  for (const [name, plain] of [
    ["toLocaleLowerCase", String.prototype.toLowerCase],
    ["toLocaleUpperCase", String.prototype.toUpperCase],
  ] as const) {
    method(String.prototype, name, function (this: string, locales: unknown) {
      return locales === undefined ? plain.call(this) : request("String", name, { locales, args: [text(this)] });
    });
  }
  method(Array.prototype, "toLocaleString", function (this: unknown[], locales: unknown, options: unknown) {
    const one = (value: unknown) =>
      value === undefined || value === null
        ? ""
        : text((value as { toLocaleString(l: unknown, o: unknown): string }).toLocaleString(locales, options));
    return list(this, one).join(",");
  });
}
