import type { Identity } from "../../contracts/entities/user.ts";
import { workflowEtag } from "../../contracts/entities/workflow.ts";
import pods from "../../services/pods/pods.service.ts";
import workflows from "../../services/workflows/workflows.service.ts";
import workspaces from "../../services/workspaces/workspaces.service.ts";
import { definition, gives } from "../support/definition.ts";
import {
  ownDataDir,
  outcomes,
  refusal,
  type ServiceNode,
  userIdentity,
  startServices,
} from "../support/service-node.ts";

ownDataDir();

let node: ServiceNode;
let ada: Identity;
let params: { workspaceId: string; spaceId: string; id: string };
beforeAll(async () => {
  node = await startServices(workspaces, pods, workflows);
  ada = userIdentity();
});
afterAll(() => node.stop());

const first = definition([gives("a", 1)]);
const second = definition([gives("a", 2), gives("b", 3)], "a > b");
beforeEach(async () => {
  const { id: workspaceId } = await node.act(ada, "workspaces.create", { name: "Acme" });
  const scope = { workspaceId, spaceId: workspaceId };
  const made = await node.act(ada, "workflows.create", { ...scope, name: "One", definition: first });
  params = { ...scope, id: made.id };
  await node.act(ada, "workflows.update", { ...params, name: "Two", definition: second });
});

test("two versions can be compared in either direction, and a version has no difference from itself", async () => {
  const there = await node.act(ada, "workflows.diff", { ...params, from: 1, to: 2 });
  expect(there).toMatchObject({
    from: 1,
    to: 2,
    name: { from: "One", to: "Two" },
    description: null,
    nodes: {
      added: [gives("b", 3)],
      removed: [],
      changed: [{ id: "a", changes: [{ op: "replace", path: "/data/value", from: 1, to: 2 }] }],
    },
    edges: { added: [{ source: "a", target: "b" }], removed: [] },
  });
  const back = await node.act(ada, "workflows.diff", { ...params, from: 2, to: 1 });
  expect(back).toMatchObject({ name: { from: "Two", to: "One" }, nodes: { added: [], removed: [gives("b", 3)] } });
  const none = await node.act(ada, "workflows.diff", { ...params, from: 2, to: 2 });
  expect(none).toMatchObject({ name: null, nodes: { added: [], changed: [] }, definition: [], truncated: false });
});

test.each([
  [1, 3],
  [3, 1],
])("shows no differences for a version that does not exist: %d and %d", async (from, to) => {
  await expect(node.act(ada, "workflows.diff", { ...params, from, to })).rejects.toEqual(refusal("not_found"));
});

test("restoring a version makes a new one that equals it", async () => {
  const restored = await node.act(ada, "workflows.restoreVersion", { ...params, version: 1 });
  expect(restored).toMatchObject({ version: 3, name: "One", definition: first });
  expect(await node.act(ada, "workflows.get", params)).toEqual(restored);
  const between = await node.act(ada, "workflows.diff", { ...params, from: 1, to: 3 });
  expect(between).toMatchObject({ name: null, description: null, nodes: { added: [], removed: [], changed: [] } });
});

test("restoring the newest content creates no version", async () => {
  const before = await node.act(ada, "workflows.get", params);
  expect(await node.act(ada, "workflows.restoreVersion", { ...params, version: 2 })).toEqual(before);
  expect(before.version).toBe(2);
});

test("restoring requires the state that the caller has seen", async () => {
  const seen = workflowEtag(await node.act(ada, "workflows.get", params));
  const restored = await node.act(ada, "workflows.restoreVersion", { ...params, version: 1, ifMatch: seen });
  expect(restored.version).toBe(3);
  await expect(node.act(ada, "workflows.restoreVersion", { ...params, version: 2, ifMatch: seen })).rejects.toEqual(
    refusal("precondition_failed"),
  );
});

test("concurrent restores each succeed, and no version number is used twice", async () => {
  const calls = Array.from({ length: 8 }, (_, i) =>
    node.act(ada, "workflows.restoreVersion", { ...params, version: 1 + (i % 2) }),
  );
  expect(await outcomes(calls)).toEqual(["ok"]);
  const { items } = await node.act(ada, "workflows.versions", params);
  expect(items.map(one => one.version)).toEqual(items.map((_, i) => items.length - i));
});
