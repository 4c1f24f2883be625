import { faultSpan } from "../../core/expressions/fault-span.ts";
import { hiddenSecrets } from "../../core/expressions/secret-path.ts";
import { levelsSeen } from "../../core/run/scope-levels.ts";
import { parseDefinition } from "../../core/graph/parse-definition.ts";
import { shorten } from "../../core/shorten.ts";
import { definition, gives, node } from "../support/definition.ts";

describe("the place of a fault", () => {
  it.each<[string, Parameters<typeof faultSpan>[1], string]>([
    ["a {{ b c }} d", { source: " b c ", position: 4 }, "c"],
    ["a {{ $fn(1) }}", { source: " $fn(1) ", position: 5 }, "$fn("],
    ["{{ a }} {{ b + }}", { source: " b + " }, " b + "],
    ["{{ a }} {{ b }}", {}, " a "],
    ["{{ a }}", { source: " a ", position: 99 }, " a "],
    ["{{ a }} and {{ b", {}, "{{ b"],
    ["no expression", {}, "no expression"],
  ])("in %j with %j is %j", (text, place, expected) => {
    const { from, to } = faultSpan(text, place);
    expect(text.slice(from, to)).toBe(expected);
  });
});

describe("the beginning of a value", () => {
  it("is the value itself if it is small", () => {
    const value = { a: [1, "x", null], b: { c: true } };
    const short = shorten(value, 100);
    expect(short).toMatchObject({ truncated: false });
    expect(short.value).toBe(value);
  });

  it.each<[string, unknown, number]>([
    ["a text", "x".repeat(5_000), 120],
    ["a list", Array.from({ length: 5_000 }, (_, i) => i), 1_000],
    ["an object", Object.fromEntries(Array.from({ length: 5_000 }, (_, i) => [`k${i}`, "v"])), 1_000],
    ["a deep value", { a: { b: ["x".repeat(9_000), "y".repeat(9_000)] } }, 1_000],
  ])("of %s is about as long as allowed", (_, value, max) => {
    const short = shorten(value, 100);
    expect(short.truncated).toBe(true);
    expect(JSON.stringify(short.value).length).toBeLessThan(max);
    expect(typeof short.value).toBe(typeof value);
  });
});

it("is written without touching prototypes when secrets are hidden", () => {
  const hidden = hiddenSecrets(
    [
      { name: "__proto__", field: "polluted" },
      { name: "shop", field: "__proto__" },
    ],
    "•••",
  );
  expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  expect(hidden.__proto__?.polluted).toBe("•••");
  expect(Object.keys(hidden)).toEqual(["__proto__", "shop"]);
});

it("hides steps behind the previewed one, on its level and on those around it", () => {
  const inside = (made: object) => ({ ...made, parentId: "each" });
  const nodes = [
    gives("a", 1),
    node("each", "map", { items: [] }),
    gives("z", 1),
    inside(gives("b", 1)),
    inside(gives("c", 1)),
  ];
  const { graph } = parseDefinition(definition(nodes, "a > each", "each > z", "b > c"));
  const seen = levelsSeen(graph, { nodeId: "b", path: [{ nodeId: "each", index: 3 }] });
  expect(seen.map(({ path, unseen }) => [path.length, [...unseen].sort()])).toEqual([
    [0, ["each", "z"]],
    [1, ["b", "c"]],
  ]);
  expect(levelsSeen(graph, { path: [] })).toEqual([{ path: [], unseen: new Set() }]);
});
