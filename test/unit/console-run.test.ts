import { columnsOf, otherViewOf } from "../../console/json/columns.ts";
import { expressionOf, find, linesOf, openedTo } from "../../console/json/lines.ts";
import type { Step } from "../../console/data/run-types.ts";
import { levelBelow, ROOT, rowsOf } from "../../console/run/fold/rows.ts";
import { graphOf, leavesBy } from "../../console/run/graph/definition.ts";
import { stepToward } from "../../console/run/graph/step-toward.ts";
import { relativeTime } from "../../console/messages/time.ts";
import { pathFromText, pathText, stepKey } from "../../console/run/step-state.ts";

const step = (nodeId: string, more: Partial<Step> = {}): Step => ({
  nodeId,
  name: nodeId,
  type: "transform",
  status: "completed",
  attempt: 1,
  attempts: 1,
  startedAt: null,
  finishedAt: null,
  durationMs: null,
  error: null,
  outputBytes: null,
  preview: null,
  ...more,
});

test.each([
  [3 * 86_400_000 - 1_000, "in 2 d 23 h"],
  [3_600_000 + 150_000, "in 1 h 2 min"],
  [185_000, "in 3 min"],
  [42_000, "in 42 s"],
  [-3 * 86_400_000 + 1_000, "2d ago"],
])("writes a duration of %i ms in its largest units", (away, text) => {
  expect(relativeTime(1_000_000_000 + away, 1_000_000_000)).toBe(text);
});

describe("the rows of the step tree", () => {
  const each = step("each", { type: "map", items: { total: 2, completed: 1, failed: 1, running: 0 } });
  const item = step("each", { type: "item", path: [{ nodeId: "each", index: 0 }] });
  const inner = step("price", { path: [{ nodeId: "each", index: 0 }] });
  const page = (...steps: Step[]) => ({ page: { steps, more: false }, failedOnly: false });

  it("are those of the run, and those inside of opened rows", () => {
    const loaded = new Map([
      [ROOT, page(step("start"), each)],
      ["each", page(item)],
      ["each:0/", page(inner)],
    ]);
    const keys = (...open: string[]) => rowsOf(new Set(open), loaded).map(({ key, depth }) => [key, depth]);
    expect(keys()).toEqual([
      ["start", 0],
      ["each", 0],
    ]);
    expect(keys("each", "each:0/")).toEqual([
      ["start", 0],
      ["each", 0],
      ["each:0/", 1],
      ["each:0/price", 2],
    ]);
  });

  it("include the steps of a child run below the step that started it", () => {
    const child = "0198c1d2-0000-7000-8000-000000000000";
    const sub = step("sub", { type: "subworkflow", childExecutionId: child });
    const loaded = new Map([
      [ROOT, page(sub)],
      ["sub", page(step("price"))],
    ]);
    const kinds = (...open: string[]) =>
      rowsOf(new Set(open), loaded).map(({ key, kind, depth }) => [key, kind, depth]);
    expect(kinds()).toEqual([["sub", "step", 0]]);
    expect(kinds("sub")).toEqual([
      ["sub", "step", 0],
      ["sub|price", "child", 1],
    ]);
    expect(rowsOf(new Set(["sub"]), new Map([[ROOT, page(sub)]])).map(({ kind }) => kind)).toEqual(["step", "loading"]);
  });

  it("request the items of a map and the steps of an item", () => {
    expect(levelBelow(each)).toEqual([{ nodeId: "each" }]);
    expect(levelBelow(item)).toEqual([{ nodeId: "each", index: 0 }]);
    expect(levelBelow(inner)).toBeUndefined();
  });

  it("show whether a level is loading, empty or longer", () => {
    expect(rowsOf(new Set(), new Map()).map(({ kind }) => kind)).toEqual(["loading"]);
    expect(rowsOf(new Set(), new Map([[ROOT, page()]])).map(({ kind }) => kind)).toEqual(["empty"]);
    const longer = new Map([[ROOT, { page: { steps: [step("a")], more: true }, failedOnly: false }]]);
    expect(rowsOf(new Set(), longer).map(({ kind }) => kind)).toEqual(["step", "more"]);
  });
});

it("writes items to the address and reads them back", () => {
  const path = [
    { nodeId: "a/b:c", index: 3 },
    { nodeId: "each", index: 0 },
  ];
  expect(pathFromText(pathText(path))).toEqual(path);
  expect(pathFromText("each:x/:1/each:-1")).toEqual([]);
  expect(stepKey("n", path)).not.toBe(stepKey("n", path.slice(1)));
});

describe("the graph of a definition", () => {
  it("leaves out invalid parts", () => {
    const { steps, edges } = graphOf({
      nodes: [{ id: "a", type: "trigger" }, { id: 7 }, null, { id: "b", parentId: "gone", name: "B" }],
      edges: [{ source: "a", target: "b" }, { source: "a", target: "nowhere" }, "x"],
    });
    expect(steps).toMatchObject([
      { id: "a", name: "a" },
      { id: "b", name: "B", type: "unknown", parentId: undefined },
    ]);
    expect(edges).toMatchObject([{ source: "a", target: "b", handle: "out" }]);
    expect(graphOf(null)).toEqual({ steps: [], edges: [] });
  });

  it("can be navigated by arrow keys", () => {
    const graph = graphOf({
      nodes: ["a", "b", "c", "d"].map(id => ({ id, type: "transform" })),
      edges: [
        { source: "a", target: "b" },
        { source: "a", target: "c" },
        { source: "b", target: "d" },
      ],
    });
    const at = (x: number, y: number) => ({ x, y, width: 10, height: 10 });
    const boxes = new Map([
      ["a", at(0, 0)],
      ["b", at(20, 0)],
      ["c", at(20, 20)],
      ["d", at(40, 0)],
    ]);
    const go = (from: string | undefined, ...keys: Parameters<typeof stepToward>[3][]) =>
      keys.reduce((id, key) => stepToward(graph, boxes, id, key), from);
    expect(go(undefined, "ArrowRight")).toBe("a");
    expect(go("a", "ArrowRight", "ArrowRight")).toBe("d");
    expect(go("b", "ArrowDown")).toBe("c");
    expect(go("c", "ArrowLeft")).toBe("a");
    expect(go("d", "Home")).toBe("a");
    expect(go("d", "ArrowRight")).toBe("d");
  });
});

describe("the other views of a value", () => {
  it("are a table for objects, with a column for each key, and text for long strings", () => {
    const rows = [{ id: 1, name: "Bloom" }, { id: 2, "note\n": { a: [1] } }, {}];
    expect(otherViewOf(rows)).toBe("table");
    expect(columnsOf(rows)).toEqual([
      { key: "id", width: 6, isNumeric: true },
      { key: "name", width: 6, isNumeric: false },
      { key: "note\n", width: 9, isNumeric: false },
    ]);
    expect(columnsOf([{ text: "x".repeat(1_000) }])).toEqual([{ key: "text", width: 42, isNumeric: false }]);
    expect(columnsOf([Object.fromEntries(Array.from({ length: 100 }, (_, n) => [`k${n}`, n]))])).toHaveLength(60);
    expect(["two\nlines", "x".repeat(81)].map(otherViewOf)).toEqual(["text", "text"]);
    for (const value of [[], [1, {}], [[1]], [null], {}, "short", null]) expect(otherViewOf(value)).toBeUndefined();
  });
});

describe("the lines of a value", () => {
  const value = { name: "Bloom", lines: [{ "a/b": 1 }, { "a/b": 22 }], none: null };

  it("are those of opened values", () => {
    expect(linesOf(value, new Set()).map(({ pointer }) => pointer)).toEqual([
      "",
      "/name",
      "/lines",
      "/lines/0",
      "/lines/1",
      "/none",
    ]);
    expect(linesOf(value, new Set([""]))).toHaveLength(1);
    expect(
      linesOf(
        Array.from({ length: 50_000 }, (_, n) => n),
        new Set(),
      ),
    ).toHaveLength(50_001);
  });

  it("are found by keys and by values, and opened", () => {
    expect(find(value, "22")).toEqual(["/lines/1/a~1b"]);
    expect(find(value, "BLOOM")).toEqual(["/name"]);
    const pointers = linesOf(value, openedTo(value, new Set([""]), "/lines/1/a~1b")).map(({ pointer }) => pointer);
    expect(pointers).toContain("/lines/1/a~1b");
  });

  it("are named by their expressions", () => {
    expect(expressionOf("steps.fetch", "/lines/1/a~1b")).toBe("steps.fetch.lines[1].`a/b`");
    expect(expressionOf("input", "")).toBe("input");
  });
});

test("follows an edge without a handle from a step that was answered or got its signal", () => {
  expect(["approved", "received", "out"].map(taken => leavesBy(taken, "out"))).toEqual([true, true, true]);
  expect(["rejected", "timeout", null, undefined].map(taken => leavesBy(taken, "out"))).toEqual(Array(4).fill(false));
  expect([leavesBy("received", "received"), leavesBy("received", "timeout")]).toEqual([true, false]);
});
