import { runInThisContext } from "node:vm";
import fc from "fast-check";
import { createSandbox, SandboxError } from "../../adapters/sandbox/index.ts";
import { createIntl } from "../../adapters/sandbox/intl-host.ts";

const sandbox = createSandbox({ processes: 1 });
afterAll(() => sandbox.close());

const run = async (code: string, input: unknown = null) =>
  (await sandbox.run({ code, globals: { input, steps: {} }, timeoutMs: 60_000, group: "w" })).output;
/** The same code in this process, whose own Intl is what code expects. The test's machine may be in any time zone. */
const here = (code: string) => runInThisContext(`(() => { ${code} })()`) as unknown;

test.each([
  "return new Date(0).toLocaleString('de-DE', {timeZone: 'Europe/Berlin', dateStyle: 'full', timeStyle: 'long'})",
  "return new Date(0).toLocaleString('en-GB', {timeZone: 'Asia/Kolkata'})",
  "return new Date(0).toLocaleDateString('fr', {timeZone: 'America/New_York'})",
  "return new Date(0).toLocaleDateString('de', {timeZone: 'UTC', weekday: 'long', hour: 'numeric'})",
  "return new Date(0).toLocaleDateString('de', {timeZone: 'UTC', hour: 'numeric'})",
  "return new Date(0).toLocaleTimeString('en-US', {timeZone: 'Asia/Tokyo'})",
  "return new Date(0).toLocaleTimeString('ja', {timeZone: 'UTC', year: 'numeric'})",
  "return new Date(NaN).toLocaleString('de')",
  "return [1234.5, -0, 1 / 0, 0 / 0, 0.1 + 0.2].map(n => n.toLocaleString('de-DE', {maximumFractionDigits: 20}))",
  "return [(0.256).toLocaleString('en', {style: 'percent'}), 12345678901234567890n.toLocaleString('hi-IN')]",
  "return [1234.5, new Date(0), null].toLocaleString('de', {timeZone: 'UTC'})",
  "return ['z', 'ä', 'a', 'B'].sort((a, b) => a.localeCompare(b, 'sv'))",
  "return ['a10', 'a9'].sort((a, b) => a.localeCompare(b, undefined, {numeric: true}))",
  "return ['résumé', 'resume', 'Resume'].sort((a, b) => a.localeCompare(b))",
  "return ['i'.toLocaleUpperCase('tr'), 'I'.toLocaleLowerCase(['tr']), 'ß'.toLocaleUpperCase()]",
  "return ['z', 'ä', 'a'].sort(new Intl.Collator('de').compare)",
  "return [1, 2].map(new Intl.NumberFormat('en', {minimumFractionDigits: 2}).format)",
  "return Intl.NumberFormat('de', {style: 'currency', currency: 'EUR'}).format('1234567890123456789.01')",
  "return new Intl.DateTimeFormat('en', {timeZone: 'Asia/Tokyo', hour: 'numeric'}).formatToParts(new Date(0))",
  "return new Intl.DateTimeFormat('en', {timeZone: 'UTC'}).formatRange(0, 1e9)",
  "return new Intl.PluralRules('en', {type: 'ordinal'}).select(2)",
  "return new Intl.RelativeTimeFormat('de', {numeric: 'auto'}).format(-1, 'day')",
  "return new Intl.ListFormat('en').format(new Set(['a', 'b', 'c']))",
  "return new Intl.DisplayNames('de', {type: 'region'}).of('CH')",
  "return new Intl.DurationFormat('en').format({hours: 1, minutes: 2})",
  "return [...new Intl.Segmenter('en', {granularity: 'word'}).segment('a b')].map(part => part.segment)",
  "return [Intl.getCanonicalLocales('EN-us'), Intl.NumberFormat.supportedLocalesOf(['de', 'xx'])]",
  "return new Intl.DateTimeFormat('en', {timeZone: 'Europe/Paris'}).resolvedOptions().timeZone",
  "return Object.prototype.toString.call(new Intl.NumberFormat('en'))",
])("formats as ECMA-402 says: %s", async code => expect(await run(code)).toEqual(here(code)));

test("uses UTC and English by default, whatever the machine", async () => {
  const code = `const at = new Date(0);
    return [at.getHours(), at.getTimezoneOffset(), at.toLocaleString(), Intl.DateTimeFormat().resolvedOptions().timeZone]`;
  expect(await run(code)).toEqual([0, 0, "1/1/1970, 12:00:00 AM", "UTC"]);
});

test.each([
  ["new Date(0).toLocaleString('de', {timeZone: 'Mars/Olympus'})", /RangeError: .*Mars\/Olympus/],
  ["new Intl.NumberFormat('de', {maximumFractionDigits: Infinity})", /RangeError/],
  ["(1).toLocaleString('no locale')", /RangeError/],
  ["new Date(0).toLocaleDateString('de', {timeStyle: 'short'})", /TypeError: .*timeStyle/],
  ["Date.prototype.toLocaleString.call({})", /TypeError/],
  ["new Intl.Locale('de')", /TypeError: .*write a locale as text, such as "de-CH"/],
  ["'x'.repeat(200000).localeCompare('y', 'de')", /RangeError: .*100,000 characters/],
])("reports a fault: %s", async (code, message) => {
  const error: unknown = await run(`return ${code}`).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(SandboxError);
  expect((error as Error).message).toMatch(message);
});

test("creates no millions of digits for an exponent", async () => {
  expect(await run("return new Intl.NumberFormat('en').format('1e400000000')")).toBe("∞");
  expect(await run("return new Intl.NumberFormat('en').format(BigInt('9'.repeat(5000)))")).toBe("∞");
});

test("sorts ASCII texts as the host does", async () => {
  const ascii = fc.string({ unit: fc.integer({ min: 32, max: 126 }).map(code => String.fromCharCode(code)) });
  const pairs = fc.sample(fc.tuple(ascii, ascii), 1_000);
  const near = pairs.map(([a]) => [a, a.toUpperCase()]).concat(pairs.map(([a, b]) => [a, a + b]));
  const all = [...pairs, ...near];
  const given = await run("return input.map(([a, b]) => Math.sign(a.localeCompare(b)))", all);
  const { compare } = new Intl.Collator("en-US");
  expect(given).toEqual(all.map(([a = "", b = ""]) => Math.sign(compare(a, b))));
});

test.each([
  { kind: "constructor", method: "format" },
  { kind: "Date", method: "constructor" },
  { kind: "NumberFormat", method: "constructor" },
  { kind: "NumberFormat", method: "__proto__" },
  { kind: "Intl", method: "Locale" },
])("calls only methods of the host's table: $kind.$method", call => {
  expect(createIntl()(call)).toMatchObject({ error: { name: "TypeError" } });
});

test("gives code that takes the language apart no access to the host", async () => {
  const code = `JSON.parse = JSON.stringify = () => ({}); WeakMap.prototype.get = () => 7; Array.from = null;
    const format = new Intl.NumberFormat('de').format;
    return [format(1.5), typeof process, typeof require, format.constructor('return typeof process')()]`;
  expect(await run(code)).toEqual(["1,5", "undefined", "undefined", "undefined"]);
});
