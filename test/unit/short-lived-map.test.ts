import { ShortLivedMap } from "../../service-kit/short-lived-map.ts";

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

const mapOf = (...keys: string[]) => {
  const map = new ShortLivedMap<string>({ max: 3, ms: 1_000 });
  for (const key of keys) map.set(key, key.toUpperCase());
  return map;
};

it("keeps the most recently used values, up to its limit", () => {
  const map = mapOf("a", "b", "c");
  expect(map.get("a")).toBe("A");
  map.set("d", "D");
  expect(["a", "b", "c", "d"].map(key => map.get(key))).toEqual(["A", undefined, "C", "D"]);
});

it("drops unused values after their time, without a call", () => {
  const map = mapOf("a", "b");
  jest.advanceTimersByTime(600);
  map.get("a");
  jest.advanceTimersByTime(401);
  expect(map.size).toBe(1);
  expect(map.get("b")).toBeUndefined();
  expect(map.get("a")).toBe("A");
  jest.advanceTimersByTime(1_001);
  expect(map.size).toBe(0);
  expect(jest.getTimerCount()).toBe(0);
});

it("returns a value once if it is taken", () => {
  const map = mapOf("a");
  expect([map.take("a"), map.take("a"), map.size]).toEqual(["A", undefined, 0]);
});
