import { edgeUnder } from "../../console/builder/canvas/edge-under.ts";
import { endDrag } from "../../console/builder/canvas/end-drag.ts";
import { createDocument } from "../../console/builder/document/index.ts";
import { Scene } from "../../console/builder/scene.ts";
import { describeNodeTypes } from "../../core/graph/catalogue/describe.ts";

const step = (id: string, x: number, y: number, more: object = {}) => ({
  ...{ id, type: "transform", name: id, position: { x, y }, data: {} },
  ...more,
});

/** A scene with these steps, in which one is being dragged to a place. */
function dragging(definition: object, id: string, x: number, y: number): Scene {
  const scene = new Scene(createDocument(definition, { name: "Orders", description: "" }));
  scene.prepare(describeNodeTypes(), false);
  scene.set({ dragged: new Map([[id, { x, y }]]) });
  return scene;
}

const definitionOf = ({ doc }: Scene) => doc.toDefinition() as { nodes: Record<string, unknown>[]; edges: object[] };
const placesIn = (scene: Scene) =>
  Object.fromEntries(definitionOf(scene).nodes.map(({ id, position }) => [id, position as object]));

const flow = {
  nodes: [step("a", 0, 80), step("b", 296, 80), step("c", 592, 80), step("lone", 0, 400)],
  edges: [
    { source: "a", target: "b", label: "kept" },
    { source: "b", target: "c" },
  ],
};

describe("a step that is dropped", () => {
  it("on an edge goes between its ends, and the steps after it make space, in one edit", () => {
    const scene = dragging(flow, "lone", 150, 90);
    expect(edgeUnder(scene)).toMatchObject({ step: "lone" });
    endDrag(scene);
    expect(definitionOf(scene).edges).toEqual([
      { source: "a", target: "lone", label: "kept" },
      { source: "b", target: "c" },
      { source: "lone", target: "b" },
    ]);
    expect(placesIn(scene)).toMatchObject({ a: { x: 0 }, lone: { x: 296, y: 80 }, b: { x: 592 }, c: { x: 888 } });
    expect(scene.getView().announcement).toContain("lone");
    scene.doc.undo();
    expect(scene.doc.toDefinition()).toEqual(flow);
  });

  it.each<[string, object, string, [number, number]]>([
    ["beside a thread", flow, "lone", [150, 180]],
    [
      "with a thread of its own",
      { ...flow, edges: [...flow.edges, { source: "lone", target: "c" }] },
      "lone",
      [150, 90],
    ],
    [
      "at which runs start",
      { ...flow, nodes: [...flow.nodes.slice(0, 3), step("lone", 0, 400, { type: "trigger" })] },
      "lone",
      [150, 90],
    ],
    [
      "that undoes another one",
      { ...flow, nodes: [step("a", 0, 80, { policy: { compensate: "lone" } }), ...flow.nodes.slice(1)] },
      "lone",
      [150, 90],
    ],
  ])("%s is only moved", (_, definition, id, [x, y]) => {
    const scene = dragging(definition, id, x, y);
    expect(edgeUnder(scene)).toBeUndefined();
    endDrag(scene);
    expect(definitionOf(scene).edges).toEqual((definition as typeof flow).edges);
    expect(placesIn(scene).lone).toEqual({ x: Math.round(x / 8) * 8, y: Math.round(y / 8) * 8 });
  });

  it("on an edge inside a container goes into the container", () => {
    const inner = { parentId: "each" };
    const map = {
      nodes: [
        step("each", 0, 0, { type: "map", data: { items: [] } }),
        step("x", 24, 64, inner),
        step("y", 400, 64, inner),
        step("lone", 0, 400),
      ],
      edges: [{ source: "x", target: "y" }],
    };
    const scene = dragging(map, "lone", 224, 64);
    endDrag(scene);
    expect(definitionOf(scene).nodes.find(({ id }) => id === "lone")).toMatchObject({ parentId: "each" });
    expect(definitionOf(scene).edges).toHaveLength(2);
  });
});
