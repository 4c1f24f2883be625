import type { Identity } from "../../contracts/entities/user.ts";
import pods from "../../services/pods/pods.service.ts";
import workflows from "../../services/workflows/workflows.service.ts";
import workspaces from "../../services/workspaces/workspaces.service.ts";
import {
  fakePurges,
  newScope,
  outcomes,
  ownDataDir,
  refusal,
  type Scope,
  type ServiceNode,
  userIdentity,
  startServices,
} from "../support/service-node.ts";
import { RUN } from "../support/real-servers.ts";

ownDataDir();

let node: ServiceNode;
beforeAll(async () => {
  node = await startServices(workspaces, pods, workflows, ...fakePurges("schedules", "webhooks", "variables"));
});
afterAll(() => node.stop());

let ada: Identity;
let scope: Scope;
beforeEach(async () => {
  ada = userIdentity();
  scope = await newScope(node, ada);
});

const inputSchema = { type: "object", properties: { city: { type: "string" } }, required: ["city"] };
const taking = (schema: unknown = inputSchema) => ({ nodes: [], edges: [], settings: { inputSchema: schema } });

async function deployed(name: string, definition: unknown = taking(), description = ""): Promise<string> {
  const { id } = await node.act(ada, "workflows.create", { ...scope, name, description, definition });
  await node.act(ada, "workflows.deploy", { ...scope, id, force: true });
  return id;
}
const tools = async (name?: string) =>
  (await node.act(ada, "workflows.tools", { workspaceId: scope.workspaceId, name })).items;
const names = async () => (await tools()).map(tool => tool.name);

test("a deployed workflow with an input schema is a tool with the description of its deployed version", async () => {
  const id = await deployed("Größe der Stadt!", taking(), "How large a city is");
  const tool = {
    name: "grosse_der_stadt",
    workflowId: id,
    spaceId: scope.spaceId,
    version: 1,
    title: "Größe der Stadt!",
    description: "How large a city is",
    inputSchema,
  };
  expect(await tools()).toEqual([tool]);
  expect(await tools("grosse_der_stadt")).toEqual([tool]);
  expect(await tools("another")).toEqual([]);

  const changed = { ...inputSchema, required: [] };
  await node.act(ada, "workflows.update", { ...scope, id, description: "New", definition: taking(changed) });
  expect(await tools()).toEqual([tool]);
  await node.act(ada, "workflows.deploy", { ...scope, id, force: true });
  expect(await tools()).toEqual([{ ...tool, version: 2, description: "New", inputSchema: changed }]);
});

test("a workflow without a usable schema is not a tool, and a tool that loses it stops being one", async () => {
  await deployed("Plain", { nodes: [] });
  await deployed("Null", null);
  const list = await deployed("List", taking({ type: "array" }));
  const { valid, faults } = await node.act(ada, "workflows.validate", { ...scope, id: list });
  expect([valid, faults.map(fault => fault.path)]).toEqual([false, ["/settings/inputSchema/type"]]);
  await deployed("Broken", taking({ type: "object", properties: { a: { pattern: "(" } } }));
  await deployed("Short", taking({ type: "object", properties: { a: true } }));
  await deployed("Large", taking({ type: "object", description: "x".repeat(40_000) }));
  expect(await tools()).toEqual([]);
  const id = await deployed("Tool");
  expect(await names()).toEqual(["tool"]);
  await node.act(ada, "workflows.update", { ...scope, id, definition: { nodes: [] } });
  await node.act(ada, "workflows.deploy", { ...scope, id, force: true });
  expect(await names()).toEqual([]);
});

test("tool names are unique, and stay the same", async () => {
  const [first, second] = [await deployed("Send it"), await deployed("Send it")];
  const own = await deployed("Run workflow");
  const nameOf = async (id: string) => (await tools()).find(tool => tool.workflowId === id)?.name;
  expect(await nameOf(first)).toBe("send_it");
  expect(await nameOf(second)).toBe(`send_it_${second.slice(-6)}`);
  expect(await nameOf(own)).toBe(`run_workflow_${own.slice(-6)}`);
  await node.act(ada, "workflows.remove", { ...scope, id: first });
  await node.act(ada, "workflows.deploy", { ...scope, id: second });
  expect(await nameOf(second)).toBe(`send_it_${second.slice(-6)}`);
  await node.act(ada, "workflows.update", { ...scope, id: second, name: "Post it" });
  await node.act(ada, "workflows.deploy", { ...scope, id: second });
  expect(await nameOf(second)).toBe("post_it");
});

test("deployments at the same moment leave one tool, of the newest version", async () => {
  const id = await deployed("Often");
  await Promise.all(
    Array.from({ length: 8 }, async (_, n) => {
      await node.act(ada, "workflows.update", { ...scope, id, description: `${n}` });
      await node.act(ada, "workflows.deploy", { ...scope, id, force: true });
    }),
  );
  const { version, description } = await node.act(ada, "workflows.get", { ...scope, id });
  expect(await tools()).toMatchObject([{ name: "often", version, description }]);
});

test("a workflow in the trash is not a tool, and a deleted one never becomes one again", async () => {
  const id = await deployed("Comes and goes");
  await node.act(ada, "workflows.trash", { ...scope, id });
  expect(await names()).toEqual([]);
  await node.act(ada, "workflows.restore", { ...scope, id });
  expect(await names()).toEqual(["comes_and_goes"]);
  await node.act(ada, "workflows.remove", { ...scope, id });
  expect(await names()).toEqual([]);
  await deployed("Goes with all");
  await node.act(null, "workflows.purge", { workspaceId: scope.workspaceId });
  expect(await names()).toEqual([]);
});

/** With a server most of the time goes on the way to it, which turns of this process say little of. */
const STEP = process.env[RUN] ? 20 : 2;

test("after concurrent deployments, moves to the trash, restores and deletions, the tool matches the workflow", async () => {
  const act = async (name: "deploy" | "trash" | "restore" | "remove", id: string, turns = 0) => {
    for (let turn = 0; turn < turns; turn++) await Promise.resolve();
    await node.act(ada, `workflows.${name}`, { ...scope, id });
  };
  // Of two that begin a few turns apart, each is overtaken by the other at some of these distances.
  const pairs = [["deploy", "trash"] as const, ["trash", "restore"] as const, ["restore", "trash"] as const];
  for (const [first, second] of pairs) {
    for (let turns = 0; turns < 60; turns += STEP) {
      const { id } = await node.act(ada, "workflows.create", { ...scope, name: "Race", definition: taking() });
      if (first !== "deploy") await act("deploy", id);
      if (first === "restore") await act("trash", id);
      await Promise.all([act(first, id), act(second, id, turns)]);
      const { status } = await node.act(ada, "workflows.get", { ...scope, id });
      expect(await names()).toEqual(status === "active" ? ["race"] : []);
      await outcomes([act("deploy", id), act("remove", id, turns)]);
      expect(await names()).toEqual([]);
    }
  }
});

test("other workspaces have their own tools", async () => {
  await deployed("Mine");
  const mine = scope;
  const stranger = userIdentity();
  const { id } = await node.act(stranger, "workspaces.create", { name: "Theirs" });
  expect((await node.act(stranger, "workflows.tools", { workspaceId: id })).items).toEqual([]);
  for (const name of ["workflows.tools", "workflows.catalog"] as const) {
    expect(await outcomes([node.act(stranger, name, { workspaceId: mine.workspaceId })])).toEqual(["not_found"]);
    await expect(node.act(null, name, { workspaceId: id })).rejects.toEqual(refusal("unauthenticated"));
  }
});

test("lists the active tools of all spaces, page by page", async () => {
  const { workspaceId } = scope;
  const other = await node.act(ada, "pods.spaces.create", { workspaceId, name: "Other" });
  const first = await deployed("One");
  const { id: second } = await node.act(ada, "workflows.create", { workspaceId, spaceId: other.id, name: "Two" });
  const gone = await deployed("Gone");
  await node.act(ada, "workflows.trash", { ...scope, id: gone });
  const page = await node.act(ada, "workflows.catalog", { workspaceId, limit: 1 });
  expect(page.items).toEqual([
    {
      id: second,
      spaceId: other.id,
      name: "Two",
      description: "",
      version: 1,
      deployedVersion: null,
      inputSchema: null,
    },
  ]);
  const rest = await node.act(ada, "workflows.catalog", { workspaceId, cursor: page.next! });
  expect(rest).toMatchObject({ items: [{ id: first, deployedVersion: 1, inputSchema }], next: null });
  const inOne = await node.act(ada, "workflows.catalog", { workspaceId, spaceId: other.id });
  expect(inOne.items.map(one => one.id)).toEqual([second]);
});
