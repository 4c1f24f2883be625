import { runInNewContext } from "node:vm";
import {
  extract,
  type Extraction,
  extraction,
  type ExtractRefusal,
  readInside,
} from "../../console/builder/document/commands/extract.ts";
import { createDocument } from "../../console/builder/document/index.ts";
import { outsideNames, readFromInput } from "../../console/builder/document/outside-names.ts";

const step = (id: string, value: unknown = 1, more: object = {}) => ({
  ...{ id, type: "transform", position: { x: 0, y: 0 }, data: { value } },
  ...more,
});
const edge = (source: string, target: string, sourceHandle?: string) => ({
  source,
  target,
  ...(sourceHandle && { sourceHandle }),
});
const isLiteral = (type: string) => type === "code";
const opened = (nodes: object[], edges: object[]) => createDocument({ nodes, edges });
const of = (doc: ReturnType<typeof opened>, ids: string[]): Extraction | ExtractRefusal =>
  extraction(doc.getState(), ids, { isLiteral, startsRun: id => id === "start" });
const taken = (doc: ReturnType<typeof opened>, ids: string[]) => of(doc, ids) as Extraction;

/** start → a → b → c → d */
const chain = (values: Partial<Record<"a" | "b" | "c" | "d", unknown>> = {}) =>
  opened(
    ["start", "a", "b", "c", "d"].map((id, n) => ({
      ...step(id, values[id as "a"] ?? id),
      position: { x: n * 300, y: 40 },
    })),
    [edge("start", "a"), edge("a", "b"), edge("b", "c"), edge("c", "d")],
  );

describe("steps that are extracted into a workflow", () => {
  it("move with their edges, and one step replaces them", () => {
    const doc = chain({ b: "{{ input.n }}", d: "{{ steps.c.total + steps.a }}" });
    const found = taken(doc, ["b", "c"]);
    expect(found).toMatchObject({ input: "{{ input }}", last: "c", at: { x: 600, y: 40 } });
    expect(found.definition).toEqual({
      nodes: [step("b", "{{ input.n }}"), { ...step("c", "c"), position: { x: 300, y: 0 } }],
      edges: [edge("b", "c")],
    });
    const before = JSON.stringify(doc.toDefinition());
    doc.apply(
      extract(found, { id: "part", type: "subworkflow", position: found.at, data: { workflowId: "w" } }, isLiteral),
    );
    expect(doc.toDefinition()).toMatchObject({
      nodes: [
        { id: "start" },
        { id: "a" },
        { id: "part" },
        { id: "d", data: { value: "{{ steps.part.total + steps.a }}" } },
      ],
      edges: [edge("start", "a"), edge("a", "part"), edge("part", "d")],
    });
    doc.undo();
    expect(JSON.stringify(doc.toDefinition())).toBe(before);
  });

  it("receive the values that they read from outside as input", () => {
    const doc = chain({ b: { x: "{{ steps.a.id }}", y: "{{ input.n & steps.a.id }}" }, c: "{{ steps.b.x }}" });
    const found = taken(doc, ["b", "c"]);
    expect(found.input).toEqual({ a: "{{ steps.a }}", input: "{{ input }}" });
    expect(found.definition).toMatchObject({
      nodes: [
        { data: { value: { x: "{{ input.a.id }}", y: "{{ input.input.n & input.a.id }}" } } },
        { data: { value: "{{ steps.b.x }}" } },
      ],
    });
  });

  it("include their inner steps and compensations", () => {
    const doc = opened(
      [
        step("start"),
        { ...step("each"), type: "map", data: { items: "{{ input.lines }}" } },
        step("in", "{{ item & steps.start.x }}", { parentId: "each" }),
        step("pay", 1, { policy: { compensate: "refund" } }),
        step("refund"),
      ],
      [edge("start", "each"), edge("each", "pay")],
    );
    const found = taken(doc, ["each", "pay"]);
    expect(found.ids.toSorted()).toEqual(["each", "in", "pay", "refund"]);
    expect(found.input).toEqual({ input: "{{ input }}", start: "{{ steps.start }}" });
    expect(found.definition).toMatchObject({
      nodes: [
        { id: "each", data: { items: "{{ input.input.lines }}" } },
        { id: "in", parentId: "each", data: { value: "{{ item & input.start.x }}" } },
        { id: "pay", policy: { compensate: "refund" } },
        { id: "refund" },
      ],
    });
  });

  it("are refused with the reason if they cannot be extracted", () => {
    const forked = opened(
      ["a", "b", "c", "d", "e"].map(id => step(id, id === "e" ? "{{ steps.b }}" : id)),
      [edge("a", "b"), edge("a", "c"), edge("b", "d"), edge("c", "d"), edge("d", "e")],
    );
    expect(of(forked, ["b", "c"])).toBe("entries");
    expect(of(forked, ["a", "b"])).toBe("exits");
    expect(of(forked, ["b", "d", "c", "a"])).toBe("names");
    expect(readInside(forked.getState(), ["b", "d", "c", "a"], isLiteral)).toEqual([{ reader: "e", read: "b" }]);
    expect(of(chain(), ["start", "a"])).toBe("start");
    expect(of(chain(), [])).toBe("none");
    const inside = opened([step("each"), step("in", 1, { parentId: "each" }), step("b")], []);
    expect(of(inside, ["in", "b"])).toBe("level");
  });
});

describe("names that are read from outside", () => {
  const named = (text: string, literal = false) => outsideNames(text, ["a", "b c"], literal).map(({ name }) => name);

  it("are names of the scope, and not fields of values", () => {
    expect(named("{{ steps.a.x & steps.`b c` & steps.z }}")).toEqual(["a", "b c"]);
    expect(named("{{ input.item & my.index }}")).toEqual(["input"]);
    expect(named("{{ orders[item = 1 and $$.steps.a.x] }}")).toEqual(["a"]);
    expect(named("{{ [item, index] }} input")).toEqual(["item", "index"]);
    expect(named("return items.map(it => it.input + steps.a + steps['b c']) + index;", true)).toEqual([
      "a",
      "b c",
      "index",
    ]);
  });

  it("are read from the input in code, which keeps its own names", () => {
    const keys = new Map([
      ["step a", "a"],
      ["root item", "item"],
    ]);
    const code = readFromInput("return [1].map(item => item + steps.a.n)[0] + item;", keys, ["a"], true) as string;
    const run = runInNewContext(`((input, steps, item) => {${code}})`) as (...values: unknown[]) => unknown;
    expect(run({ a: { n: 4 }, item: 10 }, {}, "other")).toBe(15);
  });
});
