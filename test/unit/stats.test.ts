import fc from "fast-check";
import type { ExecutionStatus } from "../../contracts/entities/execution.ts";
import { daysIn, startOf } from "../../core/stats/days.ts";
import {
  histogramOf,
  mergeHistograms,
  percentile,
  RELATIVE_ERROR,
  type Histogram,
} from "../../core/stats/histogram.ts";
import { mergeStats, runsIn, statsOf } from "../../core/stats/run-stats.ts";

/** Durations of every order of magnitude, to 34 years. */
const duration = fc.oneof(
  fc.nat(200),
  fc.nat(100_000),
  fc.tuple(fc.nat(39), fc.double({ min: 1, max: 2, noNaN: true })).map(([e, f]) => Math.floor(2 ** e * f)),
);
const durations = fc.array(duration, { minLength: 1, maxLength: 200 });
const share = fc.oneof(fc.constantFrom(0.5, 0.95, 1), fc.double({ min: 0.001, max: 1, noNaN: true }));

/** The percentile by definition: nearest rank. */
const exact = (values: number[], of: number) =>
  values.toSorted((a, b) => a - b)[Math.max(Math.ceil(values.length * of), 1) - 1]!;

describe("a histogram of durations", () => {
  it("returns every percentile within the stated error", () => {
    fc.assert(
      fc.property(durations, share, (values, of) => {
        const truth = exact(values, of);
        const found = percentile(histogramOf(values), of)!;
        expect(Number.isInteger(found)).toBe(true);
        expect(Math.abs(found - truth)).toBeLessThanOrEqual(truth * RELATIVE_ERROR);
      }),
      { numRuns: 500 },
    );
  });

  it("is exact below 64 ms, without gaps and steps back between bucket sizes", () => {
    for (let ms = 0; ms < 64; ms++) expect(percentile(histogramOf([ms]), 0.5)).toBe(ms);
    for (let power = 6; power < 40; power++) {
      const around = [-2, -1, 0, 1, 2].map(by => percentile(histogramOf([2 ** power + by]), 1)!);
      expect(around).toEqual(around.toSorted((a, b) => a - b));
    }
  });

  it("can be merged from parts, in any grouping and order", () => {
    fc.assert(
      fc.property(durations, durations, durations, (a, b, c) => {
        const [x, y, z] = [a, b, c].map(histogramOf) as [Histogram, Histogram, Histogram];
        const whole = histogramOf([...a, ...b, ...c]);
        expect(mergeHistograms([mergeHistograms([x, y]), z])).toEqual(whole);
        expect(mergeHistograms([x, mergeHistograms([y, z])])).toEqual(whole);
        expect(mergeHistograms([z, y, x])).toEqual(whole);
      }),
    );
  });

  it("has a limited number of buckets, whatever is counted", () => {
    const values = Array.from({ length: 20_000 }, (_, i) => 1.002 ** i).filter(Number.isFinite);
    const histogram = histogramOf([-5, 0, ...values, Number.MAX_VALUE, Infinity]);
    expect(Object.keys(histogram).length).toBeLessThan(1_200);
    expect(percentile(histogram, 0.00001)).toBe(0);
  });

  it("has no percentile if it is empty, and survives storage as JSON", () => {
    expect(percentile({}, 0.5)).toBeNull();
    const histogram = histogramOf([100_000, 5, 70, 5]);
    expect(JSON.parse(JSON.stringify(histogram))).toEqual(histogram);
    expect(percentile(JSON.parse(JSON.stringify(histogram)) as Histogram, 0.5)).toBe(5);
  });
});

describe("statistics of runs", () => {
  const finished = fc.record({
    status: fc.constantFrom<ExecutionStatus>("completed", "failed", "cancelled"),
    startedAt: fc.option(fc.nat(10_000).map(ms => new Date(ms))),
    finishedAt: fc.nat(10_000).map(ms => new Date(ms)),
  });
  const runs = fc.array(finished, { maxLength: 30 });

  it("can be merged from parts", () => {
    fc.assert(
      fc.property(runs, runs, runs, (a, b, c) => {
        const whole = statsOf([...a, ...b, ...c]);
        expect(mergeStats([mergeStats([statsOf(a), statsOf(b)]), statsOf(c)])).toEqual(whole);
        expect(mergeStats([statsOf(a), mergeStats([statsOf(b), statsOf(c)])])).toEqual(whole);
        expect(runsIn(whole)).toBe(a.length + b.length + c.length);
      }),
    );
  });

  it("count a run that never started without a duration, and an end before its start as zero", () => {
    const at = new Date(1_000);
    expect(statsOf([{ status: "cancelled", finishedAt: at }])).toMatchObject({ cancelled: 1, durations: {} });
    expect(statsOf([{ status: "failed", startedAt: new Date(2_000), finishedAt: at }]).durations).toEqual({ 0: 1 });
  });
});

test("covers every UTC day that a range touches, and not the one that starts at its end", () => {
  const days = (from: string, to: string) => daysIn(new Date(from), new Date(to));
  expect(days("2024-02-28T23:59:59.999Z", "2024-03-01T00:00:00.000Z")).toEqual(["2024-02-28", "2024-02-29"]);
  expect(days("2024-12-31T00:00:00.000Z", "2025-01-01T00:00:00.001Z")).toEqual(["2024-12-31", "2025-01-01"]);
  expect(days("2024-05-05T00:00:00.000Z", "2024-05-05T00:00:00.000Z")).toEqual([]);
  expect(startOf("2024-02-29").toISOString()).toBe("2024-02-29T00:00:00.000Z");
});
