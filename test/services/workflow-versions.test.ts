import { v7 as uuid } from "uuid";
import type { Identity } from "../../contracts/entities/user.ts";
import { workflowEtag } from "../../contracts/entities/workflow.ts";
import type { WithStore } from "../../service-kit/store.mixin.ts";
import pods from "../../services/pods/pods.service.ts";
import { versions } from "../../services/workflows/model.ts";
import workflows from "../../services/workflows/workflows.service.ts";
import workspaces from "../../services/workspaces/workspaces.service.ts";
import {
  outcomes,
  ownDataDir,
  refusal,
  type ServiceNode,
  userIdentity,
  startServices,
} from "../support/service-node.ts";

ownDataDir();

let node: ServiceNode;
beforeAll(async () => void (node = await startServices(workspaces, pods, workflows)));
afterAll(() => node.stop());

let ada: Identity;
let params: { workspaceId: string; spaceId: string; id: string };
beforeEach(async () => {
  ada = userIdentity();
  const { id } = await node.act(ada, "workspaces.create", { name: "Acme" });
  const scope = { workspaceId: id, spaceId: id };
  params = { ...scope, id: (await node.act(ada, "workflows.create", { ...scope, name: "v1", definition: [1] })).id };
});

const update = (change: { name?: string; description?: string; definition?: unknown; ifMatch?: string }) =>
  node.act(ada, "workflows.update", { ...params, ...change });
const list = async () => (await node.act(ada, "workflows.versions", { ...params, limit: 200 })).items;
const get = () => node.act(ada, "workflows.get", params);

test("each change creates the next snapshot, which is immutable", async () => {
  const second = await update({ definition: { nodes: [] } });
  const third = await update({ name: "v3", description: "text" });
  expect([second.version, third.version]).toEqual([2, 3]);
  expect(third).toMatchObject({ name: "v3", description: "text", definition: { nodes: [] } });
  expect(await get()).toEqual(third);
  expect((await list()).map(({ version, name, definition }) => ({ version, name, definition }))).toEqual([
    { version: 3, name: "v3", definition: { nodes: [] } },
    { version: 2, name: "v1", definition: { nodes: [] } },
    { version: 1, name: "v1", definition: [1] },
  ]);
  expect(await node.act(ada, "workflows.version", { ...params, version: 2 })).toMatchObject({
    workflowId: params.id,
    version: 2,
    createdBy: ada.userId,
    createdAt: second.updatedAt,
  });
  await expect(node.act(ada, "workflows.version", { ...params, version: 4 })).rejects.toEqual(refusal("not_found"));
});

test("a change without effect creates no version", async () => {
  await update({ definition: { a: 1, b: { c: [] } } });
  const before = await get();
  expect(await update({})).toEqual(before);
  expect(await update({ name: "v1", definition: { b: { c: [] }, a: 1 } })).toEqual(before);
  expect(await update({ ifMatch: workflowEtag(before) })).toEqual(before);
  expect(await list()).toHaveLength(2);
});

test("twenty concurrent changes create twenty versions without loss or gaps", async () => {
  const saved = await Promise.all(Array.from({ length: 20 }, (_, i) => update({ name: `name ${i}` })));
  expect(saved.map(one => one.version).sort((a, b) => a - b)).toEqual(Array.from({ length: 20 }, (_, i) => i + 2));
  const snapshots = await list();
  expect(snapshots.map(one => one.version)).toEqual(Array.from({ length: 21 }, (_, i) => 21 - i));
  for (const { version, name } of saved) expect(snapshots.find(one => one.version === version)?.name).toBe(name);
  expect(await get()).toMatchObject({ version: 21, name: snapshots[0]!.name });
});

test("changes of different fields at the same moment are both kept", async () => {
  await Promise.all([update({ name: "new name" }), update({ description: "new text" }), update({ definition: [2] })]);
  expect(await get()).toMatchObject({ name: "new name", description: "new text", definition: [2], version: 4 });
});

test("of ten changes that name the same version, one succeeds", async () => {
  const ifMatch = workflowEtag(await get());
  const calls = Array.from({ length: 10 }, (_, i) => update({ name: `name ${i}`, ifMatch }));
  const done = (await Promise.allSettled(calls)).filter(one => one.status === "fulfilled");
  expect(done).toHaveLength(1);
  expect(await outcomes(calls)).toEqual(["ok", "precondition_failed"]);
  expect(await list()).toHaveLength(2);
  expect((await update({ name: "any", ifMatch: `"x", ${workflowEtag(await get())}` })).version).toBe(3);
  expect((await update({ name: "star", ifMatch: "*" })).version).toBe(4);
});

test("completes a snapshot whose writer died before the document with the next change", async () => {
  const { store } = node.service<WithStore>("workflows");
  const { workspaceId, spaceId, id: workflowId } = params;
  const content = { name: "from the dead", description: "", definition: [9], bytes: 3 };
  const at = new Date();
  const orphan = { id: uuid(), workspaceId, spaceId, workflowId, version: 2, createdBy: ada.userId, createdAt: at };
  await store.tenant(versions, workspaceId).insert({ ...orphan, ...content });
  expect(await list()).toHaveLength(1);
  await expect(node.act(null, "workflows.runnable", { workspaceId, spaceId, workflowId, version: 2 })).rejects.toEqual(
    refusal("not_found"),
  );
  expect(await update({ description: "after" })).toMatchObject({
    version: 3,
    name: "from the dead",
    description: "after",
    definition: [9],
  });
  expect((await list()).map(one => one.version)).toEqual([3, 2, 1]);
});

test("accepts a definition of up to 512 KiB of JSON", async () => {
  const fits = "x".repeat(512 * 1024 - 2);
  expect((await update({ definition: fits })).version).toBe(2);
  await expect(update({ definition: `${fits}y` })).rejects.toEqual(refusal("payload_too_large"));
  const { workspaceId, spaceId } = params;
  await expect(
    node.act(ada, "workflows.create", { workspaceId, spaceId, name: "x", definition: "é".repeat(256 * 1024) }),
  ).rejects.toEqual(refusal("payload_too_large"));
});
