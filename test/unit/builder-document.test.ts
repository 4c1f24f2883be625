import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import {
  addNote,
  type BuilderDocument,
  clipFrom,
  clipOf,
  connect,
  createDocument,
  deleteNodes,
  disconnect,
  handleOf,
  insertNode,
  insertOnEdge,
  moveNodes,
  namedBy,
  notesOf,
  paste,
  reconnect,
  referencesIn,
  renameId,
  setDisabled,
  setMeta,
  setNodeValue,
  setParent,
  setSetting,
  sourceOf,
  targetOf,
  valueAt,
  whyNot,
} from "../../console/builder/document/index.ts";

const step = (id: string, more: object = {}) => ({
  id,
  type: "transform",
  position: { x: 0, y: 0 },
  data: {},
  ...more,
});
const chain = () => ({
  nodes: [step("a"), step("b"), step("c")],
  edges: [
    { id: "one", source: "a", sourceHandle: "true", target: "b", animated: true },
    { source: "b", target: "c" },
  ],
});
const bytes = (doc: BuilderDocument) => JSON.stringify(doc.toDefinition());
const edges = (doc: BuilderDocument) =>
  [...doc.getState().edges.values()].map(edge => `${sourceOf(edge)}.${handleOf(edge)}>${targetOf(edge)}`);
const at = { x: 0, y: 0 };

describe("a definition that is opened", () => {
  it.each([
    null,
    [],
    "text",
    {},
    { edges: [], nodes: [], settings: { timeoutMs: 5 }, viewport: { zoom: 2 } },
    { nodes: "none", edges: null },
    { nodes: [step("a"), step("a"), 7, null, { type: "x" }, { id: 3 }], edges: [{ source: "a" }, "edge", null] },
    { zulu: 1, nodes: [step("a", { width: 7, z: { y: [1, 2] } })], alpha: null },
  ])("is written with the same bytes: %j", definition => {
    expect(bytes(createDocument(definition))).toBe(JSON.stringify(definition));
  });

  it.each(readdirSync("templates"))("is written with the same bytes: the template %s", file => {
    const { definition } = JSON.parse(readFileSync(join("templates", file), "utf8")) as { definition: unknown };
    expect(definition).toBeDefined();
    expect(bytes(createDocument(definition))).toBe(JSON.stringify(definition));
  });

  it("gets missing lists with the first step, and loses them on undo", () => {
    const doc = createDocument(null);
    doc.apply(insertNode({ node: { id: "a", type: "http", position: at } }));
    expect(doc.toDefinition()).toEqual({ nodes: [{ id: "a", type: "http", position: at, data: {} }] });
    expect(doc.undo()).toEqual({ label: "Insert “a”", nodes: [] });
    expect(doc.toDefinition()).toBeNull();
  });
});

describe("commands", () => {
  it("connect steps of one level, without a cycle and without a duplicate", () => {
    const doc = createDocument({
      ...chain(),
      nodes: [...chain().nodes, step("m", { type: "map" }), step("in", { parentId: "m" })],
    });
    const state = doc.getState();
    expect(whyNot(state, { source: "c", target: "a" })).toBe("cycle");
    expect(whyNot(state, { source: "a", target: "in" })).toBe("level");
    expect(whyNot(state, { source: "b", target: "c" })).toBe("same");
    expect(whyNot(state, { source: "b", target: "b" })).toBe("self");
    expect(whyNot(state, { source: "b", target: "none" })).toBe("missing");
    expect(whyNot(state, { source: "b", target: "a" }, id => id === "a")).toBe("start");
    expect(doc.apply(connect({ source: "c", target: "a" }))).toBe(false);
    expect(doc.apply(connect({ source: "a", target: "c", handle: "false" }))).toBe(true);
    expect(edges(doc)).toEqual(["a.true>b", "b.out>c", "a.false>c"]);
  });

  it("reconnect an edge, and keep its other fields", () => {
    const doc = createDocument(chain());
    doc.apply(reconnect("e0", { source: "a", handle: "true", target: "c" }));
    expect([...doc.getState().edges.values()][0]).toEqual({ ...chain().edges[0], target: "c" });
    doc.apply(disconnect(["e0", "e1"]));
    expect(edges(doc)).toEqual([]);
  });

  it("insert a step on an edge, and move the steps after it", () => {
    const doc = createDocument(chain());
    const node = { id: "n", type: "http", position: { x: 5, y: 5 } };
    doc.apply(insertOnEdge("e0", node, { handle: "out", shift: { ids: ["b", "c"], dx: 100, dy: 0 } }));
    expect(edges(doc)).toEqual(["a.true>n", "b.out>c", "n.out>b"]);
    expect(valueAt(doc.getState().nodes.get("c"), "/position/x")).toBe(100);
    doc.undo();
    expect(doc.toDefinition()).toEqual(chain());
  });

  it("connect the neighbours of a deleted step with one incoming and one outgoing edge", () => {
    const doc = createDocument(chain());
    doc.apply(deleteNodes(["b"]));
    expect(edges(doc)).toEqual(["a.true>c"]);
  });

  it("delete the content of a deleted container", () => {
    const doc = createDocument({
      nodes: [step("m"), step("n", { parentId: "m" }), step("o", { parentId: "n" }), step("p")],
    });
    doc.apply(deleteNodes(["m"]));
    expect([...doc.getState().nodes.keys()]).toEqual(["p"]);
  });

  it("remove edges that would cross the border of a container", () => {
    const doc = createDocument({ ...chain(), nodes: [...chain().nodes, step("m", { type: "map" })] });
    doc.apply(setParent(["b", "c"], "m", new Map([["b", { x: 9, y: 9 }]])));
    expect(edges(doc)).toEqual(["b.out>c"]);
    expect(doc.getState().nodes.get("b")).toMatchObject({ parentId: "m", position: { x: 9, y: 9 } });
    expect(doc.apply(setParent(["m"], "b", new Map()))).toBe(false);
  });

  it("set and remove values by JSON Pointer, and create the objects on the way", () => {
    const doc = createDocument(chain());
    doc.apply(setNodeValue("a", "/data/headers/x~1y", "1"));
    doc.apply(setNodeValue("a", "/data/list", [1, 2, 3]));
    doc.apply(setNodeValue("a", "/data/list/1", undefined));
    doc.apply(setNodeValue("a", "/data/list/-", 4));
    doc.apply(setDisabled(["a"], true));
    expect(doc.getState().nodes.get("a")).toMatchObject({
      data: { headers: { "x/y": "1" }, list: [1, 3, 4] },
      disabled: true,
    });
    while (doc.undo());
    expect(doc.toDefinition()).toEqual(chain());
  });

  it("change settings, notes and the fields besides the definition", () => {
    const doc = createDocument(chain(), { name: "Old", description: null });
    doc.apply(setSetting("/timeoutMs", 5));
    doc.apply(setSetting("/timeoutMs", undefined));
    doc.apply(addNote({ id: "n1", text: "Why", x: 1, y: 2, width: 3, height: 4 }));
    doc.apply(setMeta({ name: "New" }));
    expect(notesOf(doc.getState())).toMatchObject([{ id: "n1", text: "Why" }]);
    expect(Object.keys(doc.toDefinition() as object)).toEqual(["nodes", "edges", "notes"]);
    expect(doc.getState().meta.name).toBe("New");
  });
});

describe("references of expressions", () => {
  it("are found by tokens", () => {
    const ids = (text: string) => referencesIn(text).map(({ id }) => id);
    expect(ids("{{ steps.a.body }} steps.b {{ $sum($$.steps.`c d`.x) & 'steps.e' }}")).toEqual(["a", "c d"]);
    expect(ids('{{ input.steps.a }} {{ {"x": {"y": steps.b}} }} {{ steps . c }}')).toEqual(["b", "c"]);
    expect(ids("{{ /* steps.a */ steps.`b`[steps.c = 1] }}")).toEqual(["b", "c"]);
    expect(ids("{{ steps.größe }}")).toEqual(["größe"]);
  });

  it("follow a new id in expressions, code, edges and containers", () => {
    const doc = createDocument({
      nodes: [
        step("old", { type: "map" }),
        step("in", { parentId: "old" }),
        step("x", { data: { value: ["{{ steps.old.n + steps.older.n }}", "steps.old"] } }),
        step("y", {
          type: "code",
          data: { code: 'return steps.old.n + steps["old"] + steps?.old + my.steps.old + steps.old_2;' },
        }),
      ],
      edges: [{ source: "old", target: "x" }],
    });
    expect(namedBy(doc.getState(), "old", type => type === "code")).toEqual(["x", "y"]);
    const before = bytes(doc);
    doc.apply(renameId("old", "the new", type => type === "code"));
    expect(doc.toDefinition()).toMatchObject({
      nodes: [
        { id: "the new" },
        { parentId: "the new" },
        { data: { value: ["{{ steps.`the new`.n + steps.older.n }}", "steps.old"] } },
        {
          data: {
            code: 'return steps["the new"].n + steps["the new"] + steps?.["the new"] + my.steps.old + steps.old_2;',
          },
        },
      ],
      edges: [{ source: "the new", target: "x" }],
    });
    doc.undo();
    expect(bytes(doc)).toBe(before);
    expect(doc.apply(renameId("old", "x"))).toBe(false);
  });

  it("follow a new id in the compensation of a step", () => {
    const policy = { retry: { maxAttempts: 2 }, compensate: "refund" };
    const doc = createDocument({ nodes: [step("pay", { policy }), step("refund")], edges: [] });
    expect(namedBy(doc.getState(), "refund", () => false)).toEqual(["pay"]);
    doc.apply(renameId("refund", "give_back"));
    expect(doc.getState().nodes.get("pay")).toMatchObject({ policy: { ...policy, compensate: "give_back" } });
  });
});

describe("the clipboard", () => {
  it("copies a compensation only if the compensating step was copied", () => {
    const policy = { compensate: "refund", onError: "fail" };
    const doc = createDocument({ nodes: [step("pay", { policy }), step("refund")], edges: [] });
    const copy = (ids: string[]) => doc.apply(paste(clipOf(doc.getState(), ids), { x: 0, y: 90 }));
    copy(["pay", "refund"]);
    copy(["pay"]);
    expect(doc.getState().nodes.get("pay_2")).toMatchObject({ policy: { compensate: "refund_2" } });
    expect(doc.getState().nodes.get("pay_3")?.policy).toEqual({ onError: "fail" });
  });

  it("gives pasted steps new ids, which their expressions use", () => {
    const doc = createDocument({
      nodes: [step("a"), step("a_2", { data: { value: "{{ steps.a.x & steps.a_2 & steps.c }}" } }), step("c")],
      edges: [{ id: "e", source: "a", target: "a_2" }],
    });
    const clip = clipFrom(JSON.stringify(clipOf(doc.getState(), ["a", "a_2"])))!;
    doc.apply(paste(clip, { x: 100, y: 50 }));
    expect([...doc.getState().nodes.keys()]).toEqual(["a", "a_2", "c", "a_3", "a_4"]);
    expect(doc.getState().nodes.get("a_4")).toMatchObject({
      data: { value: "{{ steps.a_3.x & steps.a_4 & steps.c }}" },
      position: { x: 100, y: 50 },
    });
    expect([...doc.getState().edges.values()][1]).toEqual({ source: "a_3", target: "a_4" });
  });

  it("copies a container with its content", () => {
    const doc = createDocument({
      nodes: [step("m", { type: "map" }), step("in", { parentId: "m", position: { x: 7, y: 8 } })],
    });
    doc.apply(paste(clipOf(doc.getState(), ["m"]), { x: 9, y: 9 }));
    expect(doc.getState().nodes.get("in_2")).toMatchObject({ parentId: "m_2", position: { x: 7, y: 8 } });
  });

  it("is ignored if it holds anything else", () => {
    for (const text of ["hello", "[]", "{}", '{"nodes": []}', '{"nodes":[{"id":"1","type":"n8n.if","parameters":{}}]}'])
      expect(clipFrom(text)).toBeUndefined();
  });
});

describe("the history", () => {
  it("makes one edit of typing with pauses below 800 ms", () => {
    const doc = createDocument(chain());
    ["h", "he", "hey"].forEach((text, n) => doc.apply(setNodeValue("a", "/data/value", text), 1_000 + n * 799));
    doc.apply(setNodeValue("a", "/data/value", "hey!"), 9_000);
    doc.undo();
    expect(valueAt(doc.getState().nodes.get("a"), "/data/value")).toBe("hey");
    doc.undo();
    expect(doc.toDefinition()).toEqual(chain());
    expect(doc.getHistory()).toMatchObject({ undo: undefined, redo: "Change value of “a”" });
  });

  it("separates fields, and ends typing at an undo", () => {
    const doc = createDocument(chain());
    doc.apply(setNodeValue("a", "/data/x", 1), 0);
    doc.apply(setNodeValue("a", "/data/y", 1), 1);
    doc.undo();
    doc.apply(setNodeValue("a", "/data/y", 2), 2);
    doc.undo();
    expect(doc.getState().nodes.get("a")?.data).toEqual({ x: 1 });
  });

  it("restores the view of the edit on undo, and the view of the undo on redo", () => {
    const doc = createDocument(chain());
    let seen = { nodes: ["a"], at: { x: 0, y: 0, zoom: 1 } };
    doc.sight = () => seen;
    doc.apply(setNodeValue("a", "/data/value", "h"), 0);
    seen = { nodes: ["b"], at: { x: -500, y: 0, zoom: 1 } };
    // Typing that goes on is the edit that it was at its beginning.
    doc.apply(setNodeValue("a", "/data/value", "hi"), 1);
    const kept = structuredClone(doc.edits());
    expect(doc.undo()?.sight).toEqual({ nodes: ["a"], at: { x: 0, y: 0, zoom: 1 } });
    expect(doc.redo()?.sight).toEqual(seen);
    expect(doc.undo()?.sight?.nodes).toEqual(["a"]);
    expect(createDocument(chain(), undefined, kept).undo()?.sight?.nodes).toEqual(["a"]);
  });

  it("is limited to 500 edits", () => {
    const doc = createDocument(chain());
    for (let n = 0; n < 600; n++) doc.apply(moveNodes(new Map([["a", { x: n + 1, y: 0 }]])));
    let undone = 0;
    while (doc.undo()) undone++;
    expect(undone).toBe(500);
    expect(valueAt(doc.getState().nodes.get("a"), "/position/x")).toBe(100);
  });

  it("notifies its subscribers of changes only, and continues after a reload", () => {
    const doc = createDocument(chain());
    let told = 0;
    doc.subscribe(() => told++);
    doc.apply(deleteNodes(["none"]));
    doc.apply(deleteNodes(["b"]));
    expect(told).toBe(1);
    doc.apply(connect({ source: "a", target: "c", handle: "x" }));
    const again = createDocument(doc.toDefinition(), undefined, structuredClone(doc.edits()));
    again.undo();
    again.undo();
    expect(again.toDefinition()).toEqual(chain());
    again.redo();
    again.apply(connect({ source: "a", target: "c", handle: "y" }));
    expect(edges(again)).toEqual(["a.true>c", "a.y>c"]);
  });
});
