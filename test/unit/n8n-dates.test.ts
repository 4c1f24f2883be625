import { compileTemplates, createExpressions } from "../../adapters/expressions/index.ts";
import { jsToJsonata } from "../../core/exchange/n8n/js-to-jsonata.ts";
import type { References } from "../../core/exchange/n8n/references.ts";
import { typed } from "../../core/exchange/n8n/typed.ts";
import { Untranslatable } from "../../core/exchange/n8n/untranslatable.ts";

const expressions = createExpressions();
afterAll(() => expressions.close());

/** In Berlin it is half past one of a Sunday, half an hour before the clocks go forward. */
const MOMENT = { now: Date.parse("2026-03-29T00:30:15.020Z"), seed: "run:step@1" };
const input = { jsonata: "input", js: "input", guard: null, list: false };
const to = (zone?: string): References => ({
  own: () => input,
  named: () => input,
  hasRun: () => typed("true", "boolean", true),
  ...(zone !== undefined && { zone }),
});
const here = (expression: string, zone?: string): Promise<unknown> => {
  const templates = compileTemplates(`{{ ${jsToJsonata(expression, to(zone)).text} }}`);
  return Promise.resolve(expressions.resolve(templates, { input: {}, steps: {} }, { moment: () => MOMENT }));
};

it.each<[string, string, unknown]>([
  ["$now.toISO()", "Europe/Berlin", "2026-03-29T01:30:15.020+01:00"],
  ["$now.plus({ hours: 1 }).toISO()", "Europe/Berlin", "2026-03-29T03:30:15.020+02:00"],
  ["$now.toISO()", "UTC", "2026-03-29T00:30:15.020Z"],
  ["$now.toISODate()", "America/New_York", "2026-03-28"],
  ["$now.toFormat('yyyy-MM-dd HH:mm:ss')", "Europe/Berlin", "2026-03-29 01:30:15"],
  ["$now.toFormat(\"cccc d. LLLL yyyy, h:mm a 'o clock'\")", "UTC", "Sunday 29. March 2026, 12:30 AM o clock"],
  ["$now.plus({ days: 1 }).toFormat('dd.MM.yyyy HH:mm')", "Europe/Berlin", "30.03.2026 01:30"],
  ["$now.plus(2, 'weeks').toISODate()", "UTC", "2026-04-12"],
  ["$now.minus({ months: 1, days: 1 }).toISODate()", "UTC", "2026-02-27"],
  ["$now.startOf('day').toISO()", "Europe/Berlin", "2026-03-29T00:00:00.000+01:00"],
  ["$now.plus({ days: 1 }).startOf('day').toISO()", "Europe/Berlin", "2026-03-30T00:00:00.000+02:00"],
  ["$now.startOf('month').toISO()", "Europe/Berlin", "2026-03-01T00:00:00.000+01:00"],
  ["$now.startOf('month').minus({ days: 1 }).toFormat('d MMM')", "UTC", "28 Feb"],
  ["$now.startOf('year').toMillis()", "UTC", Date.parse("2026-01-01T00:00:00Z")],
  ["$today.toISO()", "America/New_York", "2026-03-28T00:00:00.000-04:00"],
  ["$now.month", "UTC", 3],
])("formats %s in %s as n8n does", async (expression, zone, wanted) => {
  expect(await here(expression, zone)).toBe(wanted);
});

it.each([
  ["$now.toFormat('DDDD')", "`DDDD`"],
  ["$now.toFormat('yyyy ooo')", "`ooo`"],
  ["$now.toFormat($json.format)", "`toFormat(…)`"],
  ["$now.toISO({ includeOffset: false })", "`toISO(…)`"],
  ["$now.plus({ fortnights: 1 })", '"fortnights"'],
  ["$now.plus($json.amount)", "computed"],
  ["$now.startOf('week')", '"week"'],
  ["$now.startOf($json.unit)", "computed"],
  ["$now.endOf('day')", "`endOf(…)`"],
  ["$now.toFormat(\"h 'o''clock'\")", "quotes"],
  ["$now.setZone('UTC')", "`setZone(…)`"],
  ["$now.diff($today)", "`diff(…)`"],
])("reports %s by name", (expression, reason) => {
  expect(() => jsToJsonata(expression, to("UTC"))).toThrow(Untranslatable);
  expect(() => jsToJsonata(expression, to("UTC"))).toThrow(reason);
});
