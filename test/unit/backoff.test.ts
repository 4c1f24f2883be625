import fc from "fast-check";
import { backoffMs, SERVER_UNAVAILABLE } from "../../core/backoff.ts";

const retryWait = (tries: number, random: number) => backoffMs(SERVER_UNAVAILABLE, tries, random);

describe("the delay before the next connection attempt", () => {
  it("doubles from 0.25 s to 5 s, and half of it is random", () => {
    expect([1, 2, 3, 4, 5, 6, 1_000].map(tries => retryWait(tries, 1))).toEqual([
      250, 500, 1_000, 2_000, 4_000, 5_000, 5_000,
    ]);
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1e6 }), fc.double({ min: 0, max: 1, noNaN: true }), (tries, random) => {
        const most = retryWait(tries, 1);
        expect(retryWait(tries, random)).toBeGreaterThanOrEqual(most / 2);
        expect(retryWait(tries, random)).toBeLessThanOrEqual(most);
      }),
    );
  });
});

describe("a backoff", () => {
  it("doubles from the first delay to the longest, without randomness", () => {
    const delays = [0, 1, 2, 3, 4, 1e6].map(failures => backoffMs({ firstMs: 10, mostMs: 70 }, failures));
    expect(delays).toEqual([10, 10, 20, 40, 70, 70]);
    expect(backoffMs({ firstMs: 0, mostMs: 70 }, 1e6)).toBe(0);
  });

  it("spreads a delay by the given share", () => {
    const backoff = { firstMs: 100, mostMs: 1_000, spread: [0.5, 1.5] } as const;
    expect([0, 0.5, 1].map(random => backoffMs(backoff, 2, random))).toEqual([100, 200, 300]);
  });
});
