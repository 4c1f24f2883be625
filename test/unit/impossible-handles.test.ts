import { checkDefinition } from "../../core/graph/check-definition.ts";
import { definition, gives, node } from "../support/definition.ts";

const faultsOf = (type: string, data: object, handle: string, more: object = {}) => {
  const what = definition([node("a", type, data, more), gives("b", 1)]);
  return checkDefinition({ ...what, edges: [{ source: "a", target: "b", sourceHandle: handle }] }).filter(
    ({ path }) => path === "/edges/0/sourceHandle",
  );
};
const cases = [{ id: "x", equals: 1 }];

it.each<[string, object, string, string]>([
  ["transform", { value: 1 }, "true", "out"],
  ["transform", { value: 1 }, "error", "out"],
  ["http", { url: "https://example.com" }, "success", "out"],
  ["condition", { if: true }, "out", "true, false"],
  ["switch", { value: 1, cases }, "case:y", "case:x"],
  ["wait", { event: "e" }, "approved", "timeout"],
])("rejects an edge from %s %j at the handle %s", (type, data, handle, choice) => {
  expect(faultsOf(type, data, handle)).toEqual([
    { nodeId: "a", path: expect.any(String), severity: "error", message: expect.stringContaining(choice) },
  ]);
});

it("rejects an edge from a step without handles", () => {
  expect(faultsOf("fail", { message: "no" }, "out")).toMatchObject([
    { message: expect.stringContaining("no handles") as string },
  ]);
});

it("accepts an edge at `error` if the policy routes errors", () => {
  expect(faultsOf("transform", { value: 1 }, "error", { policy: { onError: "route" } })).toEqual([]);
});
