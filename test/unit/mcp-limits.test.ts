import { readHeaderParameters } from "../../adapters/mcp/header-parameters.ts";
import { backoffMs } from "../../core/backoff.ts";
import { checkForm, proveForm } from "../../core/forms/check-form.ts";
import { inCurrentDraft } from "../../adapters/mcp/current-draft.ts";
import { isWithinDepth } from "../../adapters/mcp/limits.ts";
import { createListenStreamLimit } from "../../adapters/mcp/listen-stream-limit.ts";
import { maskerOf } from "../../core/credentials/mask.ts";
import { RecentMap } from "../../adapters/mcp/recent-map.ts";
import { LISTEN_AGAIN, nextListenAttempt } from "../../adapters/mcp/session.ts";

describe("parameters that are sent as headers", () => {
  const marked = (type: unknown, name: unknown = "Region") => ({ type, "x-mcp-header": name });

  test("are found on properties at any depth", () => {
    const inner = { type: "object", properties: { b: marked("integer", "B") } };
    expect(readHeaderParameters({ type: "object", properties: { a: marked("string", "A"), inner } })).toEqual({
      names: ["A", "B"],
    });
    expect(readHeaderParameters({ type: "object", properties: { a: { default: marked("string") } } })).toEqual({
      names: [],
    });
  });

  test.each([
    [{ properties: { a: marked("number") } }, "a header parameter is neither text, an integer nor true or false"],
    [{ properties: { a: marked("string", "two words") } }, "a header parameter names no header"],
    [
      { properties: { a: marked("string", "A"), b: marked("string", "a") } },
      "two header parameters have the same name",
    ],
    [marked("string"), "a header parameter is not a property"],
    [{ properties: { a: { items: marked("string") } } }, "a header parameter is not a property"],
    [{ anyOf: [{ properties: { a: marked("string") } }] }, "a header parameter is not a property"],
  ])("make a tool unusable in a place that is not allowed: %j", (schema, fault) => {
    expect(readHeaderParameters(schema)).toEqual({ fault });
  });
});

test("checks a tuple of an earlier draft as a tuple", () => {
  const schema = {
    $schema: "http://json-schema.org/draft-07/schema#",
    type: "object",
    properties: {
      pair: { type: "array", items: [{ type: "string" }, { type: "number" }], additionalItems: false },
      items: { type: "array", items: { type: "string" } },
      above: { type: "number", minimum: 1, exclusiveMinimum: true, maximum: 3, exclusiveMaximum: false },
      within: { type: "number", exclusiveMinimum: 1, maximum: 3 },
      // Names of properties, and no keywords.
      properties: { properties: { minimum: true, exclusiveMinimum: { type: "string" } } },
    },
  };
  expect(proveForm(inCurrentDraft(schema))).toEqual({ faults: [] });
  const faultsOf = (data: unknown) => checkForm(inCurrentDraft(schema), data).faults?.length;
  expect(faultsOf({ pair: ["a", 1], items: ["a"] })).toBe(0);
  expect(faultsOf({ pair: [1, "a"] })).toBeGreaterThan(0);
  expect(faultsOf({ pair: ["a", 1, 2] })).toBeGreaterThan(0);
  expect(faultsOf({ items: [1] })).toBeGreaterThan(0);
  for (const name of ["above", "within"]) {
    expect([1, 4].map(value => faultsOf({ [name]: value }))).not.toContain(0);
    expect([1.5, 3].map(value => faultsOf({ [name]: value }))).toEqual([0, 0]);
  }
  expect(faultsOf({ properties: { minimum: 1, exclusiveMinimum: "a" } })).toBe(0);
  expect(faultsOf({ properties: { exclusiveMinimum: 1 } })).toBeGreaterThan(0);
});

test("measures depth without recursion", () => {
  let value: unknown = 1;
  for (let level = 0; level < 200_000; level++) value = [value];
  expect(isWithinDepth(value, 100)).toBe(false);
  expect([0, 1, 2].map(max => isWithinDepth({ a: [1] }, max))).toEqual([false, false, true]);
  expect(isWithinDepth("text", 0)).toBe(true);
});

test("masks secrets in every readable spelling, while short ones leave words unchanged", () => {
  const secret = 'to"ken\\ of/mine';
  const texts = [
    secret,
    JSON.stringify({ secret }),
    JSON.stringify({ text: JSON.stringify({ secret }) }),
    `?t=${encodeURIComponent(secret)}`,
  ];
  for (const text of texts) {
    const masked = maskerOf([secret, "a"])(text);
    expect(masked).toContain("•••");
    expect(masked).not.toMatch(/ken|mine/);
  }
  expect(maskerOf([secret])({ secret })).toEqual({ secret: "•••" });
  expect(maskerOf(["a", "wor"])("a word")).toBe("a word");
});

test("reopens a stream that the server ends with growing delays, until it stays open", () => {
  const pauses = (stoodMs: number[]) => {
    let tries = 1;
    return stoodMs.map(stood => backoffMs(LISTEN_AGAIN, (tries = nextListenAttempt(tries, stood))));
  };
  expect(pauses([0, 5, 900, 0, 0, 0, 59_999])).toEqual([2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000]);
  expect(pauses([0, 0, 60_000, 3_600_000, 0])).toEqual([2_000, 4_000, 1_000, 1_000, 2_000]);
});

test("limits streams in total and by origin, and releases each once", () => {
  const places = createListenStreamLimit(18);
  const taken = Array.from({ length: 16 }, () => places.take("http://a"));
  expect(taken.every(leave => leave !== undefined)).toBe(true);
  expect(places.take("http://a")).toBeUndefined();
  expect([places.take("http://b"), places.take("http://c"), places.take("http://d")].map(Boolean)).toEqual([
    true,
    true,
    false,
  ]);
  taken[0]?.();
  taken[0]?.();
  expect([places.take("http://a"), places.take("http://a")].map(Boolean)).toEqual([true, false]);
});

test("evicts the least recently used entry first", () => {
  const recent = new RecentMap<number>(2);
  recent.set("a", 1);
  recent.set("b", 2);
  recent.get("a");
  recent.set("c", 3);
  expect(["a", "b", "c"].map(key => recent.get(key))).toEqual([1, undefined, 3]);
});
