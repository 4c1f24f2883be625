import { checkDefinition } from "../../core/graph/check-definition.ts";
import { gives } from "../support/definition.ts";

const chain = (...ids: string[]) => ids.slice(1).map((target, index) => ({ source: ids[index]!, target }));
const found = (nodes: object[], edges: object[], more: object = {}) =>
  checkDefinition({ nodes, edges, ...more }).map(({ nodeId, severity }) => [nodeId, severity]);

const LEFT_OVER = [["a", "warning"]];

test("warns of an unused output, and the definition has no error", () => {
  expect(found([gives("a", 1), gives("z", 2)], chain("a", "z"))).toEqual(LEFT_OVER);
  expect(found([{ id: "a", type: "code", data: { code: "return 1" } }, gives("z", 2)], chain("a", "z"))).toEqual(
    LEFT_OVER,
  );
});

describe("no warning where the output is read", () => {
  const reads: [string, object[], object[]][] = [
    ["by an expression", [gives("a", 1), gives("z", "{{ steps.a }}")], chain("a", "z")],
    ["by code", [gives("a", 1), { id: "z", type: "code", data: { code: "return steps.a" } }], chain("a", "z")],
    [
      "by code that looks it up",
      [gives("a", 1), { id: "z", type: "code", data: { code: "return steps[input.id]" } }],
      chain("a", "z"),
    ],
    ["by an expression that looks it up", [gives("a", 1), gives("z", "{{ $lookup(steps, input) }}")], chain("a", "z")],
    ["as the output of the run", [gives("a", 1)], []],
    ["by a merge", [gives("a", 1), { id: "z", type: "merge", data: {} }], chain("a", "z")],
    ["by a delay that passes it on", [gives("a", 1), { id: "z", type: "delay", data: { ms: 1 } }], chain("a", "z")],
    ["by a disabled step", [gives("a", 1), gives("z", 2, { disabled: true })], chain("a", "z")],
    [
      "by its compensation",
      [gives("a", 1, { policy: { compensate: "undo" } }), gives("z", 2), gives("undo", 3)],
      chain("a", "z"),
    ],
    [
      "as the output of an item",
      [{ id: "m", type: "map", data: { items: [1] } }, gives("a", 1, { parentId: "m" })],
      [],
    ],
  ];
  test.each(reads)("%s", (_, nodes, edges) => expect(found(nodes, edges)).toEqual([]));

  test("a step that may stop the run on purpose", () => {
    expect(found([gives("a", '{{ $assert(input, "No input") }}'), gives("z", 2)], chain("a", "z"))).toEqual([]);
  });
});

test("warns of a step that no run reaches, and of all steps that only it leads to", () => {
  const nodes = [
    { id: "off", type: "trigger", disabled: true },
    gives("a", 1),
    gives("b", "{{ steps.a }}"),
    { id: "if", type: "condition", data: { if: true } },
    gives("never", 2),
    gives("always", 3),
  ];
  const edges = [
    ...chain("off", "a", "b"),
    { source: "if", sourceHandle: "false", target: "never" },
    { source: "if", sourceHandle: "true", target: "always" },
  ];
  expect(found(nodes, edges)).toEqual(["a", "b", "never"].map(id => [id, "warning"]));
});

test("shows no warnings beside errors", () => {
  expect(
    found([gives("a", 1, { data: { valeu: 1 } }), gives("z", 2)], chain("a", "z")).map(([, severity]) => severity),
  ).not.toContain("warning");
});

describe("a name without a value at its place", () => {
  const map = (id: string, more: object = {}) => ({ id, type: "map", data: { items: "{{ input }}" }, ...more });
  const loop = { id: "l", type: "loop", data: { until: "{{ steps.in.done and loop.index > 1 }}" } };
  const said = (nodes: object[], edges: object[] = []) =>
    checkDefinition({ nodes, edges }).map(({ nodeId, severity, message }) => [nodeId, severity, message]);

  test.each<[string, object[], object[], string]>([
    [
      "an item outside of maps",
      [gives("a", "{{ item.x }}")],
      [],
      "`item` has no value here: the step is inside no map.",
    ],
    [
      "an index in a loop",
      [loop, gives("in", 1, { parentId: "l" }), gives("a", "{{ index }}", { parentId: "l" })],
      chain("in", "a"),
      "`index` has no value here: the step is inside no map.",
    ],
    [
      "a round outside of loops",
      [gives("a", "{{ loop.carry }}")],
      [],
      "`loop` has no value here: the step is inside no loop.",
    ],
    [
      "a step that comes later",
      [gives("a", "{{ steps.b }}"), gives("b", "{{ steps.a }}")],
      chain("a", "b"),
      "`steps.b` has no value here: it runs after this step.",
    ],
    ["the step itself", [gives("a", "{{ steps.a }}")], [], "`steps.a` has no value here: it is the step itself."],
    [
      "a step inside a map",
      [map("m"), gives("in", 1, { parentId: "m" }), gives("a", "{{ steps.in }}")],
      chain("m", "a"),
      "`steps.in` has no value here: it is inside `m`, and only steps in there see it.",
    ],
    [
      "a step after the map around",
      [map("m"), gives("a", "{{ steps.b }}", { parentId: "m" }), gives("b", "{{ steps.m }}")],
      chain("m", "b"),
      "`steps.b` has no value here: it runs after this step.",
    ],
  ])("%s is a warning", (_, nodes, edges, message) => {
    expect(said(nodes, edges)).toEqual([["a", "warning", message]]);
  });

  test("is not reported if the step, item or round may be visible", () => {
    const nodes = [
      gives("first", 1),
      map("m"),
      gives("x", "{{ [item, index, steps.first, steps.m.item] }}", { parentId: "m" }),
      gives("y", "{{ steps.x }}", { parentId: "m", policy: { compensate: "undo" } }),
      gives("undo", "{{ [steps.y, steps.x, item] }}", { parentId: "m" }),
      loop,
      gives("in", "{{ [loop.carry, steps.m] }}", { parentId: "l" }),
      gives("other", "{{ $exists(steps.first) }}"),
    ];
    expect(said(nodes, chain("first", "m", "l")).filter(([, severity]) => severity !== undefined)).toEqual([]);
  });
});

test.each<[string, object[], string, string]>([
  [
    "a condition without braces",
    [{ id: "a", type: "condition", data: { if: "input.x > 3" } }],
    "/nodes/0/data/if",
    "A text without an expression always holds. Write `{{ input.x > 3 }}` to evaluate it.",
  ],
  [
    "the end of a loop without braces",
    [{ id: "a", type: "loop", data: { until: "loop.carry" } }, gives("in", 1, { parentId: "a" })],
    "/nodes/0/data/until",
    "A text without an expression always holds. Write `{{ loop.carry }}` to evaluate it.",
  ],
  [
    "a loop without steps",
    [{ id: "a", type: "loop", data: { until: "{{ loop.index > 2 }}" } }],
    "/nodes/0",
    "Nothing is inside this loop, so no step runs for its rounds.",
  ],
  [
    "a map without steps",
    [{ id: "a", type: "map", data: { items: "{{ input }}" } }],
    "/nodes/0",
    "Nothing is inside this map, so no step runs for its items.",
  ],
  [
    "a question without words",
    [{ id: "a", type: "human", data: { prompt: " " } }],
    "/nodes/0/data/prompt",
    "This is empty, so the step asks nothing.",
  ],
  [
    "a call of a model without a prompt",
    [{ id: "a", type: "llm", data: { prompt: "" } }],
    "/nodes/0/data/prompt",
    "This is empty, so the step asks nothing.",
  ],
  [
    "a key without a signal",
    [{ id: "a", type: "wait", data: { key: "{{ input.id }}" } }],
    "/nodes/0/data/key",
    "Means nothing without `event`: the step waits for no signal.",
  ],
])("%s is a warning", (_, nodes, path, message) => {
  expect(checkDefinition({ nodes, edges: [] })).toEqual([{ nodeId: "a", path, message, severity: "warning" }]);
});
