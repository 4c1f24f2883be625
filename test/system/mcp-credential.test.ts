import { randomUUID } from "node:crypto";
import type { McpServer, McpTool } from "../../contracts/entities/mcp-server.ts";
import { type Api, newWorkflow, newWorkspace, runToEnd } from "../support/api.ts";
import { definition, node } from "../support/definition.ts";
import { type Endpoint, startEndpoint } from "../support/endpoint.ts";
import { type McpTestServer, type McpTestTool, startMcpServer, usualTools } from "../support/mcp-server.ts";
import { until } from "../support/service-node.ts";
import { sharedServer } from "../support/shared.ts";
import { newHook } from "../support/webhooks.ts";

const KEY = "k3y/of+a tool server";
const open: { close(): Promise<void> }[] = [];

let api: Api;
let base: string;
let space: string;
let thief: Endpoint;

beforeAll(async () => {
  const server = await sharedServer();
  const made = await newWorkspace(server.url);
  ({ api, space } = made);
  base = `/v1/workspaces/${made.workspaceId}`;
  thief = await startEndpoint();
  open.push(thief);
});
afterAll(() => Promise.all(open.map(one => one.close())));

/** Tells everything that it was sent, as text and as base64. */
const tells: McpTestTool = {
  name: "tells",
  description: "Tells what it was sent",
  inputSchema: { type: "object" },
  run: (_args, { headers }) => {
    const text = JSON.stringify(headers);
    const encoded = Buffer.from(headers["x-tool-key"] ?? "").toString("base64");
    return { content: [{ type: "text", text: `${text} ${encoded}` }] };
  },
};

async function toolServer(options: Parameters<typeof startMcpServer>[0] = {}): Promise<McpTestServer> {
  const started = await startMcpServer({ tools: [...usualTools(), tells], ...options });
  open.push(started);
  return started;
}
async function credential(type: string, data: object, hosts: string[] | undefined, more: object = {}): Promise<string> {
  const given = { name: randomUUID(), type, data, ...(hosts && { hosts }), ...more };
  const { status, body } = await api.post(`${base}/credentials`, given);
  expect({ status, body }).toMatchObject({ status: 201 });
  return body.id as string;
}
const keyFor = (url: string, more: object = {}) =>
  credential("header", { name: "X-Tool-Key", value: KEY }, [new URL(url).host], more);
const servers = () => `${base}/mcp-servers`;
const get = async (id: string) => (await api.get(`${servers()}/${id}`)).body as McpServer;
async function registered(given: object): Promise<McpServer> {
  const { status, body } = await api.post(servers(), { name: "Tools", ...given });
  expect({ status, body }).toMatchObject({ status: 201 });
  await until(async () => (await get(body.id as string)).status !== "unknown");
  return get(body.id as string);
}
async function toolOf(id: string, wanted: string): Promise<string> {
  const { body } = await api.get(`${servers()}/${id}/tools`);
  return (body as McpTool[]).find(({ name }) => name === wanted)!.id;
}
const call = (toolId: string) => api.post(`${servers()}/tools/${toolId}/call`, {});
const lastKey = ({ requests }: McpTestServer) => requests.at(-1)!.headers["x-tool-key"];

test("calls a server with the credential that it names, and masks secrets in results", async () => {
  const there = await toolServer();
  const credentialId = await keyFor(there.url);
  const made = await registered({ url: there.url, credentialId });
  expect(made).toMatchObject({ status: "connected", credentialId, hasCredential: true, authType: "none" });
  expect(there.requests.every(({ headers }) => headers["x-tool-key"] === KEY)).toBe(true);
  const toolId = await toolOf(made.id, "tells");
  const told = await call(toolId);
  expect(told.body.content[0].text).toContain('"x-tool-key":"•••"');
  const step = node("call", "tool", { toolId, arguments: {} });
  const { status, output } = await runToEnd(api, space, definition([step]));
  expect({ status, output }).toMatchObject({ status: "completed", output: { isError: false } });
  for (const text of [JSON.stringify(told.body), JSON.stringify(output)])
    for (const spelling of [KEY, encodeURIComponent(KEY), Buffer.from(KEY).toString("base64")])
      expect(text).not.toContain(spelling);

  // A new value counts from the next call on, within the same session.
  const data = { name: "X-Tool-Key", value: "another value" };
  expect((await api.patch(`${base}/credentials/${credentialId}`, { data })).status).toBe(200);
  expect((await call(toolId)).status).toBe(200);
  expect(lastKey(there)).toBe("another value");
});

test("obtains tokens, and replaces them once when the server rejects one", async () => {
  const there = await toolServer({ auth: { type: "oauth", clientId: "c", clientSecret: "s3cret-of-c" } });
  const { tokenUrl, accessTokens, grants } = there.authorization!;
  const data = { tokenUrl, clientId: "c", clientSecret: "s3cret-of-c" };
  const credentialId = await credential("oauth2_client", data, [new URL(there.url).host]);
  const made = await registered({ url: there.url, credentialId });
  expect(made.status).toBe("connected");
  expect(grants).toHaveLength(1);
  accessTokens.clear();
  expect((await call(await toolOf(made.id, "tells"))).status).toBe(200);
  expect(grants).toHaveLength(2);
});

test("lists the users of a credential, and refuses to delete it while it is used", async () => {
  const there = await toolServer();
  const credentialId = await keyFor(there.url);
  const { id } = await registered({ name: "Sums", url: there.url, credentialId });
  const hmac = await credential("hmac", { key: "a key of some length" }, undefined);
  const hook = await newHook(api, space, { name: "Shop", auth: { type: "hmac", preset: "github", credential: hmac } });
  const uses = [
    { credentialId, use: { kind: "mcp_server", id, name: "Sums", spaceId: null, workflowId: null, deployed: true } },
    {
      credentialId: hmac,
      use: { kind: "webhook", id: hook.id, name: "Shop", workflowId: hook.workflowId, deployed: true },
    },
  ];
  for (const { credentialId: one, use } of uses) {
    const path = `${base}/credentials/${one}`;
    expect((await api.get(path)).body.usedBy).toMatchObject([use]);
    const refused = await api.delete(path);
    expect(refused).toMatchObject({ status: 409, body: { code: "credential_in_use", usedBy: [use] } });
  }
  expect((await api.delete(`${base}/credentials/${credentialId}?force=true`)).status).toBe(204);
  const toolId = await toolOf(id, "tells");
  const sent = there.requests.length;
  expect((await call(toolId)).body).toMatchObject({ code: "tool_server_refused" });
  expect(there.requests).toHaveLength(sent);
  // A webhook that names another one no longer counts.
  await api.patch(`${space}/webhooks/${hook.id}`, { auth: { type: "header" } });
  expect((await api.delete(`${base}/credentials/${hmac}`)).status).toBe(204);
});

test("sends a credential only to its hosts: not to another address, by a redirect, or after a change", async () => {
  const there = await toolServer();
  const credentialId = await keyFor(there.url);
  const { id } = await registered({ url: there.url, credentialId });
  const toolId = await toolOf(id, "tells");
  const moved = await api.patch(`${servers()}/${id}`, { url: `${thief.url}/x` });
  expect(moved).toMatchObject({ status: 400, body: { errors: [{ path: "/credentialId" }] } });
  there.faults = { status: 307, headers: { location: `${thief.url}/x` } };
  expect((await call(toolId)).status).toBeGreaterThanOrEqual(500);
  there.faults = {};
  // The credential moves away from the server.
  const data = { name: "X-Tool-Key", value: KEY };
  await api.patch(`${base}/credentials/${credentialId}`, { hosts: ["elsewhere.example.com"], data });
  const sent = there.requests.length;
  expect((await call(toolId)).body).toMatchObject({
    code: "tool_server_refused",
    detail: expect.stringContaining("may not be sent to") as string,
  });
  expect(there.requests).toHaveLength(sent);
  expect(thief.received("/x")).toEqual([]);
});

test("rejects a credential that does not exist, sign calls, or fit the address and all spaces", async () => {
  const there = await toolServer();
  const { host } = new URL(there.url);
  const other = await newWorkspace(api.url);
  const bearer = { type: "bearer", data: { token: "t0ken" } };
  const foreign = await other.api.post(`/v1/workspaces/${other.workspaceId}/credentials`, {
    ...{ ...bearer, name: "Foreign", hosts: [host] },
  });
  const own = await keyFor(there.url);
  const wrong: object[] = [
    { credentialId: randomUUID() },
    { credentialId: foreign.body.id },
    { credentialId: await credential("fields", { pin: "1234" }, [host]) },
    { credentialId: await keyFor(there.url, { spaceIds: [space.split("/").at(-1)] }) },
    { credentialId: await credential("bearer", bearer.data, ["api.example.com"]) },
    { credentialId: own, authType: "bearer", accessToken: "t0ken" },
  ];
  for (const given of wrong) {
    const refused = await api.post(servers(), { name: "Tools", url: there.url, ...given });
    expect(refused).toMatchObject({ status: 400, body: { errors: [{ path: "/credentialId" }] } });
  }
  expect(there.requests).toEqual([]);
});

test("changes a server between a credential of its own and a named one", async () => {
  const there = await toolServer();
  const credentialId = await keyFor(there.url);
  const { id } = await registered({ url: there.url, authType: "api_key", accessToken: "its-own-key" });
  const path = `${servers()}/${id}`;
  const toolId = await toolOf(id, "tells");
  const sent = async () => {
    expect((await call(toolId)).status).toBe(200);
    const { headers } = there.requests.at(-1)!;
    return [headers["x-api-key"], headers["x-tool-key"]];
  };
  expect(await sent()).toEqual(["its-own-key", undefined]);
  const named = await api.patch(path, { authType: "none", credentialId });
  expect(named).toMatchObject({ status: 200, body: { credentialId, authType: "none" } });
  expect(await sent()).toEqual([undefined, KEY]);
  expect((await api.patch(path, { name: "Renamed" })).body).toMatchObject({ credentialId });
  const own = await api.patch(path, { authType: "api_key", accessToken: "its-next-key" });
  expect(own).toMatchObject({ status: 200, body: { credentialId: null, hasCredential: true } });
  expect(await sent()).toEqual(["its-next-key", undefined]);
  await api.patch(path, { authType: "none", credentialId });
  const none = await api.patch(path, { credentialId: null });
  expect(none.body).toMatchObject({ credentialId: null, hasCredential: false });
  expect(await sent()).toEqual([undefined, undefined]);
});

test("keeps a workflow of another space from using a credential through a tool", async () => {
  const there = await toolServer();
  const credentialId = await keyFor(there.url);
  const { id } = await registered({ url: there.url, credentialId });
  const { body: second } = await api.post(`${base}/spaces`, { name: "Second" });
  const elsewhere = `${base}/spaces/${second.id}`;
  const steps = [
    node("call", "tool", { toolId: await toolOf(id, "tells"), arguments: {} }),
    node("send", "http", { url: `${thief.url}/y`, method: "POST", body: { all: "{{ $$ }}" } }),
  ];
  const workflowId = await newWorkflow(api, elsewhere, definition(steps, "call > send"));
  const parent = definition([node("child", "subworkflow", { workflowId })]);
  expect((await runToEnd(api, space, parent)).status).toBe("completed");
  const got = JSON.stringify(thief.received("/y"));
  expect(got).toContain("x-tool-key");
  expect(got).not.toContain(KEY);
});
