import type { Identity } from "../../contracts/entities/user.ts";
import pods from "../../services/pods/pods.service.ts";
import variables from "../../services/variables/variables.service.ts";
import workspaces from "../../services/workspaces/workspaces.service.ts";
import { addMember } from "../support/add-member.ts";
import { ownDataDir, refusal, type ServiceNode, userIdentity, startServices } from "../support/service-node.ts";

ownDataDir();

let node: ServiceNode;
beforeAll(async () => void (node = await startServices(workspaces, pods, variables)));
afterAll(() => node.stop());

let ada: Identity;
let workspaceId: string;
/** The default space, which has the id of its workspace. */
let place: { workspaceId: string; spaceId: string };
beforeEach(async () => {
  ada = userIdentity();
  ({ id: workspaceId } = await node.act(ada, "workspaces.create", { name: "Acme" }));
  place = { workspaceId, spaceId: workspaceId };
});

const set = (values: Record<string, unknown>) => node.act(ada, "variables.update", { workspaceId, set: values });
const setInSpace = (values: Record<string, unknown>) =>
  node.act(ada, "variables.ofSpace.update", { ...place, set: values });
const ofWorkspace = async () => (await node.act(ada, "variables.get", { workspaceId })).values;
const seen = async (where = place) => (await node.act(null, "variables.read", where)).values;

test("any JSON is stored unchanged, also keys that a database would read as operators and paths", async () => {
  const odd = { $set: { "a.b": [null, { "": 1 }, "é\u{10ffff}"] }, "a.b.": -0.5, $: [] };
  expect((await set({ ODD: odd, EMPTY: {}, NOTHING: null })).values).toEqual({ ODD: odd, EMPTY: {}, NOTHING: null });
  expect(await ofWorkspace()).toEqual({ ODD: odd, EMPTY: {}, NOTHING: null });
  expect(await seen()).toEqual({ ODD: odd, EMPTY: {}, NOTHING: null });
});

test("keeps all concurrent changes, also the first ones", async () => {
  await Promise.all([1, 2, 3, 4, 5].map(n => set({ [`N${n}`]: n })));
  expect(await ofWorkspace()).toEqual({ N1: 1, N2: 2, N3: 3, N4: 4, N5: 5 });

  await Promise.all([
    set({ N6: 6 }),
    node.act(ada, "variables.update", { workspaceId, remove: ["N1", "NONE"] }),
    node.act(ada, "variables.update", { workspaceId, set: { N2: "two" }, remove: ["N3"] }),
  ]);
  expect(await ofWorkspace()).toEqual({ N2: "two", N4: 4, N5: 5, N6: 6 });
});

test("the variables of the default space are not those of the workspace, although both have the same id", async () => {
  await set({ HOST: "shared", LIMIT: 3 });
  const own = await setInSpace({ HOST: "own" });
  expect(own).toMatchObject({ values: { HOST: "own" }, inherited: { HOST: "shared", LIMIT: 3 } });
  expect(await ofWorkspace()).toEqual({ HOST: "shared", LIMIT: 3 });
  expect(await seen()).toEqual({ HOST: "own", LIMIT: 3 });
  const other = await node.act(ada, "pods.spaces.create", { workspaceId, name: "Other" });
  expect(await seen({ workspaceId, spaceId: other.id })).toEqual({ HOST: "shared", LIMIT: 3 });
});

test("returns a change at the next read, in both places", async () => {
  for (const limit of [1, 2, 3]) {
    await set({ LIMIT: limit });
    expect(await seen()).toEqual({ LIMIT: limit });
  }
  await setInSpace({ LIMIT: "own" });
  expect(await seen()).toEqual({ LIMIT: "own" });
  await node.act(ada, "variables.ofSpace.update", { ...place, remove: ["LIMIT"] });
  expect(await seen()).toEqual({ LIMIT: 3 });
});

test("stores up to 64 KiB in one place, and a change beyond that has no effect", async () => {
  const half = "x".repeat(32_000);
  await set({ A: half, B: half });
  await expect(set({ C: half })).rejects.toEqual(refusal("payload_too_large"));
  expect(Object.keys(await ofWorkspace())).toEqual(["A", "B"]);
  expect((await setInSpace({ C: half })).values).toEqual({ C: half });
});

test("viewers can read and not change variables, and another workspace has its own", async () => {
  await set({ HOST: "a" });
  const viewer = await addMember(node, workspaceId, "viewer");
  expect((await node.act(viewer, "variables.get", { workspaceId })).values).toEqual({ HOST: "a" });
  await expect(node.act(viewer, "variables.update", { workspaceId, set: { HOST: "b" } })).rejects.toEqual(
    refusal("role_too_low"),
  );
  const stranger = userIdentity();
  const { id } = await node.act(stranger, "workspaces.create", { name: "Other" });
  expect((await node.act(stranger, "variables.get", { workspaceId: id })).values).toEqual({});
  await expect(node.act(stranger, "variables.get", { workspaceId })).rejects.toEqual(refusal("not_found"));
});

test("removing a space removes its variables only, and removing a workspace those of all its spaces", async () => {
  await set({ HOST: "shared" });
  const other = await node.act(ada, "pods.spaces.create", { workspaceId, name: "Other" });
  const there = { workspaceId, spaceId: other.id };
  await node.act(ada, "variables.ofSpace.update", { ...there, set: { HOST: "there" } });
  await setInSpace({ HOST: "own" });
  await node.act(null, "variables.purge", there);
  expect(await seen(there)).toEqual({ HOST: "shared" });
  expect(await seen()).toEqual({ HOST: "own" });
  await node.act(null, "variables.purge", { workspaceId });
  expect([await seen(), await seen(there), await ofWorkspace()]).toEqual([{}, {}, {}]);
});
