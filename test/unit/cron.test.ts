import { CronExpressionParser } from "cron-parser";
import fc from "fast-check";
import { latestBy, nextAfter, readCron } from "../../core/cron/occurrences.ts";
import { CronError } from "../../core/cron/parse.ts";

const at = (text: string) => Date.parse(text);
const next = (expr: string, from: string) => new Date(nextAfter(readCron(expr), at(from)) ?? NaN).toISOString();
const latest = (expr: string, by: string) => new Date(latestBy(readCron(expr), at(by)) ?? NaN).toISOString();

describe("the next due minute", () => {
  it.each([
    ["* * * * *", "2026-01-31T10:00:00.000Z", "2026-01-31T10:01:00.000Z"],
    ["* * * * *", "2026-01-31T10:00:59.999Z", "2026-01-31T10:01:00.000Z"],
    ["*/15 9-17 * * 1-5", "2026-01-30T17:45:00Z", "2026-02-02T09:00:00.000Z"],
    ["0 0 1 1 *", "2026-01-01T00:00:00Z", "2027-01-01T00:00:00.000Z"],
    ["30 6 * jan-MAR Mon,wed", "2026-01-31T00:00:00Z", "2026-02-02T06:30:00.000Z"],
    ["0 0 29 2 *", "2096-03-01T00:00:00Z", "2104-02-29T00:00:00.000Z"],
    ["0 0 31 4,5 *", "2026-01-01T00:00:00Z", "2026-05-31T00:00:00.000Z"],
    ["0 12 * * 7", "2026-01-31T00:00:00Z", "2026-02-01T12:00:00.000Z"],
    ["0 12 * * fri-sun", "2026-02-01T12:00:00Z", "2026-02-06T12:00:00.000Z"],
    ["59 23 31 12 *", "2026-12-31T23:58:30Z", "2026-12-31T23:59:00.000Z"],
    // Both days given: one of them is enough. With a star in one of them: both have to fit, as crontab(5) says.
    ["0 0 31 2 1", "2026-01-31T00:00:00Z", "2026-02-02T00:00:00.000Z"],
    ["0 0 13 * 5", "2026-02-01T00:00:00Z", "2026-02-06T00:00:00.000Z"],
    ["0 0 */10 * 1", "2026-01-31T00:00:00Z", "2026-05-11T00:00:00.000Z"],
  ])("%s after %s", (expr, from, expected) => expect(next(expr, from)).toBe(expected));
});

describe("the latest due minute", () => {
  it.each([
    ["* * * * *", "2026-01-31T10:00:00.000Z", "2026-01-31T10:00:00.000Z"],
    ["* * * * *", "2026-01-31T10:00:59.999Z", "2026-01-31T10:00:00.000Z"],
    ["0 9 * * 1-5", "2026-02-02T08:59:00Z", "2026-01-30T09:00:00.000Z"],
    ["0 0 29 2 *", "2026-02-01T00:00:00Z", "2024-02-29T00:00:00.000Z"],
    ["0 0 1 12 *", "2026-11-30T23:59:59Z", "2025-12-01T00:00:00.000Z"],
  ])("%s by %s", (expr, by, expected) => expect(latest(expr, by)).toBe(expected));
});

describe("the sentence that refuses an expression", () => {
  it.each([
    ["", "this one has 0"],
    ["* * * *", "this one has 4"],
    ["0 * * * * *", "this one has 6"],
    ["@daily", "this one has 1"],
    ["60 * * * *", "The minute field is out of range: 60. Allowed: 0 to 59."],
    ["* 24 * * *", "hour field is out of range: 24."],
    ["* * 0 * *", "day of month field is out of range: 0."],
    ["* * * 13 *", "month field is out of range: 13."],
    ["* * * * 8", "day of week field is out of range: 8."],
    ["-1 * * * *", "does not accept"],
    ["5-1 * * * *", "ends before it begins"],
    ["1-2-3 * * * *", "is not a range"],
    ["*/0 * * * *", "no step from 1 to 59"],
    ["*/60 * * * *", "no step from 1 to 59"],
    ["*/5/2 * * * *", "no step"],
    ["5/10 * * * *", "needs a range or * before its step"],
    ["1,,2 * * * *", "does not accept"],
    ["* * L * *", "does not accept"],
    ["* * ? * *", "does not accept"],
    ["H * * * *", "does not accept"],
    ["* * * foo *", "does not accept"],
    ["* * * * mon#1", "does not accept"],
    ["1.5 * * * *", "does not accept"],
    ["0 0 31 2 *", "No date ever fits"],
    ["0 0 30,31 feb *", "No date ever fits"],
    ["0 0 31 4,6,9,11 *", "No date ever fits"],
    [`${"1,".repeat(300)}1 * * * *`, "at most 512 characters"],
  ])("%s", (expr, sentence) => {
    expect(() => readCron(expr)).toThrow(CronError);
    expect(() => readCron(expr)).toThrow(sentence);
  });
});

const field = (min: number, max: number) => {
  const value = fc.integer({ min, max });
  const range = fc.tuple(value, value).map(([a, b]) => `${Math.min(a, b)}-${Math.max(a, b)}`);
  return fc.oneof(
    fc.constant("*"),
    value.map(String),
    range,
    fc.tuple(range, fc.integer({ min: 1, max: 9 })).map(([of, step]) => `${of}/${step}`),
    fc.uniqueArray(value, { minLength: 1, maxLength: 4 }).map(list => list.join(",")),
  );
};

it("agrees with another implementation, forward and backward", () => {
  const expr = fc.tuple(field(0, 59), field(0, 23), field(1, 31), field(1, 12), field(0, 6)).map(all => all.join(" "));
  const moment = fc.integer({ min: at("2000-01-01T00:00:00Z"), max: at("2060-01-01T00:00:00Z") });
  const read = (text: string) => {
    try {
      return readCron(text);
    } catch {
      return null;
    }
  };
  fc.assert(
    fc.property(expr, moment, (text, ms) => {
      const cron = read(text);
      fc.pre(cron !== null);
      const other = () => CronExpressionParser.parse(text, { tz: "UTC", currentDate: new Date(ms) });
      expect(nextAfter(cron, ms)).toBe(other().next().getTime());
      // The other one looks strictly before.
      expect(latestBy(cron, ms - 1)).toBe(other().prev().getTime());
    }),
    { numRuns: 300 },
  );
});
