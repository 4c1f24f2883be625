import { v7 as uuid } from "uuid";
import type { Identity } from "../../contracts/entities/user.ts";
import { workflowEtag } from "../../contracts/entities/workflow.ts";
import pods from "../../services/pods/pods.service.ts";
import workflows from "../../services/workflows/workflows.service.ts";
import workspaces from "../../services/workspaces/workspaces.service.ts";
import { addMember } from "../support/add-member.ts";
import {
  newScope,
  outcomes,
  ownDataDir,
  refusal,
  type Scope,
  type ServiceNode,
  userIdentity,
  startServices,
} from "../support/service-node.ts";

ownDataDir();

let node: ServiceNode;
beforeAll(async () => void (node = await startServices(workspaces, pods, workflows)));
afterAll(() => node.stop());

let ada: Identity;
let scope: Scope;
beforeEach(async () => {
  ada = userIdentity();
  scope = await newScope(node, ada);
});

const create = (name = "Nightly", definition: unknown = { nodes: [], edges: [] }) =>
  node.act(ada, "workflows.create", { ...scope, name, definition });
const names = async (filter: { trashed?: boolean; starred?: boolean } = {}) =>
  (await node.act(ada, "workflows.list", { ...scope, ...filter })).items.map(one => one.name);

test("a new workflow is active, at version 1, and of its creator", async () => {
  const made = await node.act(ada, "workflows.create", { ...scope, name: "Nightly" });
  expect(made).toEqual({
    id: expect.any(String) as unknown,
    ...scope,
    name: "Nightly",
    slug: "nightly",
    description: "",
    definition: null,
    status: "active",
    starred: false,
    version: 1,
    deployedAt: null,
    deployedVersion: null,
    createdBy: ada.userId,
    createdAt: expect.any(String) as unknown,
    updatedAt: made.createdAt,
    trashedAt: null,
  });
  expect(await node.act(ada, "workflows.get", { ...scope, id: made.id })).toEqual(made);
});

test.each([
  [null],
  [[]],
  ["text"],
  [0.1],
  [{ $set: { "a.b": 1 }, "": { __v: [null, {}, [], true, "\u2028 \ud83c\udf89"] } }],
  [JSON.parse('{"__proto__": {"constructor": 1}, "id": "x", "_id": 5}') as unknown],
])("returns the definition %j as it was sent", async definition => {
  const { id } = await create("Free", definition);
  const stored = await node.act(ada, "workflows.get", { ...scope, id });
  expect(JSON.stringify(stored.definition)).toBe(JSON.stringify(definition));
});

test("lists filter by trash and star, newest first, page by page", async () => {
  const made = [];
  for (const name of ["a", "b", "c", "d"]) made.push(await create(name));
  const [a, b] = made as [(typeof made)[0], (typeof made)[0]];
  await node.act(ada, "workflows.star", { ...scope, id: a.id, starred: true });
  await node.act(ada, "workflows.star", { ...scope, id: b.id, starred: true });
  await node.act(ada, "workflows.trash", { ...scope, id: b.id });
  expect(await names()).toEqual(["d", "c", "a"]);
  expect(await names({ trashed: true })).toEqual(["b"]);
  expect(await names({ starred: true })).toEqual(["a"]);
  expect(await names({ starred: false })).toEqual(["d", "c"]);
  expect(await names({ trashed: true, starred: true })).toEqual(["b"]);
  const first = await node.act(ada, "workflows.list", { ...scope, limit: 2 });
  const second = await node.act(ada, "workflows.list", { ...scope, limit: 2, cursor: first.next! });
  expect([first, second].map(page => page.items.map(one => one.name))).toEqual([["d", "c"], ["a"]]);
  expect(second.next).toBeNull();
});

test("returns large workflows in smaller pages, without skipping one", async () => {
  const large = "x".repeat(300 * 1024);
  for (let i = 0; i < 7; i++) await create(`large ${i}`, i === 3 ? "small" : large);
  const pages: string[][] = [];
  let cursor: string | undefined;
  do {
    const page = await node.act(ada, "workflows.list", { ...scope, cursor });
    pages.push(page.items.map(one => one.name));
    cursor = page.next ?? undefined;
  } while (cursor);
  expect(pages.flat()).toEqual([6, 5, 4, 3, 2, 1, 0].map(i => `large ${i}`));
  expect(pages.length).toBe(3);
});

test("star, trash and restore are idempotent", async () => {
  const { id } = await create();
  const params = { ...scope, id };
  const starred = await node.act(ada, "workflows.star", { ...params, starred: true });
  expect(starred.starred).toBe(true);
  expect(await node.act(ada, "workflows.star", { ...params, starred: true })).toEqual(starred);
  const trashed = await node.act(ada, "workflows.trash", params);
  expect(trashed).toMatchObject({ status: "trashed", trashedAt: trashed.updatedAt, starred: true });
  expect(await node.act(ada, "workflows.trash", params)).toEqual(trashed);
  const restored = await node.act(ada, "workflows.restore", params);
  expect(restored).toMatchObject({ status: "active", trashedAt: null, version: 1 });
  expect(await node.act(ada, "workflows.restore", params)).toEqual(restored);
});

test("deploying uses the newest version and requires an admin", async () => {
  const { id } = await create();
  await node.act(ada, "workflows.update", { ...scope, id, name: "Second" });
  const editor = await addMember(node, scope.workspaceId, "editor");
  await expect(node.act(editor, "workflows.deploy", { ...scope, id })).rejects.toEqual(refusal("role_too_low"));
  const deployed = await node.act(ada, "workflows.deploy", { ...scope, id });
  expect(deployed).toMatchObject({ version: 2, deployedVersion: 2, deployedAt: deployed.updatedAt });
  const changed = await node.act(ada, "workflows.update", { ...scope, id, name: "Third" });
  expect(changed).toMatchObject({ version: 3, deployedVersion: 2 });
});

test("validation names the faults, and accepts definitions that can run", async () => {
  const good = await create("Good", { nodes: [{ id: "a", type: "trigger", data: {} }], edges: [] });
  expect(await node.act(ada, "workflows.validate", { ...scope, id: good.id })).toEqual({ valid: true, faults: [] });
  const bad = await create("Bad", { nodes: [{ id: "a", type: "no such type", data: {} }], edges: [] });
  const { valid, faults } = await node.act(ada, "workflows.validate", { ...scope, id: bad.id });
  expect(valid).toBe(false);
  expect(faults).toContainEqual(expect.objectContaining({ nodeId: "a" }));
});

test("a run uses the newest or the named version, and is rejected for a workflow in the trash", async () => {
  const { id: workflowId } = await create("One");
  await node.act(ada, "workflows.update", { ...scope, id: workflowId, definition: [2] });
  const runnable = (version?: number) => node.act(null, "workflows.runnable", { ...scope, workflowId, version });
  expect(await runnable()).toEqual({ version: 2, spaceId: scope.spaceId });
  expect(await runnable(1)).toEqual({ version: 1, spaceId: scope.spaceId });
  await expect(runnable(3)).rejects.toEqual(refusal("not_found"));
  const snapshot = (version: number) =>
    node.act(null, "workflows.snapshot", { workspaceId: scope.workspaceId, workflowId, version });
  expect(await snapshot(1)).toMatchObject({ version: 1, definition: { nodes: [], edges: [] } });
  expect(await snapshot(2)).toMatchObject({ version: 2, definition: [2] });
  expect(await snapshot(3)).toBeNull();
  await node.act(ada, "workflows.trash", { ...scope, id: workflowId });
  await expect(runnable()).rejects.toEqual(refusal("workflow_trashed"));
});

test("a workflow is found only in its own space of its own workspace", async () => {
  const { id } = await create();
  const beside = await node.act(ada, "pods.spaces.create", { workspaceId: scope.workspaceId, name: "Beside" });
  const other = await node.act(ada, "workspaces.create", { name: "Other" });
  const scopes = [
    { ...scope, spaceId: beside.id },
    { workspaceId: other.id, spaceId: other.id },
    { workspaceId: other.id, spaceId: scope.spaceId },
    { ...scope, spaceId: uuid() },
  ];
  const calls = scopes.flatMap(wrong => {
    const params = { ...wrong, id };
    return [
      node.act(ada, "workflows.get", params),
      node.act(ada, "workflows.update", { ...params, name: "x" }),
      node.act(ada, "workflows.remove", params),
      node.act(ada, "workflows.deploy", params),
      node.act(ada, "workflows.star", { ...params, starred: true }),
      node.act(ada, "workflows.trash", params),
      node.act(ada, "workflows.restore", params),
      node.act(ada, "workflows.versions", params),
      node.act(ada, "workflows.version", { ...params, version: 1 }),
      node.act(ada, "workflows.validate", params),
      node.act(null, "workflows.runnable", { ...wrong, workflowId: id }),
    ];
  });
  expect(await outcomes(calls)).toEqual(["not_found"]);
  expect(await node.act(null, "workflows.snapshot", { workspaceId: other.id, workflowId: id, version: 1 })).toBeNull();
});

test("the entity tag changes with every change", async () => {
  const made = await create();
  const params = { ...scope, id: made.id };
  const tags = [
    made,
    await node.act(ada, "workflows.update", { ...params, name: "b" }),
    await node.act(ada, "workflows.star", { ...params, starred: true }),
    await node.act(ada, "workflows.trash", params),
    await node.act(ada, "workflows.deploy", params),
  ].map(workflowEtag);
  expect(new Set(tags).size).toBe(5);
  expect(workflowEtag(await node.act(ada, "workflows.get", params))).toBe(tags[4]);
});
