import { checkDefinition } from "../../core/graph/check-definition.ts";

const gives = (id: string, value: unknown, more: object = {}) => ({ id, type: "transform", data: { value }, ...more });
const chain = (...ids: string[]) => ids.slice(1).map((target, index) => ({ source: ids[index]!, target }));
const found = (nodes: object[], edges: object[], more: object = {}) =>
  checkDefinition({ nodes, edges, ...more }).map(({ nodeId, severity }) => [nodeId, severity]);

const LEFT_OVER = [["a", "warning"]];

test("an output that nobody reads is a warning, and the definition has no error", () => {
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

  test("or where the step may stop the run by design", () => {
    expect(found([gives("a", '{{ $assert(input, "No input") }}'), gives("z", 2)], chain("a", "z"))).toEqual([]);
  });
});

test("a step that no run reaches is a warning, and so is all that only it leads to", () => {
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

test("a definition with errors has no warnings beside them", () => {
  expect(
    found([gives("a", 1, { data: { valeu: 1 } }), gives("z", 2)], chain("a", "z")).map(([, severity]) => severity),
  ).not.toContain("warning");
});
