import type { Service } from "moleculer";
import type { CollectionSpec, Doc } from "../../adapters/store/port.ts";
import type { Identity } from "../../contracts/entities/user.ts";
import type { WithStore } from "../../service-kit/store.mixin.ts";
import type { Deletable } from "../../service-kit/tombstone.ts";
import audit from "../../services/audit/audit.service.ts";
import idempotency from "../../services/idempotency/idempotency.service.ts";
import identity from "../../services/identity/identity.service.ts";
import notifications from "../../services/notifications/notifications.service.ts";
import { pods as podDocs, spaces as spaceDocs } from "../../services/pods/model.ts";
import pods from "../../services/pods/pods.service.ts";
import { sweepPods } from "../../services/pods/remove.ts";
import { versions, workflows as workflowDocs } from "../../services/workflows/model.ts";
import { sweepWorkflows } from "../../services/workflows/remove.ts";
import workflows from "../../services/workflows/workflows.service.ts";
import { members, workspaces as workspaceDocs } from "../../services/workspaces/model.ts";
import { sweepWorkspaces } from "../../services/workspaces/remove-workspace.ts";
import workspaces from "../../services/workspaces/workspaces.service.ts";
import { addMember } from "../support/add-member.ts";
import { Gate } from "../support/ledger.ts";
import {
  fakeExecutions,
  fakePurges,
  outcomes,
  ownDataDir,
  refusal,
  type ServiceNode,
  userIdentity,
  startServices,
  until,
} from "../support/service-node.ts";

ownDataDir();

let node: ServiceNode;
let purges: { workspaceId: string; spaceId?: string }[] = [];
let failing = false;
let duringPurge = () => Promise.resolve();
const executions = fakeExecutions(params => {
  if (failing) throw new Error("executions are down");
  purges.push(params);
  return duringPurge();
});
const triggers = fakePurges("schedules", "webhooks", "credentials", "variables", "memory", "knowledge", "mcp", "files");
const start = async () =>
  void (node = await startServices(
    identity,
    workspaces,
    pods,
    workflows,
    notifications,
    executions,
    idempotency,
    audit,
    ...triggers,
  ));
beforeAll(start);
afterAll(() => node.stop());

let ada: Identity;
let workspaceId: string;
beforeEach(async () => {
  purges = [];
  failing = false;
  ada = userIdentity();
  ({ id: workspaceId } = await node.act(ada, "workspaces.create", { name: "Doomed", slug: undefined }));
});

const store = () => node.service<WithStore>("workspaces").store;
const count = <T extends Doc>(spec: CollectionSpec<T>, of = workspaceId) => store().tenant(spec, of).count({});
const self = (name: string) => node.service<Service & WithStore>(name);
/** Until every deleted document of this collection has been purged once. */
const purgedOnce = (spec: CollectionSpec) =>
  until(async () => (await store().acrossTenants<Deletable>(spec).count({ purged: false })) === 0);
const inTwoMinutes = () => new Date(Date.now() + 120_000);
const workflow = (spaceId: string) => node.act(ada, "workflows.create", { workspaceId, spaceId, name: "w" });

test("a deleted workspace is gone at once for every member, and its slug is free", async () => {
  const { slug } = await node.act(ada, "workspaces.get", { workspaceId });
  const editor = await addMember(node, workspaceId, "editor");
  const { id } = await workflow(workspaceId);
  await node.act(ada, "workspaces.remove", { workspaceId });
  const scope = { workspaceId, spaceId: workspaceId };
  const calls = [ada, editor].flatMap(who => [
    node.act(who, "workspaces.get", { workspaceId }),
    node.act(who, "workspaces.remove", { workspaceId }),
    node.act(who, "workflows.get", { ...scope, id }),
    node.act(who, "workflows.create", { ...scope, name: "late" }),
    node.act(who, "pods.create", { workspaceId, name: "late" }),
  ]);
  expect(await outcomes(calls)).toEqual(["not_found"]);
  expect((await node.act(ada, "workspaces.list", {})).items).toEqual([]);
  expect((await node.act(ada, "workspaces.create", { name: "New", slug })).slug).toBe(slug);
});

test("the contents of a deleted workspace are removed afterwards, and no other workspace's", async () => {
  const pod = await node.act(ada, "pods.create", { workspaceId, name: "Pod" });
  await workflow(pod.id);
  await workflow(workspaceId);
  const other = await node.act(ada, "workspaces.create", { name: "Kept" });
  await node.act(ada, "workflows.create", { workspaceId: other.id, spaceId: other.id, name: "kept" });

  for (const about of [workspaceId, other.id]) {
    const to = { userIds: [ada.userId] };
    await node.act(null, "notifications.notify", { key: about, workspaceId: about, type: "message", title: "w", to });
  }

  await node.act(ada, "workspaces.remove", { workspaceId });
  await until(async () => (await count(versions)) === 0);
  expect(purges).toContainEqual({ workspaceId });
  await until(async () => (await node.act(ada, "notifications.list", {})).items.length === 1);
  expect((await node.act(ada, "notifications.list", {})).items).toMatchObject([{ workspaceId: other.id }]);
  expect(await Promise.all([podDocs, spaceDocs, workflowDocs, members].map(spec => count(spec as never)))).toEqual([
    0, 0, 0, 0,
  ]);
  const kept = [spaceDocs, workflowDocs, versions, members].map(spec => count(spec as never, other.id));
  expect(await Promise.all(kept)).toEqual([1, 1, 1, 1]);
});

test("a cascade that failed halfway is finished by a later sweep", async () => {
  await workflow(workspaceId);
  failing = true;
  await node.act(ada, "workspaces.remove", { workspaceId });
  await until(async () => (await count(spaceDocs)) === 0);
  await sweepWorkspaces.call(self("workspaces"), new Date());
  expect(await count(workflowDocs)).toBe(1);
  failing = false;
  await sweepWorkspaces.call(self("workspaces"), new Date());
  expect(await count(workflowDocs)).toBe(0);
  expect(await count(versions)).toBe(0);
});

test("completes an interrupted cascade when the next node starts", async () => {
  const space = await node.act(ada, "pods.spaces.create", { workspaceId, name: "Space" });
  await workflow(space.id);
  failing = true;
  await node.act(ada, "pods.spaces.remove", { workspaceId, spaceId: space.id });
  await node.stop();
  failing = false;
  await start();
  await until(async () => (await count(versions)) === 0);
  expect(purges).toContainEqual({ workspaceId, spaceId: space.id });
});

test("writes that raced the deletion are removed by a second purge, and then the tombstone", async () => {
  await node.act(ada, "workspaces.remove", { workspaceId });
  const tombstone = () => store().global(workspaceDocs).get({ id: workspaceId });
  await until(async () => (await tombstone())?.purged === true);
  // A call that had passed its checks before.
  await node.act(null, "pods.spaces.createDefault", { workspaceId });
  await sweepWorkspaces.call(self("workspaces"), new Date());
  expect(await count(spaceDocs)).toBe(1);
  await sweepWorkspaces.call(self("workspaces"), inTwoMinutes());
  expect(await count(spaceDocs)).toBe(0);
  expect(await tombstone()).toBeNull();
});

test("a workspace whose creation was interrupted is purged later", async () => {
  const now = new Date();
  const times = { createdAt: now, updatedAt: now };
  await store()
    .global(workspaceDocs)
    .updateOne({ id: workspaceId }, { $set: { purgeAt: new Date(now.getTime() + 60_000), purged: true, ...times } });
  await sweepWorkspaces.call(self("workspaces"), now);
  expect(await count(members)).toBe(1);
  await sweepWorkspaces.call(self("workspaces"), inTwoMinutes());
  expect(await count(members)).toBe(0);
  expect(await store().global(workspaceDocs).get({ id: workspaceId })).toBeNull();
});

test("a workspace is not created when a node whose clock is ahead purges it during the creation", async () => {
  const { store: own } = self("workspaces");
  const tenant = own.tenant.bind(own);
  const [purging, published] = [new Gate(), new Gate()];
  duringPurge = () => (purging.open(), published.opened);
  let swept = Promise.resolve();
  // The creation's last write before it publishes the workspace.
  const spied = jest.spyOn(own, "tenant").mockImplementationOnce((spec, of) => {
    spied.mockRestore();
    swept = sweepWorkspaces.call(self("workspaces"), new Date(Date.now() + 600_000));
    const all = tenant(spec, of);
    return { ...all, insert: async doc => (await purging.opened, all.insert(doc)) };
  });
  const late = { name: "Late", slug: "late" };
  await expect(node.act(ada, "workspaces.create", late).finally(() => published.open())).rejects.toEqual(
    refusal("unavailable"),
  );
  await swept;
  duringPurge = () => Promise.resolve();
  expect((await node.act(ada, "workspaces.create", late)).slug).toBe("late");
});

test("deleting a pod removes the contents of its spaces, and nothing else", async () => {
  const pod = await node.act(ada, "pods.create", { workspaceId, name: "Pod" });
  const inPod = await node.act(ada, "pods.spaces.create", { workspaceId, name: "In", podId: pod.id });
  for (const spaceId of [pod.id, inPod.id, workspaceId]) await workflow(spaceId);
  await node.act(ada, "pods.remove", { workspaceId, podId: pod.id });
  await until(async () => (await count(versions)) === 1);
  expect(purges.map(params => params.spaceId).sort()).toEqual([pod.id, inPod.id].sort());
  await purgedOnce(podDocs);
  await purgedOnce(spaceDocs);
  await sweepPods.call(self("pods"), inTwoMinutes());
  expect([await count(podDocs), await count(spaceDocs), await count(workflowDocs)]).toEqual([0, 1, 1]);
});

test("a deleted workflow is gone at once, and its versions are removed afterwards", async () => {
  const { id } = await workflow(workspaceId);
  const kept = await workflow(workspaceId);
  const scope = { workspaceId, spaceId: workspaceId };
  await node.act(ada, "workflows.remove", { ...scope, id });
  await expect(node.act(ada, "workflows.get", { ...scope, id })).rejects.toEqual(refusal("not_found"));
  await expect(node.act(ada, "workflows.remove", { ...scope, id })).rejects.toEqual(refusal("not_found"));
  expect((await node.act(ada, "workflows.list", scope)).items.map(one => one.id)).toEqual([kept.id]);
  await until(async () => (await count(versions)) === 1);
  await purgedOnce(workflowDocs);
  await sweepWorkflows.call(self("workflows"), inTwoMinutes());
  expect(await count(workflowDocs)).toBe(1);
});

test("a purge that always fails does not delay the others", async () => {
  failing = true;
  await node.act(ada, "workspaces.remove", { workspaceId });
  const { id: second } = await node.act(ada, "workspaces.create", { name: "Second" });
  await node.act(ada, "workspaces.remove", { workspaceId: second });
  await until(async () => (await count(spaceDocs, workspaceId)) + (await count(spaceDocs, second)) === 0);
});
