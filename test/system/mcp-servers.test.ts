import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { McpServer, McpTool } from "../../contracts/entities/mcp-server.ts";
import type { Notification } from "../../contracts/entities/notification.ts";
import { type Api, newWorkflow, newWorkspace, register } from "../support/api.ts";
import { definition, node } from "../support/definition.ts";
import { eventually } from "../support/executions.ts";
import { type McpTestServer, type McpTestTool, startMcpServer, usualTools } from "../support/mcp-server.ts";
import { answerOf, mcpClient } from "../support/mcp-client.ts";
import { addMembers } from "../support/members.ts";
import { removeServer, type Server, startServer } from "../support/server.ts";
import { until } from "../support/service-node.ts";

const TOKEN = "tok-3f9c1d-must-be-nowhere";
const OAUTH = { clientId: "weft-client", clientSecret: "client-secret-must-be-nowhere" };
const open: McpTestServer[] = [];
async function toolServer(options: Parameters<typeof startMcpServer>[0] = {}): Promise<McpTestServer> {
  const started = await startMcpServer(options);
  open.push(started);
  return started;
}

let server: Server;
let api: Api;
let base: string;
let space: string;
let workspaceId: string;
/** The server was killed in the middle of a sync. */
let cutOff: { server: Server; api: Api; path: string };

async function killedInSync(): Promise<typeof cutOff> {
  const slow = await toolServer();
  slow.faults = { only: "tools/list", hang: true };
  const first = await startServer();
  const made = await newWorkspace(first.url);
  const servers = `/v1/workspaces/${made.workspaceId}/mcp-servers`;
  const { body } = await made.api.post(servers, { name: "Slow", url: slow.url });
  await until(() => slow.called("tools/list").length > 0);
  await first.stop("SIGKILL");
  slow.faults = {};
  const again = await startServer({ dataDir: first.dataDir });
  return { server: again, api: made.api.at(again.url), path: `${servers}/${body.id}` };
}

beforeAll(async () => {
  cutOff = await killedInSync();
  server = cutOff.server;
  ({ api, workspaceId, space } = await newWorkspace(server.url));
  base = `/v1/workspaces/${workspaceId}/mcp-servers`;
});
afterAll(async () => {
  await removeServer(server);
  await Promise.all(open.map(one => one.close()));
});

const get = async (id: string) => (await api.get(`${base}/${id}`)).body as McpServer;
const toolsOf = async (id: string) => (await api.get(`${base}/${id}/tools`)).body as McpTool[];
const newsOf = async (who: Api) => (await who.get("/v1/notifications")).body as Notification[];
async function synced(given: object): Promise<McpServer> {
  const { id } = (await api.post(base, { name: "Tools", ...given })).body as McpServer;
  await until(async () => (await get(id)).status !== "unknown");
  return get(id);
}

test("registers, syncs and searches a tool server, and calls its tools", async () => {
  const { url } = await toolServer();
  const made = await api.post(base, { name: "Sums", url });
  expect(made).toMatchObject({ status: 201, body: { name: "Sums", status: "unknown", hasCredential: false } });
  const { id } = made.body as McpServer;
  await until(async () => (await get(id)).status === "connected");
  expect(await get(id)).toMatchObject({ toolCount: 4, transport: "streamable-http", serverInfo: { version: "1.2.3" } });
  const tools = new Map((await toolsOf(id)).map(tool => [tool.name, tool]));
  expect([...tools.keys()].sort()).toEqual(["add", "echo", "fail", "slow"]);
  const found = await api.post(`${base}/tools/search`, { query: "what is the sum of two numbers", limit: 2 });
  expect(found.body[0]).toMatchObject({ name: "add", title: "Add two numbers", serverName: "Sums" });
  const path = `${base}/tools/${tools.get("add")!.id}`;
  expect((await api.get(path)).body).toEqual(tools.get("add"));
  const sum = await api.post(`${path}/call`, { arguments: { a: 2, b: 3 } });
  expect(sum).toMatchObject({ status: 200, body: { structuredContent: { sum: 5 }, isError: false } });
  const bad = await api.post(`${path}/call`, { arguments: { a: "two" } });
  expect(bad).toMatchObject({ status: 400, body: { code: "tool_arguments_invalid" } });
  expect(bad.body.errors).toContainEqual(expect.objectContaining({ path: "/arguments/a" }));
  const failing = await api.post(`${base}/tools/${tools.get("fail")!.id}/call`, {});
  expect(failing).toMatchObject({ status: 200, body: { isError: true } });
  expect((await api.delete(`${base}/${id}`)).status).toBe(204);
  expect((await api.get(path)).status).toBe(404);
});

test("finds and calls tools through /mcp with their progress, and cancels them with the call", async () => {
  let ended = false;
  const waits: McpTestTool = {
    name: "waits",
    description: "Waits for its end",
    inputSchema: { type: "object" },
    async run(_args, { signal, progress }) {
      await progress(1, 3, "begun");
      await new Promise<void>(done => signal.addEventListener("abort", () => done(), { once: true }));
      ended = true;
      return { content: [] };
    },
  };
  const { url } = await toolServer({ tools: [...usualTools(), waits] });
  await synced({ name: "Far", url });
  const client = await mcpClient(`${server.url}/mcp`, api.token);
  const { tools } = answerOf(await client.callTool({ name: "find_tools", arguments: { query: "sum of two numbers" } }));
  const { id: toolId, name } = (tools as McpTool[])[0]!;
  expect(name).toBe("add");
  const sum = await client.callTool({ name: "call_tool", arguments: { toolId, arguments: { a: 2, b: 3 } } });
  expect(sum).toMatchObject({ structuredContent: { sum: 5 }, content: [{ type: "text", text: "5" }] });
  const bad = await client.callTool({ name: "call_tool", arguments: { toolId, arguments: { a: "two" } } });
  expect([bad.isError, answerOf(bad).code]).toEqual([true, "tool_arguments_invalid"]);
  const found = answerOf(await client.callTool({ name: "find_tools", arguments: { query: "waits for its end" } }));
  const slow = (found.tools as McpTool[]).find(tool => tool.name === "waits")!;
  const leave = new AbortController();
  const told: unknown[] = [];
  const onprogress = (progress: unknown) => {
    told.push(progress);
    leave.abort();
  };
  const params = { name: "call_tool", arguments: { toolId: slow.id } };
  await expect(client.callTool(params, { onprogress, signal: leave.signal })).rejects.toThrow();
  expect(told).toEqual([{ progress: 1, total: 3, message: "begun" }]);
  await until(() => ended);
  await client.close();
});

test("detects changes of tools, lists the workflows that use them, and notifies editors", async () => {
  const changing = await toolServer();
  const { id } = await synced({ name: "Changing", url: changing.url });
  const before = new Map((await toolsOf(id)).map(tool => [tool.name, tool.id]));
  const viewer = await register(server.url);
  await addMembers(server.dataDir, [{ workspaceId, userId: viewer.userId, role: "viewer" }]);
  const graph = definition([node("sum", "tool", { toolId: before.get("add"), arguments: {} })]);
  const workflowId = await newWorkflow(api, space, graph);
  expect((await api.post(`${space}/workflows/${workflowId}/deploy`)).status).toBe(200);
  changing.tools = changing.tools
    .filter(({ name }) => name !== "slow")
    .map((tool): McpTestTool => (tool.name === "add" ? { ...tool, description: "Adds, and logs" } : tool));
  await changing.toolsChanged();
  await until(async () => (await get(id)).toolCount === 3);
  const now = await toolsOf(id);
  for (const { name, id: toolId } of now) expect(before.get(name)).toBe(toolId);
  const { body: changes } = await api.get(`${base}/${id}/changes`);
  const workflows = [{ workflowId, spaceId: workspaceId, name: "A workflow", nodeIds: ["sum"] }];
  expect(changes).toHaveLength(2);
  expect(changes).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ name: "add", kind: "changed", fields: ["description"], workflows }),
      expect.objectContaining({ name: "slow", kind: "removed", workflows: [] }),
    ]),
  );
  const isTold = async (who: Api) => (await newsOf(who)).some(({ type }) => type === "mcp_tools_changed");
  await until(() => isTold(api));
  expect(await isTold(viewer)).toBe(false);
});

test("keeps the tools of a failing server, and notifies editors once of the failure and of the recovery", async () => {
  const shaky = await toolServer();
  const { id, toolCount } = await synced({ name: "Shaky", url: shaky.url });
  shaky.faults = { status: 500 };
  const failed = { toolsSynced: 0, status: "error" };
  for (let times = 0; times < 2; times++) expect((await api.post(`${base}/${id}/sync`)).body).toEqual(failed);
  const { status, lastError } = await get(id);
  expect([status, typeof lastError]).toEqual(["error", "string"]);
  expect((await toolsOf(id)).length).toBe(toolCount);
  shaky.faults = {};
  expect((await api.post(`${base}/${id}/sync`)).body).toEqual({ toolsSynced: toolCount, status: "connected" });
  const told = async () => (await newsOf(api)).filter(({ link }) => link?.includes(id)).map(({ type }) => type);
  await until(async () => (await told()).length > 1);
  expect((await told()).sort()).toEqual(["mcp_server_error", "mcp_server_recovered"]);
  const nowhere = await synced({ url: "http://127.0.0.1:1/mcp" });
  expect(nowhere.status).toBe("error");
});

test("rejects private addresses with a clear error", async () => {
  const { status, lastError } = await synced({ url: "http://10.1.2.3/mcp" });
  expect(status).toBe("error");
  expect(lastError).toMatch(/private|not allowed|refused/i);
});

test("renews and stores credentials, which appear nowhere", async () => {
  const oauth = await toolServer({ auth: { type: "oauth", ...OAUTH, refreshTokens: ["refresh-1"], rotates: true } });
  const bearer = await toolServer({ auth: { type: "bearer", token: TOKEN } });
  const given = { authType: "oauth", refreshToken: "refresh-1", ...OAUTH };
  const renewed = await synced({ url: oauth.url, ...given });
  expect(renewed).toMatchObject({ status: "connected", hasCredential: true });
  expect(oauth.authorization!.grants).toHaveLength(1);
  // The tokens of the first renewal are good for no more; those that came with it are.
  oauth.authorization!.accessTokens.clear();
  expect((await api.post(`${base}/${renewed.id}/sync`)).body).toMatchObject({ status: "connected" });
  expect(oauth.authorization!.grants.map(({ grant_type }) => grant_type)).toEqual(["refresh_token", "refresh_token"]);
  expect(oauth.authorization!.grants[1]!.refresh_token).not.toBe("refresh-1");

  const held = await synced({ url: bearer.url, authType: "bearer", accessToken: TOKEN });
  expect(held.status).toBe("connected");
  const tool = (await toolsOf(held.id)).find(({ name }) => name === "add");
  const called = await api.post(`${base}/tools/${tool!.id}/call`, { arguments: { a: 1, b: 2 } });
  expect(called.status).toBe(200);
  const refused = await synced({ url: bearer.url, authType: "bearer", accessToken: `${TOKEN}-wrong` });
  expect(refused.status).toBe("error");
  const replayed = { "idempotency-key": "once" };
  const body = { name: "Once", url: bearer.url, authType: "bearer", accessToken: TOKEN };
  const once = await Promise.all([0, 1].map(() => api.post(base, body, replayed)));
  expect(once.some(({ status }) => status === 201)).toBe(true);
  const audit = await api.get(`/v1/workspaces/${workspaceId}/audit?resourceType=mcp-server`);
  const answers = JSON.stringify([refused, held, once, audit.body, (await api.get(base)).body]);
  const files = readdirSync(server.dataDir, { recursive: true, withFileTypes: true }).filter(file => file.isFile());
  const texts = files.map(({ parentPath, name }) => readFileSync(join(parentPath, name), "latin1"));
  for (const secret of [TOKEN, OAUTH.clientSecret, "refresh-1", ...oauth.authorization!.accessTokens]) {
    expect([answers, server.log(), ...texts].filter(text => text.includes(secret))).toEqual([]);
  }
});

test("completes a sync in which the process was killed", async () => {
  const isConnected = async () => (await cutOff.api.get(cutOff.path)).body.status === "connected";
  // Its lease has to end first, and then the next tick comes.
  await eventually(isConnected, "The server that was cut off is synced", 20_000);
  expect((await cutOff.api.get(`${cutOff.path}/tools`)).body).toHaveLength(usualTools().length);
});
