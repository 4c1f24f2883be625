import type { Identity } from "../../contracts/entities/user.ts";
import { workflowEtag } from "../../contracts/entities/workflow.ts";
import type { WithStore } from "../../service-kit/store.mixin.ts";
import pods from "../../services/pods/pods.service.ts";
import { deployments } from "../../services/workflows/deployment-model.ts";
import { workflowTools } from "../../services/workflows/tool-model.ts";
import workflows from "../../services/workflows/workflows.service.ts";
import workspaces from "../../services/workspaces/workspaces.service.ts";
import {
  fakePurges,
  ownDataDir,
  refusal,
  type ServiceNode,
  userIdentity,
  startServices,
} from "../support/service-node.ts";

ownDataDir();

let node: ServiceNode;
beforeAll(async () => {
  node = await startServices(workspaces, pods, workflows, ...fakePurges("schedules", "webhooks", "variables"));
});
afterAll(() => node.stop());

const takes = (field: string) => ({
  nodes: [{ id: "a", type: "transform", data: { value: field } }],
  edges: [],
  settings: { inputSchema: { type: "object", properties: { [field]: { type: "string" } } } },
});

let ada: Identity;
let params: { workspaceId: string; spaceId: string; id: string };
beforeEach(async () => {
  ada = userIdentity();
  const { id } = await node.act(ada, "workspaces.create", { name: "Acme" });
  const scope = { workspaceId: id, spaceId: id };
  const made = await node.act(ada, "workflows.create", { ...scope, name: "Tool", definition: takes("one") });
  params = { ...scope, id: made.id };
  await node.act(ada, "workflows.update", { ...params, definition: takes("two"), message: " Second try " });
});

const deploy = (given: { version?: number; message?: string; force?: boolean } = {}) =>
  node.act(ada, "workflows.deploy", { ...params, ...given });
const list = async () => (await node.act(ada, "workflows.deployments", params)).items;
const toolFields = async () =>
  (await node.act(ada, "workflows.tools", { workspaceId: params.workspaceId })).items.map(
    ({ inputSchema, version }) => [Object.keys((inputSchema as { properties: object }).properties), version],
  );

test("a version keeps its author's note", async () => {
  const { items } = await node.act(ada, "workflows.versions", params);
  expect(items.map(({ version, message }) => [version, message])).toEqual([
    [2, "Second try"],
    [1, null],
  ]);
  await node.act(ada, "workflows.restoreVersion", { ...params, version: 1, message: "Back" });
  expect(await node.act(ada, "workflows.version", { ...params, version: 3 })).toMatchObject({ message: "Back" });
});

test("any version can be deployed, also an earlier one, and its tool is offered", async () => {
  expect(await deploy()).toMatchObject({ deployedVersion: 2, version: 2 });
  expect(await toolFields()).toEqual([[["two"], 2]]);
  expect(await deploy({ version: 1, message: "Two is slow" })).toMatchObject({ deployedVersion: 1, version: 2 });
  expect(await toolFields()).toEqual([[["one"], 1]]);
  await node.act(ada, "workflows.star", { ...params, starred: true });
  await node.act(ada, "workflows.trash", params);
  await node.act(ada, "workflows.restore", params);
  expect(await toolFields()).toEqual([[["one"], 1]]);
  const run = { workspaceId: params.workspaceId, workflowId: params.id, version: "deployed" as const };
  expect(await node.act(null, "workflows.runnable", run)).toMatchObject({ version: 1 });
  expect(await list()).toEqual([
    expect.objectContaining({ version: 1, previousVersion: 2, message: "Two is slow", deployedBy: ada.userId }),
    expect.objectContaining({ version: 2, previousVersion: null, message: null }),
  ]);
  await expect(deploy({ version: 3 })).rejects.toEqual(refusal("not_found"));
});

test("the workflows that call a workflow are listed, with the versions that their steps name", async () => {
  const { workspaceId, spaceId, id: workflowId } = params;
  const calls = (...data: object[]) => ({
    nodes: data.map((one, n) => ({ id: `call${n}`, type: "subworkflow", data: { workflowId, ...one } })),
    edges: [],
  });
  const scope = { workspaceId, spaceId };
  const make = (name: string, definition: object) => node.act(ada, "workflows.create", { ...scope, name, definition });
  const live = await make("Live", calls({}));
  await node.act(ada, "workflows.deploy", { ...scope, id: live.id });
  await node.act(ada, "workflows.update", { ...scope, id: live.id, definition: takes("none") });
  const draft = await make("Draft", calls({ version: 1 }, { version: "deployed" }, { workflowId: live.id }));
  await make("Other", { nodes: [{ id: "a", type: "transform", data: { workflowId } }, null], edges: [] });
  const gone = await make("Gone", calls({}));
  await node.act(ada, "workflows.trash", { ...scope, id: gone.id });
  const { items, next } = await node.act(ada, "workflows.callers", params);
  expect(next).toBeNull();
  expect(items).toEqual([
    {
      ...{ workflowId: draft.id, spaceId, name: "Draft", deployed: false },
      calls: [
        { nodeId: "call0", version: 1 },
        { nodeId: "call1", version: "deployed" },
      ],
    },
    { workflowId: live.id, spaceId, name: "Live", deployed: true, calls: [{ nodeId: "call0", version: null }] },
  ]);
  await expect(node.act(ada, "workflows.callers", { ...params, id: workspaceId })).rejects.toEqual(
    refusal("not_found"),
  );
});

test("counts faults of the version that is deployed, not of the newest", async () => {
  await node.act(ada, "workflows.update", { ...params, definition: { nodes: [{ id: "a", type: "none" }], edges: [] } });
  await expect(deploy()).rejects.toEqual(refusal("invalid_definition"));
  expect(await deploy({ version: 2 })).toMatchObject({ deployedVersion: 2 });
});

test("deployments at the same moment are each listed once, and the tool is that of the last one", async () => {
  await Promise.all(Array.from({ length: 8 }, (_, i) => deploy({ version: 1 + (i % 2), message: `m${i}` })));
  const listed = await list();
  expect(listed.map(({ message }) => message).sort()).toEqual(Array.from({ length: 8 }, (_, i) => `m${i}`));
  // Each one says what was deployed before it.
  expect(listed.slice(0, -1).map(one => one.previousVersion)).toEqual(listed.slice(1).map(one => one.version));
  const { deployedVersion } = await node.act(ada, "workflows.get", params);
  expect(await toolFields()).toEqual([[[deployedVersion === 1 ? "one" : "two"], deployedVersion]]);
});

test("a deployment whose writer died before its record is recorded by the next read", async () => {
  await deploy({ message: "cut off" });
  const { store } = node.service<WithStore>("workflows");
  expect(await store.tenant(deployments, params.workspaceId).remove({ workflowId: params.id })).toBe(1);
  expect(await list()).toEqual([expect.objectContaining({ version: 2, message: "cut off" })]);
  await store.tenant(deployments, params.workspaceId).remove({ workflowId: params.id });
  await deploy({ version: 1 });
  expect((await list()).map(({ version }) => version)).toEqual([1, 2]);
});

test("a tool that an earlier version of Weft offered is kept until the next deployment", async () => {
  await deploy();
  const { store } = node.service<WithStore>("workflows");
  const of = { id: params.id };
  await store.tenant(workflowTools, params.workspaceId).updateOne(of, { $unset: { order: true } });
  const { workflows: all } = await import("../../services/workflows/model.ts");
  await store.tenant(all, params.workspaceId).updateOne(of, { $unset: { deploymentCount: true, deployment: true } });
  await node.act(ada, "workflows.star", { ...params, starred: true });
  await node.act(ada, "workflows.trash", params);
  await node.act(ada, "workflows.restore", params);
  expect(await toolFields()).toEqual([[["two"], 2]]);
  expect(await list()).toEqual([expect.objectContaining({ version: 2 })]);
  await deploy({ version: 1 });
  expect(await toolFields()).toEqual([[["one"], 1]]);
});

test("a star or a deployment does not block a change whose If-Match names the earlier state", async () => {
  const ifMatch = workflowEtag(await node.act(ada, "workflows.get", params));
  await node.act(ada, "workflows.star", { ...params, starred: true });
  await deploy();
  expect(workflowEtag(await node.act(ada, "workflows.get", params))).not.toBe(ifMatch);
  expect(await node.act(ada, "workflows.update", { ...params, name: "New", ifMatch })).toMatchObject({ version: 3 });
  await expect(node.act(ada, "workflows.update", { ...params, name: "Newer", ifMatch })).rejects.toEqual(
    refusal("precondition_failed"),
  );
  for (const wrong of ['"3"', "3-x", 'W/"3-x"', '"33-x"', '"3-"x"']) {
    const change = { ...params, name: "Newer", ifMatch: wrong };
    await expect(node.act(ada, "workflows.update", change)).rejects.toEqual(refusal("precondition_failed"));
  }
});

test("warns about a deployed version that breaks a newer rule and still runs, and rejects only a new one", async () => {
  const misspelt = { nodes: [{ id: "a", type: "transform", data: { value: 1, valeu: 2 } }], edges: [] };
  await node.act(ada, "workflows.update", { ...params, definition: misspelt });
  await expect(deploy()).rejects.toEqual(refusal("invalid_definition"));
  // A version that was deployed before the rule came is as one that is deployed by force.
  const warning = { nodeId: "a", path: "/nodes/0/data/valeu", severity: "warning" };
  expect((await deploy({ force: true })).deployedWarnings).toMatchObject([warning]);
  expect((await node.act(ada, "workflows.get", params)).deployedWarnings).toMatchObject([warning]);
  expect((await node.act(ada, "workflows.validate", params)).faults).toMatchObject([{ ...warning, severity: "error" }]);

  await node.act(ada, "workflows.update", { ...params, definition: takes("three") });
  expect((await node.act(ada, "workflows.get", params)).deployedWarnings).toMatchObject([warning]);
  expect(await deploy()).not.toHaveProperty("deployedWarnings");
  expect(await node.act(ada, "workflows.get", params)).not.toHaveProperty("deployedWarnings");
});
