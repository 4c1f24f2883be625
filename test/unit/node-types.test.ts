import { globSync, readFileSync } from "node:fs";
import { NODE_TYPES } from "../../core/graph/node-types.ts";
import { parseDefinition } from "../../core/graph/parse-definition.ts";
import { respondSteps } from "../../services/executions/store/read-response.ts";

const names = Object.keys(NODE_TYPES).join("|");
/** A comparison of a node's type with a name, or a set of such names. */
const NAMED = new RegExp(`type\\s*[!=]==\\s*"(${names})"|new Set\\(\\["(${names})"`);

it("states all properties of a type in one table, which other rules read", () => {
  const files = globSync("{core/graph,core/run,services/executions/{store,engine}}/*.ts");
  expect(files.length).toBeGreaterThan(50);
  expect(files.filter(file => NAMED.test(readFileSync(file, "utf8")))).toEqual([]);
});

it.each(Object.keys(NODE_TYPES))("accepts only a container as the parent of a node: %s", type => {
  const nodes = [
    { id: "outer", type, disabled: true },
    { id: "inner", type: "transform", parentId: "outer", data: { value: 1 } },
  ];
  const { faults = [] } = parseDefinition({ nodes, edges: [] });
  const refused = faults.some(({ message }) => message.includes("Only a map or a loop can contain nodes"));
  expect(refused).toBe(type !== "map" && type !== "loop");
});

it("does not answer a waiting caller with a disabled respond step", () => {
  const nodes = [
    { id: "on", type: "respond", data: { body: 1 } },
    { id: "off", type: "respond", data: { body: 2 }, disabled: true },
  ];
  expect([...respondSteps(parseDefinition({ nodes, edges: [] }))]).toEqual(["on"]);
});
