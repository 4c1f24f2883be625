import { connectableAncestors } from "../../console/builder/document/connectable-ancestors.ts";
import { readDefinition } from "../../console/builder/document/index.ts";

const node = (id: string, parentId?: string) => ({
  id,
  type: "transform",
  ...(parentId !== undefined && { parentId }),
});
const state = readDefinition({
  nodes: [node("a"), node("map"), node("in", "map"), node("deep", "map"), node("core", "deep"), node("z")],
  edges: [{ source: "a", target: "z" }],
});
const insteadFrom = (source: string, target: string, handle = "error") =>
  connectableAncestors(state, { source, handle, target }, id => id === "a").map(
    ends => `${ends.source}.${ends.handle} ${ends.target}`,
  );

test("offers edges between siblings instead of an edge across a container border", () => {
  expect(insteadFrom("a", "core")).toEqual(["a.error map"]);
  expect(insteadFrom("core", "z")).toEqual(["map.out z"]);
  expect(insteadFrom("in", "core")).toEqual(["in.error deep"]);
  expect(insteadFrom("core", "in")).toEqual(["deep.out in"]);
});

test("offers no edge to a trigger, and none that would close a cycle", () => {
  expect(insteadFrom("core", "a")).toEqual([]);
  expect(insteadFrom("core", "map")).toEqual([]);
});
