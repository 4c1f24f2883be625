import {
  addNote,
  clipFrom,
  clipOf,
  combinedCommand,
  createDocument,
  foreignFrom,
  insertOnEdge,
  moveNodes,
  notesOf,
  paste,
  renameId,
  setParent,
  tieNote,
} from "../../console/builder/document/index.ts";

const node = (id: string, x: number, more: object = {}) => ({ id, type: "transform", position: { x, y: 0 }, ...more });
const note = (id: string, x: number, steps?: string[]) => ({
  ...{ id, text: id, x, y: -80, width: 240, height: 64 },
  ...(steps && { steps }),
});
const DEFINITION = {
  nodes: [node("a", 0), node("b", 300), node("box", 600, { type: "map" }), node("inner", 24, { parentId: "box" })],
  edges: [{ source: "a", target: "b" }],
  notes: [note("free", 0), note("on-b", 300, ["b"]), note("on-inner", 620, ["inner", "b"])],
};
const opened = () => createDocument(DEFINITION);
const places = (doc: ReturnType<typeof opened>) =>
  Object.fromEntries(notesOf(doc.getState()).map(({ id, x }) => [id, x]));
const bytes = (doc: ReturnType<typeof opened>) => JSON.stringify(doc.toDefinition());

describe("notes that are tied to steps", () => {
  it("move with the first of their steps, and with the container around it, in one edit", () => {
    const doc = opened();
    doc.apply(
      moveNodes(
        new Map([
          ["b", { x: 340, y: 0 }],
          ["box", { x: 700, y: 0 }],
        ]),
      ),
    );
    expect(places(doc)).toEqual({ free: 0, "on-b": 340, "on-inner": 720 });
    doc.undo();
    expect(bytes(doc)).toBe(JSON.stringify(DEFINITION));
    doc.redo();
    expect(places(doc)).toEqual({ free: 0, "on-b": 340, "on-inner": 720 });
  });

  it("follow a step that makes space for another one or moves into a container", () => {
    const doc = opened();
    const added = { id: "between", type: "transform", position: { x: 300, y: 0 } };
    doc.apply(insertOnEdge("e0", added, { handle: "out", shift: { ids: ["b"], dx: 296, dy: 0 } }));
    expect(places(doc)["on-b"]).toBe(596);
    doc.undo();
    doc.apply(setParent(["b"], "box", new Map([["b", { x: 24, y: 0 }]])));
    expect(places(doc)["on-b"]).toBe(624);
  });

  it("stay where they are dropped if they are dragged with their step", () => {
    const doc = opened();
    const moved = moveNodes(new Map([["b", { x: 340, y: 0 }]]));
    doc.apply(combinedCommand("Move", [moved, { label: "", apply: state => state }]));
    expect(places(doc)["on-b"]).toBe(340);
    expect(doc.getHistory().undo).toBe("Move");
  });

  it("follow a step to its new id, and can be untied", () => {
    const doc = opened();
    doc.apply(renameId("b", "stock"));
    expect(notesOf(doc.getState()).map(({ steps }) => steps)).toEqual([undefined, ["stock"], ["inner", "stock"]]);
    doc.apply(tieNote("on-b", []));
    expect(notesOf(doc.getState())[1]!.steps).toBeUndefined();
  });

  it("are copied with their steps, with new ids", () => {
    const doc = opened();
    const clip = clipFrom(JSON.stringify(clipOf(doc.getState(), ["b"])))!;
    doc.apply(paste(clip, { x: 1_000, y: 0 }));
    const notes = notesOf(doc.getState());
    expect(notes).toHaveLength(5);
    expect(notes[3]).toMatchObject({ id: "note-4", text: "on-b", x: 1_000, y: -80, steps: ["b_2"] });
    // Of a note about several steps, those that were copied are left.
    expect(notes[4]).toMatchObject({ text: "on-inner", steps: ["b_2"] });
    doc.undo();
    expect(bytes(doc)).toBe(JSON.stringify(DEFINITION));
  });

  it("can be added to a definition without notes", () => {
    const doc = createDocument({ nodes: [], edges: [] });
    doc.apply(addNote(note("first", 0)));
    expect(doc.toDefinition()).toEqual({ nodes: [], edges: [], notes: [note("first", 0)] });
  });
});

describe("the clipboard", () => {
  const N8N = {
    nodes: [{ id: "1", name: "Start", type: "n8n-nodes-base.manualTrigger", typeVersion: 1 }],
    connections: {},
  };

  it("recognises a workflow of n8n as foreign", () => {
    expect(foreignFrom(JSON.stringify(N8N))).toEqual(N8N);
    expect(clipFrom(JSON.stringify(N8N))).toBeUndefined();
    expect(foreignFrom(JSON.stringify(DEFINITION))).toBeUndefined();
    expect(foreignFrom("not JSON")).toBeUndefined();
  });
});
