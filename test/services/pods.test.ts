import type { Identity } from "../../contracts/entities/user.ts";
import pods from "../../services/pods/pods.service.ts";
import workspaces from "../../services/workspaces/workspaces.service.ts";
import { addMember } from "../support/add-member.ts";
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
beforeAll(async () => void (node = await startServices(workspaces, pods)));
afterAll(() => node.stop());

let ada: Identity;
let workspaceId: string;
beforeEach(async () => {
  ada = userIdentity();
  ({ id: workspaceId } = await node.act(ada, "workspaces.create", { name: "Acme" }));
});

const createPod = (name = "Staging") => node.act(ada, "pods.create", { workspaceId, name });
const exists = async (spaceId: string, of = workspaceId) =>
  (await node.act(null, "pods.spaces.exists", { workspaceId: of, spaceId })).exists;

test("a pod comes with a default space that has its id", async () => {
  const pod = await node.act(ada, "pods.create", { workspaceId, name: "Größer & Co", description: "all of it" });
  expect(pod).toMatchObject({ workspaceId, name: "Größer & Co", description: "all of it" });
  expect(pod.slug).toMatch(/^grosser-co-[0-9a-f]{6}$/);
  expect(await node.act(ada, "pods.get", { workspaceId, podId: pod.id })).toEqual(pod);
  expect(await node.act(ada, "pods.spaces.get", { workspaceId, spaceId: pod.id })).toMatchObject({
    id: pod.id,
    podId: pod.id,
    default: true,
    name: "Größer & Co",
  });
  expect(await exists(pod.id)).toBe(true);
});

test("gives pods of the same name different slugs, also for a name without letters", async () => {
  const made = await Promise.all(Array.from({ length: 5 }, () => createPod("Same")));
  expect(new Set(made.map(pod => pod.slug)).size).toBe(5);
  expect((await createPod("環境")).slug).toMatch(/^pod-[0-9a-f]{6}$/);
});

test("pods are listed newest first and changed field by field", async () => {
  const first = await createPod("first");
  const second = await createPod("second");
  const page = await node.act(ada, "pods.list", { workspaceId, limit: 1 });
  expect(page.items).toEqual([second]);
  const rest = await node.act(ada, "pods.list", { workspaceId, cursor: page.next! });
  expect(rest).toEqual({ items: [first], next: null });
  const changed = await node.act(ada, "pods.update", { workspaceId, podId: first.id, description: "d" });
  expect(changed).toMatchObject({ name: "first", slug: first.slug, description: "d" });
  expect(await node.act(ada, "pods.update", { workspaceId, podId: first.id })).toEqual(changed);
});

test("spaces are created in a pod or beside all pods, and listed by pod", async () => {
  const pod = await createPod();
  const inPod = await node.act(ada, "pods.spaces.create", { workspaceId, name: "In", podId: pod.id });
  const beside = await node.act(ada, "pods.spaces.create", { workspaceId, name: "Beside" });
  expect(inPod).toMatchObject({ podId: pod.id, default: false });
  expect(beside).not.toHaveProperty("podId");
  const ids = async (podId?: string) =>
    (await node.act(ada, "pods.spaces.list", { workspaceId, podId })).items.map(space => space.id);
  expect(await ids()).toEqual([beside.id, inPod.id, pod.id, workspaceId]);
  expect(await ids(pod.id)).toEqual([inPod.id, pod.id]);
  await expect(
    node.act(ada, "pods.spaces.create", { workspaceId, name: "No", podId: userIdentity().userId }),
  ).rejects.toEqual(refusal("not_found"));
});

test("a default space is renamed but not deleted", async () => {
  const pod = await createPod();
  for (const spaceId of [workspaceId, pod.id]) {
    const renamed = await node.act(ada, "pods.spaces.update", { workspaceId, spaceId, name: "Main" });
    expect(renamed.name).toBe("Main");
    await expect(node.act(ada, "pods.spaces.remove", { workspaceId, spaceId })).rejects.toEqual(
      refusal("default_space"),
    );
    expect(await exists(spaceId)).toBe(true);
  }
});

test("creating the default space again changes nothing", async () => {
  await node.act(ada, "pods.spaces.update", { workspaceId, spaceId: workspaceId, name: "Main" });
  await node.act(null, "pods.spaces.createDefault", { workspaceId });
  expect((await node.act(ada, "pods.spaces.get", { workspaceId, spaceId: workspaceId })).name).toBe("Main");
});

test("a deleted space, and a deleted pod with all its spaces, are gone at once", async () => {
  const pod = await createPod();
  const inPod = await node.act(ada, "pods.spaces.create", { workspaceId, name: "In", podId: pod.id });
  const beside = await node.act(ada, "pods.spaces.create", { workspaceId, name: "Beside" });
  await node.act(ada, "pods.spaces.remove", { workspaceId, spaceId: beside.id });
  expect(await exists(beside.id)).toBe(false);
  await node.act(ada, "pods.remove", { workspaceId, podId: pod.id });
  expect(await Promise.all([pod.id, inPod.id].map(id => exists(id)))).toEqual([false, false]);
  expect((await node.act(ada, "pods.list", { workspaceId })).items).toEqual([]);
  const { items } = await node.act(ada, "pods.spaces.list", { workspaceId });
  expect(items.map(space => space.id)).toEqual([workspaceId]);
  const calls = [
    node.act(ada, "pods.remove", { workspaceId, podId: pod.id }),
    node.act(ada, "pods.update", { workspaceId, podId: pod.id, name: "x" }),
    node.act(ada, "pods.spaces.remove", { workspaceId, spaceId: beside.id }),
    node.act(ada, "pods.spaces.update", { workspaceId, spaceId: inPod.id, name: "x" }),
    node.act(ada, "pods.spaces.create", { workspaceId, name: "x", podId: pod.id }),
  ];
  expect(await outcomes(calls)).toEqual(["not_found"]);
});

test("another workspace's pods and spaces are not found", async () => {
  const pod = await createPod();
  const eve = userIdentity();
  const other = await node.act(eve, "workspaces.create", { name: "Other" });
  const params = { workspaceId: other.id, podId: pod.id };
  const calls = [
    node.act(eve, "pods.get", params),
    node.act(eve, "pods.update", { ...params, name: "x" }),
    node.act(eve, "pods.remove", params),
    node.act(eve, "pods.spaces.get", { workspaceId: other.id, spaceId: pod.id }),
    node.act(eve, "pods.spaces.create", { ...params, name: "x" }),
  ];
  expect(await outcomes(calls)).toEqual(["not_found"]);
  expect(await exists(pod.id, other.id)).toBe(false);
  expect(await exists(pod.id)).toBe(true);
});

test("a viewer reads, an editor writes, an admin deletes pods", async () => {
  const pod = await createPod();
  const viewer = await addMember(node, workspaceId, "viewer");
  const editor = await addMember(node, workspaceId, "editor");
  expect(await node.act(viewer, "pods.get", { workspaceId, podId: pod.id })).toEqual(pod);
  const tooLow = refusal("role_too_low");
  await expect(node.act(viewer, "pods.create", { workspaceId, name: "x" })).rejects.toEqual(tooLow);
  await expect(node.act(editor, "pods.remove", { workspaceId, podId: pod.id })).rejects.toEqual(tooLow);
});
