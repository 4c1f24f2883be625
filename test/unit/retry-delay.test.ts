import fc from "fast-check";
import { policy } from "../../core/graph/definition.ts";
import { retryDelay } from "../../core/run/fail-step.ts";

const ms = fc.oneof(fc.integer({ min: 0, max: 86_400_000 }), fc.double({ min: 0, max: 86_400_000, noNaN: true }));
const retries = fc
  .record({
    maxAttempts: fc.integer({ min: 1, max: 100 }),
    backoff: fc.constantFrom("exponential" as const, "fixed" as const),
    initialMs: ms,
    maxMs: ms,
    jitter: fc.double({ min: 0, max: 1, noNaN: true }),
  })
  .map(retry => policy.parse({ retry }).retry);
const random = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
const failures = fc.integer({ min: 1, max: 120 });

test("doubles delays up to the longest, and ends with the attempts", () => {
  const { retry } = policy.parse({ retry: { maxAttempts: 5, initialMs: 100, maxMs: 300, jitter: 0 } });
  expect([1, 2, 3, 4, 5, 6].map(count => retryDelay(retry, count, 0.5))).toEqual([100, 200, 300, 300, null, null]);
  expect([1, 2, 3, 4].map(count => retryDelay({ ...retry, backoff: "fixed" }, count, 0.5))).toEqual([
    100, 100, 100, 100,
  ]);
});

test("has a next attempt only if the policy has one left", () => {
  fc.assert(
    fc.property(retries, failures, random, (retry, count, chance) => {
      expect(retryDelay(retry, count, chance) === null).toBe(count >= retry.maxAttempts);
    }),
  );
});

test("gives whole milliseconds within the jitter of the base, never longer than maxMs", () => {
  fc.assert(
    fc.property(retries, failures, random, (retry, count, chance) => {
      const delay = retryDelay(retry, count, chance);
      fc.pre(delay !== null);
      const base = retryDelay({ ...retry, jitter: 0 }, count, 0) ?? NaN;
      expect(Number.isSafeInteger(delay)).toBe(true);
      expect(delay).toBeGreaterThanOrEqual(Math.floor(base * (1 - retry.jitter)));
      expect(delay).toBeLessThanOrEqual(Math.min((base + 1) * (1 + retry.jitter), retry.maxMs ?? 60_000));
    }),
  );
});

test("gives no shorter delay than the one before without jitter", () => {
  fc.assert(
    fc.property(retries, failures, random, random, (made, count, chance, other) => {
      const retry = { ...made, jitter: 0 };
      const [delay, next] = [retryDelay(retry, count, chance), retryDelay(retry, count + 1, other)];
      fc.pre(delay !== null && next !== null);
      expect(next).toBeGreaterThanOrEqual(delay);
    }),
  );
});

test("spreads attempts at the longest delay too", () => {
  const { retry } = policy.parse({ retry: { maxAttempts: 99, initialMs: 100, maxMs: 1_000, jitter: 0.2 } });
  const drawn = Array.from({ length: 100 }, (_, i) => retryDelay(retry, 50, i / 100));
  expect(new Set(drawn).size).toBe(100);
});
