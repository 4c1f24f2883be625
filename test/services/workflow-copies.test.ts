import { v7 as uuid } from "uuid";
import type { Identity } from "../../contracts/entities/user.ts";
import notifications from "../../services/notifications/notifications.service.ts";
import pods from "../../services/pods/pods.service.ts";
import type { Writer } from "../../services/workflows/file-holds.ts";
import { insertWorkflow } from "../../services/workflows/insert-workflow.ts";
import workflows from "../../services/workflows/workflows.service.ts";
import workspaces from "../../services/workspaces/workspaces.service.ts";
import { definition, gives, node as step } from "../support/definition.ts";
import {
  newScope,
  ownDataDir,
  refusal,
  type Scope,
  type ServiceNode,
  userIdentity,
  startServices,
  until,
} from "../support/service-node.ts";

ownDataDir();

let node: ServiceNode;
let ada: Identity;
let scope: Scope;
beforeAll(async () => {
  node = await startServices(workspaces, pods, workflows, notifications);
  ada = userIdentity();
  scope = await newScope(node, ada);
});
afterAll(() => node.stop());

const what = { ...definition([gives("a", "{{ input }}")]), settings: { timeoutMs: 60_000 }, viewport: { zoom: 2 } };
const create = (definition: unknown = what) =>
  node.act(ada, "workflows.create", { ...scope, name: "Original", description: "What it does", definition });
const importIt = (document: unknown) => node.act(ada, "workflows.import", { ...scope, document });
const faultsOf = async (document: unknown) => {
  const error = await importIt(document).then(
    () => {
      throw new Error("It was taken.");
    },
    (reason: unknown) => reason as { type: string; data: { errors: { path: string; message: string }[] } },
  );
  expect(error.type).toBe("validation_failed");
  return error.data.errors;
};

describe("a duplicate", () => {
  const duplicate = (id: string, more: { name?: string; spaceId?: string } = {}) =>
    node.act(ada, "workflows.duplicate", { workspaceId: scope.workspaceId, fromSpaceId: scope.spaceId, id, ...more });

  it("has the newest content, and its own history, star and deployment", async () => {
    const { id } = await create();
    await node.act(ada, "workflows.update", { ...scope, id, description: "Newer" });
    await node.act(ada, "workflows.star", { ...scope, id, starred: true });
    await node.act(ada, "workflows.deploy", { ...scope, id });
    const copy = await duplicate(id);
    expect(copy).toMatchObject({
      ...scope,
      name: "Original (copy)",
      description: "Newer",
      definition: what,
      version: 1,
    });
    expect(copy).toMatchObject({ starred: false, deployedAt: null, status: "active" });
    expect(copy.id).not.toBe(id);
    expect((await node.act(ada, "workflows.versions", { ...scope, id: copy.id })).items).toHaveLength(1);
  });

  it("gets the given name, and a space of the workspace", async () => {
    const { id } = await create();
    const { workspaceId } = scope;
    const { id: spaceId } = await node.act(ada, "pods.spaces.create", { workspaceId, name: "Elsewhere" });
    const copy = await duplicate(id, { name: "Mine", spaceId });
    expect(copy).toMatchObject({ name: "Mine", spaceId });
    expect(await node.act(ada, "workflows.get", { workspaceId, spaceId, id: copy.id })).toEqual(copy);
    await expect(node.act(ada, "workflows.get", { ...scope, id: copy.id })).rejects.toEqual(refusal("not_found"));
  });

  it("is rejected for a space of another workspace and a workflow of another space", async () => {
    const { id } = await create();
    const other = await node.act(ada, "workspaces.create", { name: "Other" });
    await expect(duplicate(id, { spaceId: other.id })).rejects.toEqual(refusal("not_found"));
    const params = { workspaceId: other.id, fromSpaceId: other.id, id };
    await expect(node.act(ada, "workflows.duplicate", params)).rejects.toEqual(refusal("not_found"));
  });

  it("of a workflow with the longest name gets a shortened name", async () => {
    const long = await node.act(ada, "workflows.create", { ...scope, name: "x".repeat(200) });
    expect((await duplicate(long.id)).name).toBe(`${"x".repeat(193)} (copy)`);
  });
});

test("is the existing one if it is created again under its id", async () => {
  const writer = node.service<Writer>("workflows");
  const own = { ...scope, id: uuid() };
  const content = { name: "Once", description: "", definition: what };
  const first = await insertWorkflow(writer, own, content, ada.userId);
  expect(await insertWorkflow(writer, own, content, ada.userId)).toEqual(first);
  expect((await node.act(ada, "workflows.versions", own)).items).toHaveLength(1);
});

describe("an export", () => {
  it("contains the workflow, and no ids of its origin", async () => {
    const { id } = await create();
    expect(await node.act(ada, "workflows.export", { ...scope, id })).toEqual({
      format: "weft-workflow",
      version: 1,
      name: "Original",
      description: "What it does",
      definition: what,
    });
  });

  it.each([[what], [null], ["text"], [[1, { a: [] }]]])("is imported unchanged: %j", async definition => {
    const { id } = await create(definition);
    const document = JSON.parse(JSON.stringify(await node.act(ada, "workflows.export", { ...scope, id }))) as unknown;
    const { warnings, ...imported } = await importIt(document);
    expect(warnings).toEqual([]);
    expect(imported).toMatchObject({ name: "Original", description: "What it does", definition, version: 1 });
    expect(await node.act(ada, "workflows.get", { ...scope, id: imported.id })).toEqual(imported);
  });
});

describe("an import", () => {
  const document = { format: "weft-workflow", version: 1, name: "In", description: "", definition: null };

  it("notifies its creator when it is done", async () => {
    const { id } = await importIt({ ...document, name: "From afar" });
    const told = async () =>
      (await node.act(ada, "notifications.list", {})).items.filter(one => one.link?.endsWith(id));
    await until(async () => (await told()).length > 0);
    expect(await told()).toMatchObject([
      { type: "import_finished", title: "Imported: From afar", workspaceId: scope.workspaceId, readAt: null },
    ]);
  });

  it("warns of references to the installation that the file comes from", async () => {
    const definition = {
      nodes: [
        step("s", "subworkflow", { workflowId: "01980000-0000-7000-8000-000000000001" }, { name: "Child" }),
        step("n", "notify", { userIds: ["01980000-0000-7000-8000-000000000001"], title: "t", body: "b" }),
        step("d", "subworkflow", { workflowId: "{{ input.id }}" }),
      ],
      edges: [],
      settings: { errorWorkflowId: "01980000-0000-7000-8000-000000000001" },
    };
    const { warnings } = await importIt({ ...document, definition });
    expect(warnings.map(({ nodeId, node }) => [nodeId, node])).toEqual([
      ["s", "Child"],
      ["n", null],
      [null, null],
    ]);
  });

  it.each<[string, object, string]>([
    ["a newer form", { version: 2 }, "/version"],
    ["another form", { format: "other" }, "/format"],
    ["an unknown field", { id: "x" }, "/id"],
    ["no name", { name: " " }, "/name"],
    ["a description that is not text", { description: 5 }, "/description"],
  ])("rejects %s and says where", async (_, changed, path) => {
    expect(await faultsOf({ ...document, ...changed })).toContainEqual({
      path,
      message: expect.any(String) as unknown,
    });
  });

  it.each([[null], [undefined], [5], [[]], [{}], [{ nodes: [], edges: [] }]])(
    "rejects what is not an exported workflow: %j",
    async other => {
      expect(await faultsOf(other)).toEqual([
        { path: "", message: expect.stringContaining("weft-workflow") as unknown },
      ]);
    },
  );

  it("can be previewed: it reports faults and warnings, and stores nothing", async () => {
    const check = (definition: unknown) =>
      node.act(ada, "workflows.check", { ...scope, document: { ...document, definition } });
    const list = () => node.act(ada, "workflows.list", scope);
    const before = await list();
    expect(await check(what)).toEqual({ valid: true, faults: [], warnings: [] });
    const graph = definition([step("a", "no such type"), step("b", "subworkflow", { workflowId: uuid() })]);
    const { valid, faults, warnings } = await check(graph);
    expect(valid).toBe(false);
    expect(faults).toEqual([expect.objectContaining({ nodeId: "a" })]);
    expect(warnings).toEqual([expect.objectContaining({ nodeId: "b" })]);
    await expect(node.act(ada, "workflows.check", { ...scope, document: 5 })).rejects.toEqual(
      refusal("validation_failed"),
    );
    expect(await list()).toEqual(before);
  });

  it("shows what an n8n workflow would become, and stores nothing", async () => {
    const foreign = {
      name: "From n8n",
      nodes: [
        { id: "1", name: "When clicked", type: "n8n-nodes-base.manualTrigger", typeVersion: 1, position: [0, 0] },
      ],
      connections: {},
    };
    const before = (await node.act(ada, "workflows.list", scope)).items.length;
    const checked = await node.act(ada, "workflows.check", { ...scope, document: foreign });
    const imported = await importIt(foreign);
    expect(checked.definition).toEqual(imported.definition);
    expect(checked.definition).toMatchObject({ nodes: [{ type: "trigger", name: "When clicked" }] });
    expect((await node.act(ada, "workflows.list", scope)).items).toHaveLength(before + 1);
    const own = { format: "weft-workflow", version: 1, name: "Own", description: "", definition: what };
    expect(await node.act(ada, "workflows.check", { ...scope, document: own })).not.toHaveProperty("definition");
  });

  it("rejects a definition that is too large", async () => {
    await expect(importIt({ ...document, definition: "x".repeat(512 * 1024) })).rejects.toEqual(
      refusal("payload_too_large"),
    );
  });
});
