import { createDocument } from "../../console/builder/document/index.ts";
import { unplaced } from "../../console/builder/unplaced.ts";
import { graphOf } from "../../console/run/graph/definition.ts";
import { layoutGraph } from "../../console/run/graph/layout-graph.ts";
import { storedPlaces } from "../../console/run/graph/stored-places.ts";

const ORIGIN = { x: 0, y: 0 };
const step = (id: string, position: object | undefined = ORIGIN, parentId?: string) => ({
  ...{ id, type: "transform", data: {}, position },
  ...(parentId !== undefined && { parentId }),
});
const missing = (...nodes: object[]) => [...unplaced(createDocument({ nodes, edges: [] }).getState())];

describe("steps without a place", () => {
  it("are all steps if each container has them at one place", () => {
    expect(missing(step("a"), step("b"), step("inside", ORIGIN, "b"))).toEqual(["a", "b", "inside"]);
  });

  it("are only those that share a place if others have their own", () => {
    expect(missing(step("a"), step("b", { x: 300, y: 0 }), step("c", { x: 300, y: 0 }))).toEqual(["c"]);
    expect(missing(step("a"), step("b", { x: 300, y: 0 }), step("inside", ORIGIN, "b"))).toEqual([]);
  });
});

describe("the places of a run's graph", () => {
  const kept = (nodes: object[], edges: object[] = []) => storedPlaces(graphOf({ nodes, edges }));

  it("are those of the definition, and frames are as large as their content", () => {
    const ways = ["a", "b", "c", "d"].map(sourceHandle => ({ source: "first", target: "frame", sourceHandle }));
    const inside = step("inside", { x: 40, y: 60 }, "frame");
    expect(kept([step("first"), step("frame", { x: 300, y: -8 }), inside], ways)).toEqual(
      new Map([
        ["first", { x: 0, y: 0, width: 224, height: 104 }],
        ["frame", { x: 300, y: -8, width: 284, height: 136 }],
        ["inside", { x: 40, y: 60, width: 224, height: 56 }],
      ]),
    );
  });

  it("are left to a layout if a step has no place of its own", () => {
    expect(kept([step("a"), step("b")])).toBeUndefined();
    expect(kept([step("a"), { ...step("b"), position: undefined }])).toBeUndefined();
  });
});

describe("the layout", () => {
  const drawn = (edges: string[]) => {
    const ids = [...new Set(edges.flatMap(edge => edge.split(" > ")))].sort();
    const plain = { type: "transform", parentId: undefined, position: undefined, disabled: false, data: undefined };
    return {
      steps: ids.map(id => ({ id, name: id, ...plain })),
      edges: edges.map((edge, n) => {
        const [source = "", target = ""] = edge.split(" > ");
        return { id: `e${n}`, source, target, handle: "out" };
      }),
    };
  };
  const topToBottom = (edges: string[], ids: string[]) => {
    const boxes = layoutGraph(drawn(edges));
    return ids.toSorted((a, b) => boxes.get(a)!.y - boxes.get(b)!.y);
  };

  it("keeps the order in which edges leave a step", () => {
    for (const order of [
      ["b", "c", "d"],
      ["d", "b", "c"],
      ["c", "d", "b"],
    ]) {
      const edges = order.map(id => `a > ${id}`);
      expect(topToBottom([...edges, "b > e", "e > f"], ["b", "c", "d"])).toEqual(order);
    }
  });

  it("places every step even if two steps need opposite orders", () => {
    const boxes = layoutGraph(drawn(["a > c", "b > d", "a > e", "b > e", "b > c"]));
    expect(boxes.size).toBe(5);
    expect(new Set([...boxes.values()].map(({ x, y }) => `${x} ${y}`)).size).toBe(5);
  });
});
