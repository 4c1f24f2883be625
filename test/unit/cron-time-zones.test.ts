import fc from "fast-check";
import { latestBy as latestInUtc, nextAfter as nextInUtc, readCron } from "../../core/cron/occurrences.ts";
import { timeZone } from "../../core/cron/time-zone.ts";
import { latestBy, nextAfter } from "../../core/cron/zoned.ts";

const at = (text: string) => Date.parse(text);
const text = (ms: number | null) => (ms === null ? null : new Date(ms).toISOString().replace(":00.000Z", "Z"));

/** The due minutes after one instant, until another one. */
function due(expr: string, zone: string, after: string, until: string): string[] {
  const cron = readCron(expr);
  const found: string[] = [];
  for (let ms = nextAfter(cron, at(after), timeZone(zone)); ms !== null && ms <= at(until);) {
    found.push(text(ms)!);
    ms = nextAfter(cron, ms, timeZone(zone));
  }
  return found;
}

describe("a schedule in the night in which clocks skip an hour", () => {
  it.each([
    // 2026-03-29: 02:00 becomes 03:00 at 01:00 UTC.
    ["Europe/Berlin", "30 2 * * *", ["2026-03-28T01:30Z", "2026-03-29T01:00Z", "2026-03-30T00:30Z"]],
    // 2026-03-08: 02:00 becomes 03:00 at 07:00 UTC.
    ["America/New_York", "30 2 * * *", ["2026-03-07T07:30Z", "2026-03-08T07:00Z", "2026-03-09T06:30Z"]],
    // 2026-10-04: 02:00 becomes 02:30 at 15:30 UTC of the day before.
    ["Australia/Lord_Howe", "15 2 * * *", ["2026-10-02T15:45Z", "2026-10-03T15:30Z", "2026-10-04T15:15Z"]],
    // 2026-03-22, the end of Ramadan: 02:00 becomes 03:00 at 02:00 UTC.
    ["Africa/Casablanca", "30 2 * * *", ["2026-03-21T02:30Z", "2026-03-22T02:00Z", "2026-03-23T01:30Z"]],
  ])("runs skipped times as soon as the clocks have changed: %s %s", (zone, expr, expected) => {
    const day = at(expected[1]!);
    const [from, to] = [day - 2 * 86_400_000 + 3_600_000 * 20, day + 86_400_000 * 1.2];
    expect(due(expr, zone, new Date(from).toISOString(), new Date(to).toISOString()).slice(-3)).toEqual(expected);
  });

  it("runs once if several times are skipped", () => {
    expect(due("*/15 2,3 * * *", "Europe/Berlin", "2026-03-29T00:00:00Z", "2026-03-29T02:00:00Z")).toEqual([
      "2026-03-29T01:00Z",
      "2026-03-29T01:15Z",
      "2026-03-29T01:30Z",
      "2026-03-29T01:45Z",
    ]);
  });
});

describe("a schedule in the night in which clocks repeat an hour", () => {
  it.each([
    // 2026-10-25: 03:00 becomes 02:00 at 01:00 UTC.
    ["Europe/Berlin", "30 2 * * *", ["2026-10-24T00:30Z", "2026-10-25T00:30Z", "2026-10-26T01:30Z"]],
    // 2026-11-01: 02:00 becomes 01:00 at 06:00 UTC.
    ["America/New_York", "30 1 * * *", ["2026-10-31T05:30Z", "2026-11-01T05:30Z", "2026-11-02T06:30Z"]],
    // 2026-04-05: 02:00 becomes 01:30 at 15:00 UTC of the day before.
    ["Australia/Lord_Howe", "45 1 * * *", ["2026-04-03T14:45Z", "2026-04-04T14:45Z", "2026-04-05T15:15Z"]],
    // 2026-02-15, the beginning of Ramadan: 03:00 becomes 02:00 at 02:00 UTC.
    ["Africa/Casablanca", "30 2 * * *", ["2026-02-14T01:30Z", "2026-02-15T01:30Z", "2026-02-16T02:30Z"]],
  ])("runs repeated times once: %s %s", (zone, expr, expected) => {
    const day = at(expected[1]!);
    const [from, to] = [day - 86_400_000 * 1.5, day + 86_400_000 * 1.5];
    expect(due(expr, zone, new Date(from).toISOString(), new Date(to).toISOString())).toEqual(expected);
  });

  it("runs every hour if it is hourly", () => {
    expect(due("*/30 * * * *", "Europe/Berlin", "2026-10-25T00:00:00Z", "2026-10-25T02:00:00Z")).toEqual([
      "2026-10-25T00:30Z",
      "2026-10-25T01:00Z",
      "2026-10-25T01:30Z",
      "2026-10-25T02:00Z",
    ]);
  });
});

it.each(["Mars/Olympus", "+02:00", "", "Europe/Berlin ", "x".repeat(80), "../etc/passwd"])(
  "does not accept the time zone %j",
  name => {
    expect(timeZone(name)).toBeNull();
  },
);

describe("any schedule in any zone", () => {
  const zones = fc.constantFrom(
    ...["UTC", "Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Africa/Casablanca", "Asia/Kathmandu"],
    ...["Pacific/Apia", "America/St_Johns", "Antarctica/Troll"],
  );
  const exprs = fc.constantFrom(
    ...["* * * * *", "*/20 * * * *", "15 2 * * *", "*/7 1-3 * * *", "0 0 1 * *", "30 2 * 3,10 sun", "59 23 29 2 *"],
  );
  const instants = fc.integer({ min: at("2025-12-31T00:00:00Z"), max: at("2028-03-01T00:00:00Z") });

  it("is due at its next minute, and at no minute before it", () => {
    fc.assert(
      fc.property(exprs, zones, instants, (expr, name, ms) => {
        const [cron, zone] = [readCron(expr), timeZone(name)];
        const next = nextAfter(cron, ms, zone)!;
        expect(next).toBeGreaterThan(ms);
        expect(latestBy(cron, next, zone)).toBe(next);
        expect(latestBy(cron, next - 60_000, zone)!).toBeLessThanOrEqual(ms);
        const latest = latestBy(cron, ms, zone)!;
        expect(latest).toBeLessThanOrEqual(ms);
        expect(nextAfter(cron, latest, zone)).toBe(next);
      }),
      { numRuns: 400 },
    );
  });

  it("is the same in UTC as without a zone", () => {
    fc.assert(
      fc.property(exprs, instants, (expr, ms) => {
        const [cron, zone] = [readCron(expr), timeZone("UTC")];
        expect(nextAfter(cron, ms, zone)).toBe(nextInUtc(cron, ms));
        expect(latestBy(cron, ms, zone)).toBe(latestInUtc(cron, ms));
      }),
      { numRuns: 200 },
    );
  });
});
