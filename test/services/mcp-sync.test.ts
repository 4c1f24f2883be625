import { v7 as uuid } from "uuid";
import { changes, servers, tools } from "../../services/mcp/model.ts";
import { tick } from "../../services/mcp/tick.ts";
import workflows from "../../services/workflows/workflows.service.ts";
import { fakeTool } from "../support/fake-mcp-clients.ts";
import { McpStage } from "../support/mcp-stage.ts";
import { ownDataDir, refusal, until } from "../support/service-node.ts";

ownDataDir();
process.env.MCP_SYNC_INTERVAL_MS = "600000";

const stage = new McpStage();
const pods = { name: "pods", actions: { "spaces.get": () => ({}), "spaces.exists": () => ({ exists: true }) } };
beforeAll(() => stage.open(workflows, pods));
afterAll(() => stage.node.stop());

const all = () => stage.service.store.tenant(servers, stage.workspaceId);
const toldOf = (id: string) => stage.told.filter(({ link }) => link?.includes(id));
const names = async (id: string) => (await stage.tools(id)).map(({ name }) => name).sort();
const gate = () => Promise.withResolvers<void>();
const failure = { code: "mcp_unreachable" as const, message: "Nobody answers there." };

describe("a tool server", () => {
  it("is synced after its creation", async () => {
    const { url, fake } = stage.serve(["echo", "add"], { dropped: [{ name: "bad", reason: "it has no schema" }] });
    const { promise, resolve } = gate();
    fake.before = () => promise;
    const created = await stage.create(url, { name: "Sums" });
    expect(created).toMatchObject({ name: "Sums", url, status: "unknown", toolCount: 0, lastCheckedAt: null });
    resolve();
    await until(async () => (await stage.get(created.id)).status === "connected");
    expect(await stage.get(created.id)).toMatchObject({
      ...{ toolCount: 2, lastError: null, protocolVersion: "2026-07-28", transport: "streamable-http" },
      ...{ serverInfo: { name: "fake", version: "1" }, droppedTools: [{ name: "bad", reason: "it has no schema" }] },
    });
    const listed = await stage.tools(created.id);
    expect(listed.map(({ name, serverName, mcpServerId }) => [name, serverName, mcpServerId])).toEqual(
      expect.arrayContaining([
        ["echo", "Sums", created.id],
        ["add", "Sums", created.id],
      ]),
    );
    expect(toldOf(created.id)).toEqual([]);
    expect(await stage.changes(created.id)).toEqual([]);
  });

  it("keeps the ids of its tools by name, also of a tool that was missing for a while", async () => {
    const { url, fake } = stage.serve(["a", "b", "c"]);
    const { id } = await stage.synced(url);
    const before = new Map((await stage.tools(id)).map(tool => [tool.name, tool]));
    fake.tools = [fakeTool("b"), fakeTool("a", { description: "Does it differently" }), fakeTool("d")];
    expect(await stage.sync(id)).toEqual({ toolsSynced: 3, status: "connected" });
    const now = new Map((await stage.tools(id)).map(tool => [tool.name, tool]));
    expect([...now.keys()].sort()).toEqual(["a", "b", "d"]);
    for (const name of ["a", "b"]) expect(now.get(name)!.id).toBe(before.get(name)!.id);
    expect(now.get("b")).toEqual(before.get("b"));
    expect(now.get("a")).toMatchObject({ description: "Does it differently", createdAt: before.get("a")!.createdAt });
    fake.tools.push(fakeTool("c"));
    await stage.sync(id);
    expect((await stage.tools(id)).find(({ name }) => name === "c")!.id).toBe(before.get("c")!.id);
  });

  it("keeps the tools of the last good sync after a failure, shows the reason, and notifies editors once of the failure and once of the recovery", async () => {
    const { url, fake } = stage.serve(["a", "b"]);
    const { id, lastSyncedAt } = await stage.synced(url, { name: "Shaky" });
    fake.failure = failure;
    for (let times = 0; times < 3; times++) expect(await stage.sync(id)).toEqual({ toolsSynced: 0, status: "error" });
    expect(await stage.get(id)).toMatchObject({
      status: "error",
      lastError: failure.message,
      toolCount: 2,
      lastSyncedAt,
    });
    expect(await names(id)).toEqual(["a", "b"]);
    await until(() => toldOf(id).length > 0);
    fake.failure = undefined;
    await stage.sync(id);
    await stage.sync(id);
    expect(await stage.get(id)).toMatchObject({ status: "connected", lastError: null });
    await until(() => toldOf(id).length > 1);
    fake.failure = failure;
    await stage.sync(id);
    await until(() => toldOf(id).length > 2);
    expect(toldOf(id)).toMatchObject([
      { type: "mcp_server_error", title: "Not reached: Shaky", body: failure.message, to: { role: "editor" } },
      { type: "mcp_server_recovered", title: "Reached again: Shaky" },
      { type: "mcp_server_error" },
    ]);
    expect(new Set(toldOf(id).map(({ key }) => key)).size).toBe(3);
  });

  it("is synced at growing intervals while it keeps failing", async () => {
    const { url, fake } = stage.serve();
    const { id } = await stage.synced(url);
    const wait = async () => {
      const { nextSyncAt, lastCheckedAt } = await stage.get(id);
      return Math.round((Date.parse(nextSyncAt!) - Date.parse(lastCheckedAt!)) / 600_000);
    };
    fake.failure = failure;
    const waits = [await wait()];
    for (let times = 0; times < 4; times++) {
      await stage.sync(id);
      waits.push(await wait());
    }
    // Of 10 minutes each, with some jitter.
    expect(waits.slice(0, 3)).toEqual([1, 1, 2]);
    expect(waits[3]).toBeGreaterThanOrEqual(3);
    expect(waits[4]).toBeGreaterThanOrEqual(7);
    fake.failure = undefined;
    await stage.sync(id);
    expect(await wait()).toBe(1);
  });

  it("is synced once for concurrent requests", async () => {
    const { url, fake } = stage.serve();
    const { id } = await stage.synced(url);
    const { promise, resolve } = gate();
    fake.before = () => promise;
    const before = stage.clients.listed.length;
    const run = jest.spyOn(stage.service.syncs, "run");
    const asked = Array.from({ length: 20 }, () => stage.sync(id));
    // Who asks once the tools are listed waits for another sync.
    await until(() => stage.clients.listed.length > before && run.mock.calls.length === 20);
    resolve();
    expect(await Promise.all(asked)).toEqual(Array(20).fill({ toolsSynced: 1, status: "connected" }));
    expect(stage.clients.listed.length).toBe(before + 1);
    run.mockRestore();
  });

  it("is synced when it is due or its sync was interrupted, by the first node that claims it", async () => {
    const { url } = stage.serve();
    const { id } = await stage.synced(url);
    const count = () => stage.clients.listed.filter(target => target.url === url).length;
    const signal = new AbortController().signal;
    await tick(stage.service, new Date(), signal);
    expect(count()).toBe(1);
    // As a node leaves it that was killed in the middle: held, until its lease ends.
    await all().updateOne({ id }, { $set: { syncHolder: uuid(), syncAt: new Date(Date.now() - 1) } });
    await Promise.all([1, 2, 3].map(() => tick(stage.service, new Date(), signal)));
    // The service's own tick may have been the first. The three then pass over what it holds.
    await until(async () => (await all().get({ id }))!.syncHolder === undefined);
    expect(count()).toBe(2);
    expect((await all().get({ id }))!.status).toBe("connected");
  });

  it("is synced by one of two nodes whose ticks come together", async () => {
    const other = await new McpStage(stage.workspaceId).open();
    const { url } = stage.serve();
    other.clients.servers.set(url, stage.clients.servers.get(url)!);
    const { id } = await stage.synced(url);
    await all().updateOne({ id }, { $set: { syncAt: new Date() } });
    const signal = new AbortController().signal;
    const now = new Date(Date.now() + 1);
    await Promise.all([stage, other].map(({ service }) => tick(service, now, signal)));
    const listed = [stage, other].flatMap(({ clients }) => clients.listed.filter(target => target.url === url));
    expect(listed.length).toBe(2);
    await other.node.stop();
  });

  it("is waited for where another node syncs it", async () => {
    const { url } = stage.serve(["a", "b"]);
    const { id } = await stage.synced(url);
    const held = { syncHolder: uuid(), syncAt: new Date(Date.now() + 60_000) };
    await all().updateOne({ id }, { $set: held });
    const before = stage.clients.listed.length;
    const asked = stage.sync(id);
    const looks = jest.spyOn(stage.service.syncs, "run");
    const mine = () => looks.mock.calls.findIndex(([ref]) => ref.id === id);
    await until(() => mine() >= 0);
    // It has found by then that another has it.
    await looks.mock.results[mine()]!.value;
    looks.mockRestore();
    await all().updateOne({ id }, { $set: { status: "error" }, $unset: { syncHolder: true } });
    expect(await asked).toEqual({ toolsSynced: 0, status: "error" });
    expect(stage.clients.listed.length).toBe(before);
  });

  it("is synced soon after any number of change notifications", async () => {
    const { url, fake } = stage.serve(["a"]);
    const { id } = await stage.synced(url);
    const target = stage.clients.listed.findLast(one => one.url === url)!;
    fake.tools.push(fakeTool("b"));
    for (let times = 0; times < 100; times++) target.onToolsChanged!();
    await until(async () => (await names(id)).includes("b"));
    expect(stage.clients.listed.filter(one => one.url === url).length).toBe(2);
  });

  it("leaves nothing behind when it is deleted in the middle of a sync", async () => {
    const { url, fake } = stage.serve(["left", "over"]);
    const { promise, resolve } = gate();
    fake.before = () => promise;
    const { id } = await stage.create(url);
    const asked = stage.sync(id);
    await until(() => stage.clients.listed.some(one => one.url === url));
    await stage.node.act(stage.owner, "mcp.remove", { workspaceId: stage.workspaceId, id });
    resolve();
    await expect(asked).rejects.toEqual(refusal("not_found"));
    const { store, search } = stage.service;
    await until(() => stage.clients.forgotten.includes(id));
    expect(await store.tenant(tools, stage.workspaceId).count({ serverId: id })).toBe(0);
    const { hits } = await search.tenant("tool", stage.workspaceId).search({ text: "left over", limit: 10 });
    expect(hits.filter(({ payload }) => payload.server === id)).toEqual([]);
    expect(await all().get({ id })).not.toHaveProperty("syncAt");
  });

  it("is synced again when it was changed during a sync", async () => {
    const old = stage.serve(["old"]);
    const { promise, resolve } = gate();
    old.fake.before = () => promise;
    const { url } = stage.serve(["new"]);
    const { id } = await stage.create(old.url);
    await until(() => stage.clients.listed.some(one => one.url === old.url));
    await stage.node.act(stage.owner, "mcp.update", { workspaceId: stage.workspaceId, id, url, name: "Moved" });
    resolve();
    await until(async () => (await stage.get(id)).status === "connected");
    expect((await stage.tools(id)).map(({ name, serverName }) => [name, serverName])).toEqual([["new", "Moved"]]);
  });

  it("drops each tool that cannot be stored, with a reason", async () => {
    const { url, fake } = stage.serve(["fine"]);
    fake.tools.push(fakeTool("big", { description: "x".repeat(70_000) }));
    const { id, droppedTools, toolCount } = await stage.synced(url);
    expect(toolCount).toBe(1);
    expect(droppedTools).toEqual([{ name: "big", reason: "its definition is larger than 65536 bytes" }]);
    fake.tools = Array.from({ length: 1_000 }, (_, at) => fakeTool(`t${at}`));
    expect(await stage.sync(id)).toEqual({ toolsSynced: 1_000, status: "connected" });
  });
});

describe("changes of tools", () => {
  it("are listed with the deployed workflows that use them, and editors are told of new definitions", async () => {
    const { url, fake } = stage.serve(["keep", "lose", "turn"]);
    const { id } = await stage.synced(url, { name: "Turning" });
    const idOf = new Map((await stage.tools(id)).map(tool => [tool.name, tool.id]));
    const scope = { workspaceId: stage.workspaceId, spaceId: stage.workspaceId };
    const made = async (name: string, nodes: unknown[]) => {
      const { id: workflowId } = await stage.node.act(stage.owner, "workflows.create", {
        ...{ ...scope, name },
        definition: { nodes, edges: [] },
      });
      return workflowId;
    };
    const uses = [{ id: "n1", type: "tool", data: { toolId: idOf.get("turn") } }];
    const deployed = await made("deployed", [
      ...uses,
      { id: "n2", type: "agent", data: { toolIds: [...idOf.values()] } },
    ]);
    await made("not deployed", uses);
    const { store } = stage.node.service<{ store: typeof stage.service.store }>("workflows");
    const { workflows: collection } = await import("../../services/workflows/model.ts");
    await store.tenant(collection, stage.workspaceId).updateOne({ id: deployed }, { $set: { deployedVersion: 1 } });

    const inputSchema = { type: "object", properties: { to: { type: "string" } } };
    fake.tools = [fakeTool("keep"), fakeTool("turn", { inputSchema }), fakeTool("come")];
    await stage.sync(id);
    const found = new Map((await stage.changes(id)).map(change => [change.name, change]));
    expect([...found.keys()].sort()).toEqual(["come", "lose", "turn"]);
    expect(found.get("turn")).toMatchObject({
      ...{ kind: "changed", toolId: idOf.get("turn"), fields: ["inputSchema"], truncated: false },
      changes: [{ op: "add", path: "/inputSchema/properties", to: { to: { type: "string" } } }],
      workflows: [{ workflowId: deployed, name: "deployed", spaceId: stage.workspaceId, nodeIds: ["n1", "n2"] }],
    });
    const { before, after } = found.get("turn")!;
    expect([before, after]).toEqual([expect.stringMatching(/^[0-9a-f]{64}$/), expect.stringMatching(/^[0-9a-f]{64}$/)]);
    expect(before).not.toBe(after);
    expect(found.get("lose")).toMatchObject({ kind: "removed", after: null, workflows: [{ nodeIds: ["n2"] }] });
    expect(found.get("come")).toMatchObject({ kind: "added", before: null, workflows: [] });
    await until(() => toldOf(id).length > 0);
    expect(toldOf(id)).toMatchObject([{ type: "mcp_tools_changed", title: "Tools have changed: Turning" }]);
    expect(toldOf(id)[0]!.body).toContain("turn");
    expect(toldOf(id)[0]!.link).toMatch(/\/changes$/);
    await stage.sync(id);
    expect((await stage.changes(id)).length).toBe(3);
  });

  it("are reported once for a tool whose description changes with every sync, and are all recorded", async () => {
    const { url, fake } = stage.serve(["clock", "other"]);
    const { id } = await stage.synced(url);
    const describeAnew = async (name: string) => {
      fake.tools = fake.tools.map(tool => (tool.name === name ? { ...tool, description: uuid() } : tool));
      await stage.sync(id);
    };
    for (let times = 0; times < 4; times++) await describeAnew("clock");
    await describeAnew("other");
    expect(await stage.changes(id)).toHaveLength(5);
    const { newsCount, changesToldAt } = (await all().get({ id }))!;
    expect(newsCount).toBe(1);
    await all().updateOne({ id }, { $set: { changesToldAt: new Date(changesToldAt!.getTime() - 3_600_000) } });
    await stage.sync(id);
    await until(() => toldOf(id).length > 1);
    expect(toldOf(id)[1]!.body).toMatch(/: (clock, other|other, clock)\./);
    await stage.sync(id);
    expect((await all().get({ id }))!.newsCount).toBe(2);
  });

  it("are forgotten beyond the last 200", async () => {
    const { url, fake } = stage.serve(Array.from({ length: 150 }, (_, at) => `a${at}`));
    const { id } = await stage.synced(url);
    fake.tools = Array.from({ length: 150 }, (_, at) => fakeTool(`b${at}`));
    await stage.sync(id);
    const kept = stage.service.store.tenant(changes, stage.workspaceId);
    expect(await kept.count({ serverId: id })).toBe(200);
    const page = await stage.node.act(stage.owner, "mcp.changes", { workspaceId: stage.workspaceId, id, limit: 150 });
    expect(page.items.length).toBe(150);
    expect(page.next).not.toBeNull();
  });
});
