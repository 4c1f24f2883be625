import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Api, newWorkflow } from "../support/api.ts";
import { startCli } from "../support/cli.ts";
import { definition, gives, node } from "../support/definition.ts";
import { eventually, start } from "../support/executions.ts";
import { readLog, untilEnd } from "../support/follow.ts";
import { type McpServerOptions, type McpTestServer, startMcpServer, usualTools } from "../support/mcp-server.ts";
import { removeServer, type Server, startServer } from "../support/server.ts";
import { filesIn, findSecrets } from "../support/stored-bytes.ts";

/** In the name of everything here, so that it must be found wherever is looked. */
const MARK = "conspicuous";
const PASSWORD = `pass-${randomBytes(12).toString("hex")}`;
const fresh = (name: string) => `${name}-${randomBytes(16).toString("hex")}`;

/** By their names. What is in here must be nowhere. */
const secrets: Record<string, string> = { password: PASSWORD };
/** What the service answered, but for the answers that show a secret once. */
const answers = new Map<string, Buffer>();
const ONCE = /^POST .*\/(auth\/(register|login|refresh)|api-keys|webhooks|invites)$/;

let server: Server;
let output: () => string;
let api: Api;
let base: string;
let space: string;
const servers: McpTestServer[] = [];

function keepAnswers(): void {
  const check = Api.check;
  Api.check = async (method, url, answer) => {
    await check(method, url, answer);
    const path = `${method} ${new URL(url).pathname}`;
    const shown = JSON.stringify([Object.fromEntries(answer.headers), answer.body]);
    if (!(ONCE.test(path) && answer.status < 300)) answers.set(`${path} (${answers.size})`, Buffer.from(shown));
  };
}

beforeAll(async () => {
  keepAnswers();
  server = await startServer({ env: { LOG_LEVEL: "trace" } });
  // The server's own log forgets what is old.
  let printed = server.log();
  for (const stream of [server.process.stdout, server.process.stderr])
    stream?.on("data", (chunk: Buffer) => (printed += chunk.toString()));
  output = () => printed;
  const email = `${MARK}@example.com`;
  const registered = await new Api(server.url).post("/v1/auth/register", { email, password: PASSWORD });
  await new Api(server.url).post("/v1/auth/login", { email, password: `${PASSWORD} not` });
  const login = await new Api(server.url).post("/v1/auth/login", { email, password: PASSWORD });
  const refreshed = await new Api(server.url).post("/v1/auth/refresh", { refreshToken: login.body.refreshToken });
  for (const [name, { body }] of Object.entries({ registered, login, refreshed }))
    Object.assign(secrets, { [`${name} access`]: body.accessToken, [`${name} refresh`]: body.refreshToken });
  // One that is used again ends the session; the first one's goes on.
  await new Api(server.url).post("/v1/auth/refresh", { refreshToken: login.body.refreshToken });
  api = new Api(server.url, registered.body.accessToken);
  const { id } = (await api.post("/v1/workspaces", { name: MARK })).body;
  base = `/v1/workspaces/${id}`;
  space = `${base}/spaces/${id}`;
});
afterAll(async () => {
  await Promise.all(servers.map(one => one.close().catch(() => undefined)));
  await removeServer(server);
});

/** A tool server whose tool `mirror` gives back, or fails with, the very headers that it got, in each way in which tools fail. */
async function toolServer(auth: NonNullable<McpServerOptions["auth"]>): Promise<McpTestServer> {
  const mirror = {
    name: "mirror",
    description: MARK,
    inputSchema: { type: "object", properties: { how: { enum: ["well", "badly", "not"] } }, required: ["how"] },
    run({ how }: Record<string, unknown>, { headers }: { headers: Record<string, string> }) {
      if (how === "not") throw new Error(JSON.stringify(headers));
      const text = JSON.stringify(headers);
      return { content: [{ type: "text" as const, text }], structuredContent: { headers }, isError: how === "badly" };
    },
  };
  const made = await startMcpServer({ auth, tools: [...usualTools(), mirror] });
  servers.push(made);
  return made;
}

async function register(name: string, credential: object, url: string): Promise<string> {
  const body = { name: `${MARK} ${name}`, url, ...credential };
  const made = await api.post(`${base}/mcp-servers`, body, { "idempotency-key": fresh("key") });
  expect(made.status).toBe(201);
  return made.body.id as string;
}

const sync = async (id: string) => (await api.post(`${base}/mcp-servers/${id}/sync`)).body;

/** Calls it well and badly, by itself and in a run. */
async function useTool(serverId: string): Promise<void> {
  const tools = (await api.get(`${base}/mcp-servers/${serverId}/tools`)).body as { id: string; name: string }[];
  const toolId = tools.find(({ name }) => name === "mirror")?.id;
  const call = (args: object) => api.post(`${base}/mcp-servers/tools/${toolId}/call`, { arguments: args });
  expect((await call({ how: "well" })).body.structuredContent.headers).toMatchObject({
    host: expect.any(String) as string,
  });
  expect((await call({ how: "badly" })).body).toMatchObject({ isError: true });
  expect((await call({ how: "not" })).status).toBe(502);
  expect((await call({ how: "otherwise" })).status).toBe(400);
  const uses = ["well", "badly", "not"].map(how =>
    node(how, "tool", { toolId, arguments: { how } }, { policy: { onError: "continue" } }),
  );
  const workflowId = await newWorkflow(
    api,
    space,
    definition([...uses, gives("all", "{{ steps }}")], "well > badly > not > all"),
  );
  const { id } = await start(api, space, workflowId, MARK);
  expect((await untilEnd(api, `${space}/executions/${id}`)).status).toBe("completed");
  await readLog(api, `${space}/executions/${id}`);
}

/** Everything that a tool server can do to give a token away. */
async function misbehave(made: McpTestServer, id: string, token: string): Promise<void> {
  made.faults = {
    status: 401,
    headers: { "www-authenticate": `Bearer error="invalid_token", error_description="${token}"` },
  };
  expect(await sync(id)).toMatchObject({ status: "error" });
  for (const faults of [{ body: `not JSON: ${token}` }, { status: 500, headers: { "x-token": token } }]) {
    made.faults = faults;
    expect(await sync(id)).toMatchObject({ status: "error" });
  }
  made.faults = {};
  expect(await sync(id)).toMatchObject({ status: "connected" });
}

const KINDS = ["api_key", "bearer"] as const;

test.each(KINDS)("uses a credential of the type %s in every place that accepts it", async kind => {
  const [token, next] = [fresh(kind), fresh(kind)];
  Object.assign(secrets, { [kind]: token, [`the next ${kind}`]: next });
  const auth = kind === "bearer" ? { type: kind, token } : { type: kind, key: token };
  const made = await toolServer(auth);
  const id = await register(kind, { authType: kind, accessToken: token }, made.url);
  expect(await sync(id)).toMatchObject({ status: "connected" });
  await useTool(id);
  await misbehave(made, id, token);
  await api.patch(`${base}/mcp-servers/${id}`, { accessToken: next });
  expect(await sync(id)).toMatchObject({ status: "error" });
  await api.patch(`${base}/mcp-servers/${id}`, { accessToken: token });
  expect(await sync(id)).toMatchObject({ status: "connected" });
  // What is wrong with a request is said without it.
  const wrong = { name: MARK, url: made.url, authType: kind, accessToken: `${token}\n`, secret: token };
  expect((await api.post(`${base}/mcp-servers`, wrong)).status).toBe(400);
  await made.close();
  expect(await sync(id)).toMatchObject({ status: "error" });
});

test("uses and renews credentials of OAuth types", async () => {
  const [clientSecret, refreshToken, accessToken] = [fresh("client"), fresh("refresh"), fresh("access")];
  const oauth = { type: "oauth" as const, clientId: MARK, clientSecret, lifetimeSeconds: 1 };
  const made = await toolServer({
    ...oauth,
    accessTokens: [accessToken],
    refreshTokens: [refreshToken],
    rotates: true,
  });
  const given = { authType: "oauth", clientId: MARK, clientSecret, tokenUrl: made.authorization!.tokenUrl };
  const ids = [
    await register("refreshed", { ...given, accessToken, refreshToken }, made.url),
    await register("by itself", given, made.url),
  ];
  for (const id of ids) {
    expect(await sync(id)).toMatchObject({ status: "connected" });
    await useTool(id);
    // As if the server had forgotten them all: new ones are fetched.
    made.authorization!.accessTokens.clear();
    expect(await sync(id)).toMatchObject({ status: "connected" });
  }
  const { grants, accessTokens, refreshTokens } = made.authorization!;
  expect(grants.map(({ grant_type }) => grant_type)).toEqual(
    expect.arrayContaining(["refresh_token", "client_credentials"]),
  );
  Object.assign(secrets, { clientSecret, refreshToken, accessToken });
  [...accessTokens, ...refreshTokens].forEach((token, at) => (secrets[`token ${at} that was fetched`] = token));
  made.authorization!.fault = {
    status: 400,
    // It complains of the very things that it was just sent.
    get body() {
      const said = `${clientSecret} ${grants.at(-1)?.refresh_token} is no good`;
      return { error: "invalid_grant", error_description: said };
    },
  };
  accessTokens.clear();
  for (const id of ids) expect(await sync(id)).toMatchObject({ status: "error" });
  delete made.authorization!.fault;
});

test("uses secrets of webhooks, API keys and invites everywhere", async () => {
  const workflowId = await newWorkflow(api, space, definition([gives("said", MARK)]));
  const once = { "idempotency-key": fresh("key") };
  const webhook = (await api.post(`${space}/webhooks`, { workflowId, name: MARK }, once)).body;
  const again = await api.post(`${space}/webhooks`, { workflowId, name: MARK }, once);
  expect([again.headers.get("idempotent-replayed"), again.body.secret]).toEqual(["true", webhook.secret]);
  const deliver = (secret: string) =>
    new Api(server.url).post(`/v1/webhooks/${webhook.id}/trigger`, { mark: MARK }, { "x-webhook-secret": secret });
  expect((await deliver(webhook.secret)).status).toBe(201);
  expect((await deliver(`${webhook.secret}x`)).status).toBe(401);
  const { key, id } = (await api.post(`${base}/api-keys`, { name: MARK, role: "editor" })).body;
  expect((await api.as(key).get(`${base}/mcp-servers`)).status).toBe(200);
  expect((await api.as(`${key}x`).get(`${base}/mcp-servers`)).status).toBe(401);
  expect((await api.as(key).post("/v1/workspaces", { name: MARK })).status).toBe(403);
  expect((await api.delete(`${base}/api-keys/${id}`)).status).toBe(204);
  expect((await api.as(key).get(`${base}/mcp-servers`)).status).toBe(401);
  const invite = (await api.post(`${base}/invites`, { email: `${MARK}-2@example.com` })).body;
  await api.post("/v1/invites/accept", { token: invite.token });
  Object.assign(secrets, { "a webhook's": webhook.secret, "an API key": key, "an invite": invite.token });
});

test("replaces the encryption key without an interruption", async () => {
  const token = fresh("rotated");
  secrets["in rotation"] = token;
  const made = await toolServer({ type: "bearer", token });
  const id = await register("rotated", { authType: "bearer", accessToken: token }, made.url);
  const { key } = (await api.post(`${base}/api-keys`, { name: MARK })).body;
  secrets["an API key in rotation"] = key;
  const once = { "idempotency-key": fresh("key") };
  const first = (await api.post(`${base}/pods`, { name: MARK }, once)).body;
  const keyFile = () => readFileSync(join(server.dataDir, "secrets-key"), "utf8").trim();
  const before = keyFile();

  const rotation = startCli(["secrets", "rotate", "--settle", "0.2", "--json"], { DATA_DIR: server.dataDir });
  let over = false;
  void rotation.ended.then(() => (over = true));
  let turns = 0;
  do {
    const replayed = await api.as(key).post(`${base}/pods`, { name: MARK }, { "idempotency-key": fresh("key") });
    const [synced, again] = [await sync(id), await api.post(`${base}/pods`, { name: MARK }, once)];
    expect([replayed.status, synced.status, again.body.id]).toEqual([201, "connected", first.id]);
    await api.patch(`${base}/mcp-servers/${id}`, { accessToken: token });
    turns++;
  } while (!over);
  expect(turns).toBeGreaterThan(1);
  const { code, stdout, stderr } = await rotation.ended;
  expect([code, stderr]).toEqual([0, ""]);
  expect(JSON.parse(stdout)).toMatchObject({ lost: 0 });
  expect(keyFile()).not.toContain(before);
  secrets["the former key"] = before;

  expect(await sync(id)).toMatchObject({ status: "connected" });
  expect((await api.post(`${base}/pods`, { name: MARK }, once)).body.id).toBe(first.id);
  const status = await startCli(["secrets", "status", "--json"], { DATA_DIR: server.dataDir }).ended;
  const { keyId, texts } = JSON.parse(status.stdout) as { keyId: string; texts: { field: string; keyId: string }[] };
  expect(new Set(texts.map(({ field }) => field))).toEqual(
    new Set(["idempotencyKeys.answer", "keptKeys.key", "mcpServers.credential"]),
  );
  expect(texts.filter(text => text.keyId !== keyId)).toEqual([]);
});

test("leaves no secret in any stored file afterwards", async () => {
  await eventually(async () => (await api.get("/v1/notifications")).body.length > 0, "a notification");
  for (const path of ["audit", "members", "invites", "api-keys", "mcp-servers", "pods"])
    await api.get(`${base}/${path}`);
  for (const path of ["executions", "webhooks", "workflows"]) await api.get(`${space}/${path}`);
  for (const { id } of (await api.get(`${base}/mcp-servers`)).body) {
    await api.get(`${base}/mcp-servers/${id}`);
    await api.get(`${base}/mcp-servers/${id}/changes`);
  }
  await api.post(`${base}/mcp-servers/tools/search`, { query: MARK });
  const running = filesIn(server.dataDir);
  expect(await server.stop()).toBe(0);
  const stopped = filesIn(server.dataDir);

  const all = new Map([
    ...[...running].map(([path, bytes]) => [`${path} of the running one`, bytes] as const),
    ...[...stopped].map(([path, bytes]) => [`${path} of the stopped one`, bytes] as const),
    ...answers,
    ["what it printed", Buffer.from(output())] as const,
  ]);
  // It looks where things are.
  const found = findSecrets({ MARK }, all);
  expect(found).toContain("MARK is in weft.db of the stopped one");
  expect(output()).toContain(base.slice("/v1/workspaces/".length));
  expect(found.filter(one => / is in (GET|POST) /.test(one)).length).toBeGreaterThan(20);
  expect(found.filter(one => /weft\.db(-wal)? of the running one/.test(one))).not.toEqual([]);
  expect(findSecrets({ key: stopped.get("secrets-key")!.toString() }, stopped)).toEqual(["key is in secrets-key"]);

  expect(Object.keys(secrets).length).toBeGreaterThan(15);
  expect(findSecrets(secrets, all)).toEqual([]);
});
