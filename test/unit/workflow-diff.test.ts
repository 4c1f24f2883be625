import fc from "fast-check";
import { diffWorkflows, MAX_DIFF_CHARS } from "../../core/workflow-diff.ts";
import { applyDiff, canonical, sorted } from "../support/apply-diff.ts";
import { definition, gives, node } from "../support/definition.ts";

const content = (what: unknown, name = "n", description = "d") => ({ name, description, definition: what });
const diff = (a: unknown, b: unknown) => diffWorkflows(content(a), content(b));
const EMPTY = {
  name: null,
  description: null,
  nodes: { added: [], removed: [], changed: [], reordered: false },
  edges: { added: [], removed: [], reordered: false },
  settings: [],
  definition: [],
  truncated: false,
};

const key = fc.constantFrom("a", "b", "~", "/", "a~1", "", "toString", "0");
const json = fc.letrec<{ any: unknown }>(tie => ({
  any: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom(null, true, 0, 1, "x", "{{ input }}"),
    fc.array(tie("any"), { maxLength: 4 }),
    fc.dictionary(key, tie("any"), { maxKeys: 4 }),
  ),
})).any;
const id = fc.constantFrom("n1", "n2", "n3", "n4", "n5");
const nodes = fc.uniqueArray(
  fc.record({ id, type: fc.constantFrom("trigger", "http"), data: fc.dictionary(key, json, { maxKeys: 3 }) }),
  { selector: one => one.id },
);
const edges = fc.array(fc.record({ source: id, target: id }), { maxLength: 5 });
const graph = fc.record(
  { nodes, edges, settings: json, viewport: json },
  { requiredKeys: ["nodes", "edges"], noNullPrototype: true },
);
const anything = fc.oneof(graph, json);

test("compares notes by their place in the definition", () => {
  const noted = (text: string) => ({ ...definition([gives("a", 1)]), notes: [{ id: "n", text, x: 1, y: 2 }] });
  expect(diff(noted("one"), noted("two"))).toEqual({
    ...EMPTY,
    definition: [{ op: "replace", path: "/notes/0/text", from: "one", to: "two" }],
  });
});

test("finds no difference between a definition and itself, whatever the order of its keys", () => {
  fc.assert(
    fc.property(anything, what => {
      const other = JSON.parse(canonical(what)) as unknown;
      expect(diff(what, other)).toEqual(EMPTY);
    }),
  );
});

test("gives the other definition when the difference is applied to one", () => {
  fc.assert(
    fc.property(anything, anything, (a, b) => {
      const found = diff(a, b);
      expect(canonical(applyDiff(a, found))).toBe(canonical(sorted(b)));
      if (canonical(a) !== canonical(b)) expect(found).not.toEqual(EMPTY);
    }),
    { numRuns: 300 },
  );
});

test("identifies nodes by id, and reports their changes by path", () => {
  const a = definition(
    [node("t", "trigger"), node("h", "http", { url: "u", headers: { "a/b": 1 } }), gives("x", 1)],
    "t > h",
  );
  const b = definition(
    [node("t", "trigger"), node("h", "http", { url: "v", headers: { "a/b": 2 }, method: "PUT" }), gives("y", 2)],
    "t > h",
    "h:error > y",
  );
  expect(diff(a, b)).toEqual({
    ...EMPTY,
    nodes: {
      added: [gives("y", 2)],
      removed: [gives("x", 1)],
      changed: [
        {
          id: "h",
          changes: [
            { op: "replace", path: "/data/url", from: "u", to: "v" },
            { op: "replace", path: "/data/headers/a~1b", from: 1, to: 2 },
            { op: "add", path: "/data/method", to: "PUT" },
          ],
        },
      ],
      reordered: false,
    },
    edges: { added: [{ source: "h", sourceHandle: "error", target: "y" }], removed: [], reordered: false },
  });
});

test("separates settings from the other parts of a definition", () => {
  const a = { ...definition([]), settings: { timeoutMs: 1, concurrency: { limit: 1 } } };
  const b = { ...definition([]), settings: { timeoutMs: 2 }, viewport: { x: 1 } };
  expect(diff(a, b)).toEqual({
    ...EMPTY,
    settings: [
      { op: "replace", path: "/settings/timeoutMs", from: 1, to: 2 },
      { op: "remove", path: "/settings/concurrency", from: { limit: 1 } },
    ],
    definition: [{ op: "add", path: "/viewport", to: { x: 1 } }],
  });
});

test("reports another order as a difference", () => {
  const [a, b] = [gives("a", 1), gives("b", 2)];
  expect(diff(definition([a, b]), definition([b, a]))).toEqual({
    ...EMPTY,
    nodes: { ...EMPTY.nodes, reordered: true },
  });
  const edges = definition([a, b], "a > b", "a > c");
  expect(diff(edges, { ...edges, edges: [...edges.edges].reverse() }).edges).toMatchObject({ reordered: true });
});

test("reports one more item at the front of a list as one change", () => {
  expect(diff({ list: [1, 2, 3] }, { list: [0, 1, 2, 3] }).definition).toEqual([{ op: "add", path: "/list/0", to: 0 }]);
});

test.each([[[{ id: "a" }, { id: "a" }]], [[{ id: 1 }]], [[null]], ["none"], [undefined]])(
  "compares by path if the definition is not a graph: nodes %j",
  nodes => {
    const made = (value: number) => ({ nodes, edges: [], value });
    expect(diff(made(1), made(2))).toEqual({
      ...EMPTY,
      definition: [{ op: "replace", path: "/value", from: 1, to: 2 }],
    });
  },
);

test("reports name and description as texts", () => {
  expect(diffWorkflows(content(null, "a", "b"), content(null, "c", "b"))).toEqual({
    ...EMPTY,
    name: { from: "a", to: "c" },
  });
});

describe("a difference that is too large to show", () => {
  const longer = (value: unknown) => JSON.stringify(value).length;

  it.each<[string, unknown, unknown]>([
    ["two large values", "x".repeat(500_000), "y".repeat(500_000)],
    ["very many changes", Array.from({ length: 60_000 }, (_, i) => i), Array.from({ length: 60_000 }, (_, i) => -i)],
    [
      "changes below long keys",
      { ["k".repeat(100_000)]: Array.from({ length: 1_000 }, () => 1) },
      { ["k".repeat(100_000)]: Array.from({ length: 1_000 }, () => 2) },
    ],
    [
      "many new nodes",
      definition([]),
      definition(Array.from({ length: 2_000 }, (_, i) => gives(`${i}`, "x".repeat(200)))),
    ],
  ])("is left out and reported: %s", (_, a, b) => {
    const found = diff(a, b);
    expect(found.truncated).toBe(true);
    expect(longer(found)).toBeLessThan(2 * MAX_DIFF_CHARS);
  });

  it("is found in bounded time if everything is nested deeply", () => {
    const deep = (leaf: unknown) => Array.from({ length: 90 }).reduce<unknown>(inner => [inner, 0], leaf);
    const leaf = (last: number) => [...Array.from({ length: 50_000 }, (_, i) => i), last];
    expect(diff(deep(leaf(1)), deep(leaf(2))).definition).toHaveLength(1);
  });
});
