import fc from "fast-check";
import { retryWait } from "../../core/retry-wait.ts";

describe("the wait until a server that is away is tried again", () => {
  it("doubles from a quarter of a second to five, and half of it is up to chance", () => {
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
