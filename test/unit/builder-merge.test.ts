import type { WorkflowContent } from "../../console/builder/draft.ts";
import { merge, resolveMerge } from "../../console/builder/merge/merge.ts";

const step = (id: string, data: object = {}, more: object = {}) => ({ id, type: "http", data, ...more });
const edge = (source: string, target: string) => ({ source, target });
const side = (nodes: object[], edges: object[] = [], more: object = {}, name = "W"): WorkflowContent => ({
  meta: { name, description: null },
  definition: { nodes, edges, ...more },
});
const base = side([step("a", { url: "x", method: "GET" }), step("b"), step("c")], [edge("a", "b"), edge("b", "c")], {
  settings: { timeoutMs: 1 },
});

describe("what two people changed in one version", () => {
  it("is merged if it is in different steps, fields and settings", () => {
    const mine = side(
      [step("a", { url: "mine", method: "GET" }), step("b"), step("c")],
      [edge("a", "b"), edge("b", "c")],
      {
        settings: { timeoutMs: 1, concurrency: { limit: 2 } },
      },
    );
    const theirs = side(
      [step("a", { url: "x", method: "POST" }), step("b"), step("c", { new: true }), step("d")],
      [edge("a", "b"), edge("b", "c"), edge("c", "d")],
      { settings: { timeoutMs: 9 }, notes: [{ id: "n" }] },
      "Theirs",
    );
    const { side: merged, clashes, taken } = merge(base, mine, theirs);
    expect(clashes).toEqual([]);
    expect(merged).toEqual({
      meta: { name: "Theirs", description: null },
      definition: {
        nodes: [step("a", { url: "mine", method: "POST" }), step("b"), step("c", { new: true }), step("d")],
        edges: [edge("a", "b"), edge("b", "c"), edge("c", "d")],
        settings: { timeoutMs: 9, concurrency: { limit: 2 } },
        notes: [{ id: "n" }],
      },
    });
    expect(taken.map(({ kind, id, pointer }) => `${kind} ${id} ${pointer}`)).toEqual([
      "meta name ",
      "node a /data/method",
      "node c ",
      "node d ",
      'edge ["c","out","d"] ',
      "root settings /timeoutMs",
      "root notes ",
    ]);
  });

  it("is a conflict if both changed one field, and neither value is lost", () => {
    const of = (url: string) => side([step("a", { url, method: "GET" }), step("b"), step("c")], [], {});
    const { side: merged, clashes } = merge(base, of("mine"), of("theirs"));
    expect(clashes).toEqual([
      { kind: "node", id: "a", pointer: "/data/url", base: "x", mine: "mine", theirs: "theirs" },
    ]);
    expect(merged.definition).toMatchObject({ nodes: [{ data: { url: "mine", method: "GET" } }, {}, {}] });
    const theirs = resolveMerge(base, of("mine"), of("theirs"), new Set([0]));
    expect(theirs.definition).toMatchObject({ nodes: [{ data: { url: "theirs" } }, {}, {}] });
  });

  it("is a conflict if one deleted what the other changed", () => {
    const mine = side([step("b"), step("c")], [edge("b", "c")]);
    const theirs = side(
      [step("a", { url: "new", method: "GET" }), step("b"), step("c")],
      [edge("a", "b"), edge("b", "c")],
    );
    const { clashes, side: merged } = merge(base, mine, theirs);
    expect(clashes).toMatchObject([{ kind: "node", id: "a", pointer: "", mine: undefined }]);
    expect(merged.definition).toMatchObject({ nodes: [{ id: "b" }, { id: "c" }], edges: [edge("b", "c")] });
    const kept = resolveMerge(base, mine, theirs, new Set([0]));
    expect((kept.definition as { nodes: { id: string }[] }).nodes.map(({ id }) => id).toSorted()).toEqual([
      "a",
      "b",
      "c",
    ]);
  });

  it("is without the step and its edges if their deletion is chosen", () => {
    const theirs = side([step("a", { url: "x", method: "GET" }), step("c")], [edge("a", "c")], {
      settings: { timeoutMs: 1 },
    });
    const mine = side(
      [...(base.definition as { nodes: object[] }).nodes, step("d")],
      [edge("a", "b"), edge("b", "c"), edge("b", "d")],
      {
        settings: { timeoutMs: 1 },
      },
    );
    const { side: merged, clashes } = merge(base, mine, theirs);
    expect(clashes).toEqual([]);
    expect(merged.definition).toMatchObject({
      nodes: [{ id: "a" }, { id: "c" }, { id: "d" }],
      edges: [edge("a", "c")],
    });
  });

  it("is my definition, byte for byte, if they changed nothing", () => {
    const mine = side([step("c"), step("a", {}, { z: 1 })], [], { zulu: 1 });
    expect(JSON.stringify(merge(base, mine, base).side)).toBe(JSON.stringify(mine));
  });
});
