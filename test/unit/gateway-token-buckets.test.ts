import type { IncomingMessage } from "node:http";
import fc from "fast-check";
import { clientKey } from "../../services/gateway/http/client-address.ts";
import { TokenBuckets } from "../../services/gateway/access/token-buckets.ts";

describe("a token bucket", () => {
  it("gives its whole capacity at once, and then as fast as it fills", () => {
    const buckets = new TokenBuckets(3, 2);
    expect([0, 0, 0, 0].map(now => buckets.take("a", now).allowed)).toEqual([true, true, true, false]);
    expect(buckets.take("a", 499).allowed).toBe(false);
    expect(buckets.take("a", 500).allowed).toBe(true);
    expect(buckets.take("a", 501).allowed).toBe(false);
  });

  it("says how much is left and when to retry", () => {
    const buckets = new TokenBuckets(2, 0.1);
    expect(buckets.take("a", 0)).toEqual({
      allowed: true,
      limit: 2,
      remaining: 1,
      resetSeconds: 10,
      retryAfterSeconds: 0,
    });
    buckets.take("a", 0);
    expect(buckets.take("a", 0)).toEqual({
      allowed: false,
      limit: 2,
      remaining: 0,
      resetSeconds: 20,
      retryAfterSeconds: 10,
    });
    expect(buckets.take("a", 10_000).allowed).toBe(true);
  });

  it("gives exactly what capacity and time allow", () => {
    const gaps = fc.array(fc.integer({ min: 0, max: 3_000 }), { maxLength: 60 });
    fc.assert(
      fc.property(
        gaps,
        fc.integer({ min: 1, max: 5 }),
        fc.integer({ min: 1, max: 5 }),
        (steps, capacity, perSecond) => {
          const buckets = new TokenBuckets(capacity, perSecond);
          let now = 0;
          let allowed = 0;
          for (const step of steps) {
            now += step;
            if (buckets.take("a", now).allowed) allowed++;
            expect(allowed).toBeLessThanOrEqual(capacity + (now / 1_000) * perSecond + 1e-6);
          }
          expect(allowed).toBeGreaterThanOrEqual(Math.min(steps.length, capacity));
        },
      ),
    );
  });

  it("is separate for each key", () => {
    const buckets = new TokenBuckets(1, 1);
    expect(buckets.take("a", 0).allowed).toBe(true);
    expect(buckets.take("b", 0).allowed).toBe(true);
    expect(buckets.take("a", 0).allowed).toBe(false);
  });

  it("is dropped, least recently used first, if there are too many", () => {
    const buckets = new TokenBuckets(1, 0.001, 2);
    for (const key of ["a", "b", "a", "c"]) buckets.take(key, 0);
    expect(buckets.size).toBe(2);
    expect(buckets.take("a", 0).allowed).toBe(false);
    expect(buckets.take("b", 0).allowed).toBe(true);
  });
});

describe("the key of an address", () => {
  const keyOf = (remoteAddress: string) =>
    clientKey({ headers: {}, socket: { remoteAddress } } as unknown as IncomingMessage, false);

  it.each([
    ["10.0.0.1", "10.0.0.1"],
    ["::ffff:10.0.0.1", "10.0.0.1"],
    ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2"],
    ["2001:db8:1:2::9", "2001:db8:1:2"],
    ["no address", "unknown"],
    ["", "unknown"],
  ])("%s", (address, key) => expect(keyOf(address)).toBe(key));
});
