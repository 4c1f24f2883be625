import { generateKeyPairSync, randomBytes } from "node:crypto";
import { join } from "node:path";
import { Api, newWorkflow, newWorkspace, runToEnd } from "../support/api.ts";
import { startCli } from "../support/cli.ts";
import { MODEL_PROVIDER_NAMES } from "../../contracts/credentials/model-providers.ts";
import { definition, node } from "../support/definition.ts";
import { start } from "../support/executions.ts";
import { readLog, untilEnd } from "../support/follow.ts";
import { type Listener, startListener } from "../support/listener.ts";
import { type LeakyServer, startLeakyServer } from "../support/leaky-server.ts";
import { FakeProvider } from "../support/fake-providers.ts";
import { freePort } from "../support/free-port.ts";
import { MailSink } from "../support/mail-sink.ts";
import { type McpTestServer, type McpTestTool, startMcpServer } from "../support/mcp-server.ts";
import { authorizedCredential, type RotatingTokens, startRotatingTokens } from "../support/rotating-tokens.ts";
import { removeServer, type Server, startServer, temporaryFolder } from "../support/server.ts";
import { everythingIn, findSecrets } from "../support/stored-bytes.ts";
import { SENDERS } from "../support/webhook-senders.ts";
import { send } from "../support/webhooks.ts";

/** In the name of everything here, so that it must be found wherever is looked. */
const MARK = "conspicuous";
const secrets: Record<string, string> = {};
const answers = new Map<string, Buffer>();

let server: Server;
let leaky: LeakyServer;
let tokens: RotatingTokens;
let tools: McpTestServer;
/** Gets the traces. */
let collector: Listener;
/** Gets what is sent by the proxy that the environment names. */
let proxy: Listener;
let api: Api;
let base: string;
let space: string;
let metrics: string;
let printed = "";

/** A new secret that the test looks for in the end. The characters are those that encodings change. */
function secret(name: string, more = "/+&=%\"'"): string {
  const value = `${randomBytes(9).toString("hex")}${more}${randomBytes(9).toString("hex")}`;
  secrets[name] = value;
  return value;
}

beforeAll(async () => {
  const check = Api.check;
  Api.check = async (method, url, answer) => {
    await check(method, url, answer);
    const shown = JSON.stringify([Object.fromEntries(answer.headers), answer.body]);
    answers.set(`${method} ${new URL(url).pathname} (${answers.size})`, Buffer.from(shown));
  };
  const port = await freePort();
  metrics = `http://127.0.0.1:${port}/metrics`;
  [leaky, tokens, collector, proxy] = await Promise.all([
    startLeakyServer(),
    startRotatingTokens(),
    startListener(),
    startListener(),
  ]);
  tools = await startMcpServer({ tools: [tells] });
  const env = {
    ...{ LOG_LEVEL: "trace", METRICS_PORT: String(port), OTEL_EXPORTER_OTLP_ENDPOINT: collector.url },
    // A proxy of the environment would get what is sent to others.
    ...{ NODE_USE_ENV_PROXY: "1", HTTP_PROXY: proxy.url, HTTPS_PROXY: proxy.url, ALL_PROXY: proxy.url },
    NO_PROXY: new URL(collector.url).host,
  };
  server = await startServer({ env });
  for (const stream of [server.process.stdout, server.process.stderr])
    stream?.on("data", (chunk: Buffer) => (printed += chunk.toString()));
  const made = await newWorkspace(server.url);
  ({ api, space } = made);
  base = `/v1/workspaces/${made.workspaceId}`;
});
afterAll(async () => {
  await Promise.all([leaky, tokens, collector, proxy, tools].map(one => one.close()));
  await removeServer(server);
});

/** A tool that tells what its server was sent. */
const tells: McpTestTool = {
  name: "tells",
  description: MARK,
  inputSchema: { type: "object" },
  run: (_args, { headers }) => ({ content: [{ type: "text", text: JSON.stringify(headers) }] }),
};

async function credential(name: string, type: string, data: object): Promise<string> {
  const body = { name: `${MARK} ${name}`, type, data, ...(leakyType(type) && { hosts: [new URL(leaky.url).host] }) };
  const { status, body: made } = await api.post(`${base}/credentials`, body, {
    "idempotency-key": randomBytes(9).toString("hex"),
  });
  if (status !== 201) throw new Error(JSON.stringify(made));
  return made.id as string;
}
/** Calls a tool of a server that names a credential, and leaves the server in error. */
async function useTools(): Promise<void> {
  const value = secret("tool server");
  const hosts = [new URL(tools.url).host];
  const data = { name: "X-Key", value };
  const made = await api.post(`${base}/credentials`, { name: `${MARK} tools`, type: "header", hosts, data });
  const { body } = await api.post(`${base}/mcp-servers`, { name: MARK, url: tools.url, credentialId: made.body.id });
  const path = `${base}/mcp-servers/${body.id}`;
  expect((await api.post(`${path}/sync`)).body).toMatchObject({ status: "connected" });
  const [tool] = (await api.get(`${path}/tools`)).body as { id: string }[];
  const step = node("call", "tool", { toolId: tool!.id, arguments: {} });
  expect(JSON.stringify((await runToEnd(api, space, definition([step]))).output)).toContain("•••");
  tools.faults = {
    status: 401,
    body: value,
    headers: { "www-authenticate": `Bearer scope="${encodeURIComponent(value)}"` },
  };
  await api.post(`${path}/sync`);
  await api.get(path);
}

/** Sends mails by a server that repeats the password in its refusals, also as it was sent. */
async function useMail(): Promise<void> {
  const sink = new MailSink();
  const password = (sink.password = secret("mail server", "-"));
  const encoded = Buffer.from(`\0${MARK}\0${password}`).toString("base64");
  await sink.start();
  const server = { host: "127.0.0.1", port: sink.port, security: "off", username: MARK, from: "shop@example.com" };
  const send = async (id: string) => {
    const mail = { credential: id, to: "ada@example.com", subject: MARK, text: MARK };
    const { status, error, id: runId } = await runToEnd(api, space, definition([node("mail", "email", mail)]));
    await readLog(api, `${space}/executions/${runId}`);
    return { status, message: error?.message as string | undefined };
  };
  const right = await credential("mail server", "smtp", { ...server, password });
  expect(await send(right)).toMatchObject({ status: "completed" });
  sink.before = () => {
    throw Object.assign(new Error(`no ${password} ${encoded}`), { responseCode: 554 });
  };
  expect((await send(right)).message).toContain("no •••");
  sink.wrong = given => `Not ${given}`;
  const wrong = await credential("wrong mail server", "smtp", { ...server, password: secret("wrong mail", "-") });
  expect((await send(wrong)).message).toContain("Not •••");
  for (const id of [right, wrong]) await api.post(`${base}/credentials/${id}/test`, {});
  await sink.stop();
}

/** Asks a model of each provider that repeats its key, in its answer, in a refusal and in its list of models. */
async function useModel(name: (typeof MODEL_PROVIDER_NAMES)[number]): Promise<void> {
  const key = secret(`key of ${name}`, "-");
  const provider = await FakeProvider.open(name, key);
  const data = { provider: name, baseUrl: provider.baseUrl, apiKey: key, model: "big" };
  const id = await credential(`model of ${name}`, "model", data);
  provider.say = () => `Your key is ${key}.`;
  const ask = { prompt: MARK, credential: id };
  const run = await runToEnd(api, space, definition([node("llm", "llm", ask)]));
  expect(run).toMatchObject({ status: "completed", error: null });
  expect(JSON.stringify(run.output)).toContain("Your key is •••.");
  for (const status of [400, 401, 503]) {
    provider.faults.push(...Array.from({ length: 4 }, () => ({ status, body: { error: { message: `bad ${key}` } } })));
    const once = { policy: { retry: { maxAttempts: 1 } } };
    const failed = await runToEnd(api, space, definition([node("llm", "llm", ask, once)]));
    expect(failed.error.message).toContain("•••");
    await readLog(api, `${space}/executions/${failed.id}`);
    provider.faults.splice(0);
  }
  await api.post(`${base}/credentials/${id}/test`, {});
  provider.faults.push({ status: 401, body: { error: { message: `bad ${key}` } } });
  await api.post(`${base}/credentials/${id}/test`, {});
  await provider.close();
}

/** Delivers to webhooks of each kind, rightly and wrongly. */
async function deliver(): Promise<void> {
  const workflowId = await newWorkflow(api, space, definition([node("all", "transform", { value: "{{ $$ }}" })]));
  const key = secret("signing key", "-and-more-of-it-");
  const made = await api.post(`${base}/credentials`, { name: `${MARK} signing`, type: "hmac", data: { key } });
  const word = (name: string) => secret(name, "-");
  const kinds = [
    { type: "hmac", preset: "github", credential: made.body.id as string },
    { type: "hmac", preset: "stripe", secret: word("stripe") },
    { type: "header", secret: word("header of a webhook") },
    { type: "basic", username: MARK, secret: word("password of a webhook") },
    { type: "path", secret: word("path") },
  ];
  for (const auth of kinds) {
    const { body: hook } = await api.post(`${space}/webhooks`, { workflowId, name: MARK, auth });
    const own = auth.secret ?? key;
    const body = JSON.stringify({ MARK });
    const basic = Buffer.from(`${MARK}:${own}`).toString("base64");
    const headers: Record<string, Record<string, string>> = {
      hmac:
        auth.preset === "stripe"
          ? SENDERS.stripe(own, Buffer.from(body), Math.floor(Date.now() / 1_000))
          : SENDERS.github(own, Buffer.from(body)),
      header: { "x-webhook-secret": own },
      basic: { authorization: `Basic ${basic}` },
      path: {},
    };
    const url = `${server.url}/v1/webhooks/${hook.id}/trigger${auth.type === "path" ? `/${own}` : ""}`;
    const sent = await send(url, body, headers[auth.type]);
    expect({ auth: auth.type, status: sent.status }).toEqual({ auth: auth.type, status: 201 });
    // One that is sent as if it belonged to another kind.
    await send(`${server.url}/v1/webhooks/${hook.id}/trigger?secret=x`, body, {
      "x-webhook-secret": "wrong",
      authorization: "Basic eDp5",
    });
    await untilEnd(api, `${space}/executions/${sent.body.id}`);
    await api.get(`${space}/executions/${sent.body.id}`);
    await api.get(`${space}/webhooks/${hook.id}/deliveries`);
    await api.get(`${space}/webhooks/${hook.id}`);
  }
}

const leakyType = (type: string) => !["hmac", "smtp", "postgres", "mysql", "s3", "model"].includes(type);

/** Everything that can happen to a call. */
const WAYS = [
  "/echo",
  "/encoded",
  "/status/500",
  "/status/403",
  "/redirect",
  "/headers",
  "/challenge",
  "/cut",
  "/silent",
];

async function use(id: string | undefined, data: object = {}): Promise<void> {
  const steps = WAYS.map((way, at) =>
    node(
      `s${at}`,
      "http",
      { url: leaky.url + way, method: "POST", ...(id && { credential: id }), ...data },
      {
        policy: {
          onError: "continue",
          timeoutMs: 1_500,
          retry: { maxAttempts: way === "/status/500" ? 2 : 1, initialMs: 1 },
        },
      },
    ),
  );
  const what = definition(
    [...steps, node("all", "transform", { value: "{{ steps }}" })],
    ...WAYS.map((_, at) => `s${at} > all`),
  );
  const workflowId = await newWorkflow(api, space, what);
  const { id: runId } = await start(api, space, workflowId, MARK);
  expect((await untilEnd(api, `${space}/executions/${runId}`)).status).toBe("completed");
  await readLog(api, `${space}/executions/${runId}`);
  const failing = definition([
    node("s", "http", { url: `${leaky.url}/status/500`, ...(id && { credential: id }), ...data }),
  ]);
  await api.patch(`${space}/workflows/${workflowId}`, { definition: failing });
  const failed = await start(api, space, workflowId, MARK);
  expect((await untilEnd(api, `${space}/executions/${failed.id}`)).status).toBe("failed");
  await readLog(api, `${space}/executions/${failed.id}`);
  await api.post(`${space}/workflows/${workflowId}/test`, { nodeId: "s" });
  for (const path of ["export", "versions/1", "versions/1/diff/2"])
    await api.get(`${space}/workflows/${workflowId}/${path}`);
  await api.post(`${space}/workflows/${workflowId}/validate`);
}

const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2_048 });

test("creates, uses, tests, changes and rejects credentials of all types", async () => {
  const signed: string[] = [];
  for (let round = 0; round < 4; round++) {
    const plain = (name: string) => secret(`${name} ${round}`, ["-", "~", "_", "."][round]);
    signed.push(
      await credential(`header ${round}`, "header", {
        name: "X-Key",
        value: secret(`header ${round}`),
        prefix: "Key ",
      }),
      await credential(`query ${round}`, "query", { name: "key", value: secret(`query ${round}`) }),
      await credential(`basic ${round}`, "basic", { username: MARK, password: secret(`basic ${round}`) }),
      await credential(`bearer ${round}`, "bearer", { token: plain("bearer") }),
    );
    const session = { secretAccessKey: plain("aws secret"), sessionToken: plain("aws session") };
    signed.push(
      await credential(`aws ${round}`, "aws", { accessKeyId: "AKIA", ...session, region: "r", service: "s" }),
    );
  }
  const token = { tokenUrl: `${leaky.url}/token`, clientId: MARK };
  signed.push(await credential("client", "oauth2_client", { ...token, clientSecret: secret("client", "-") }));
  // The token endpoint repeats what it was sent in its refusal.
  const refused = {
    tokenUrl: `${leaky.url}/refused`,
    clientId: MARK,
    clientSecret: secret("refused client", "-"),
    auth: "body",
  };
  signed.push(await credential("refused", "oauth2_client", refused));
  const pem = privateKey.export({ type: "pkcs8", format: "pem" }).toString();
  secrets["a line of the private key"] = pem.split("\n")[3]!;
  signed.push(await credential("jwt", "jwt", { tokenUrl: `${leaky.url}/token`, issuer: MARK, privateKey: pem }));
  const account = { host: "db.example.com", database: "d", username: "u" };
  await credential("hmac", "hmac", { key: secret("hmac") });
  await credential("postgres", "postgres", { ...account, password: secret("postgres") });
  await credential("mysql", "mysql", { ...account, password: secret("mysql") });
  await credential("smtp", "smtp", { host: "mail.example.com", username: "u", password: secret("smtp") });
  await credential("s3", "s3", { accessKeyId: "AKIA", secretAccessKey: secret("s3", "-") });
  await credential("model", "model", { baseUrl: "https://models.example.com", apiKey: secret("model", "-") });
  await credential("fields", "fields", { pin: secret("a field"), key: secret("another field") });
  signed.push(await authorizedCredential(api, base, tokens, new URL(leaky.url).host));
  const pin = "{{ secrets.`conspicuous fields`.pin }}";
  const fields = {
    headers: { "x-pin": pin },
    query: { pin },
    body: { pin, key: "{{ secrets.`conspicuous fields`.key }}" },
  };
  await Promise.all([
    ...signed.map(async id => {
      await use(id);
      await api.post(`${base}/credentials/${id}/test`, { url: `${leaky.url}/echo` });
    }),
    use(undefined, fields),
    useTools(),
    useMail(),
    ...MODEL_PROVIDER_NAMES.map(useModel),
    deliver(),
  ]);
  const [first] = signed;
  const data = { name: "X-Key", value: secret("the next") };
  expect((await api.patch(`${base}/credentials/${first}`, { data })).status).toBe(200);
  const wrong = {
    name: MARK,
    type: "bearer",
    hosts: ["a.example"],
    data: { token: `${secret("wrong")}\n`, more: secret("more") },
  };
  expect((await api.post(`${base}/credentials`, wrong)).status).toBe(400);
  expect((await api.delete(`${base}/credentials/${signed[1]}`)).status).toBe(204);
  tokens.given.forEach((value, at) => (secrets[`authorized token ${at}`] = value));
  leaky.tokens.forEach((value, at) => (secrets[`token ${at}`] = value));
  expect(leaky.tokens.length).toBeGreaterThan(1);
  expect(Object.keys(secrets).length).toBeGreaterThanOrEqual(40);
  // The other side really got and repeated them.
  expect(leaky.received()).toContain(secrets["bearer 0"]);
  expect(leaky.received()).toContain(tokens.given[0]);
  expect(tools.requests.some(({ headers }) => headers["x-key"] === secrets["tool server"])).toBe(true);
}, 180_000);

test("leaves no secret in any output or file afterwards", async () => {
  for (const path of ["credentials", "audit", "variables"])
    await api.get(`${base}/${path}?limit=200`.replace("variables?limit=200", "variables"));
  for (const path of ["executions", "workflows"]) await api.get(`${space}/${path}?limit=200`);
  await api.get("/v1/notifications");
  const shown = await (await fetch(metrics)).text();
  const running = await everythingIn(server.dataDir);
  expect(await server.stop()).toBe(0);
  const stopped = await everythingIn(server.dataDir);
  const folder = await temporaryFolder();
  const backup = join(folder, "backup");
  expect(await startCli(["backup", "--to", backup], { DATA_DIR: server.dataDir }).ended).toMatchObject({ code: 0 });
  expect(await startCli(["secrets", "rotate", "--settle", "0"], { DATA_DIR: server.dataDir }).ended).toMatchObject({
    code: 0,
  });
  const migrated = join(folder, "migrated");
  const migration = startCli(["migrate", "--to", `file:${migrated}`], { DATA_DIR: server.dataDir });
  expect(await migration.ended).toMatchObject({ code: 0 });
  const all = new Map([
    ...[...running].map(([path, bytes]) => [`${path} of the running one`, bytes] as const),
    ...[...stopped].map(([path, bytes]) => [`${path} of the stopped one`, bytes] as const),
    ...[...(await everythingIn(server.dataDir))].map(([path, bytes]) => [`${path} after the rotation`, bytes] as const),
    ...[...(await everythingIn(folder))].map(([path, bytes]) => [`${path} of the copies`, bytes] as const),
    ...answers,
    ["metrics", Buffer.from(shown)] as const,
    ["what it printed", Buffer.from(printed)] as const,
    ["the traces", Buffer.from(collector.received())] as const,
    ["what came to the proxy", Buffer.from(proxy.received())] as const,
  ]);
  // It looks where things are, and finds what is there.
  const found = findSecrets({ MARK }, all);
  for (const place of ["of the stopped one", "backup/weft.db", "migrated/weft.db", "GET ", "POST "])
    expect(found.filter(one => one.includes(place))).not.toEqual([]);
  expect(shown).toContain("weft_action_calls_total");
  expect(collector.received()).toContain("credentials.open");
  expect(proxy.received()).not.toContain(new URL(leaky.url).host);
  expect(findSecrets({ key: stopped.get("secrets-key")?.toString().trim() ?? "" }, stopped)).toContain(
    "key is in secrets-key",
  );
  const control = new Map([["control", Buffer.from(Buffer.from(`x${secrets["bearer 1"]}y`).toString("base64url"))]]);
  expect(findSecrets({ control: secrets["bearer 1"]! }, control)).toEqual(["control is in control"]);

  expect(findSecrets(secrets, all)).toEqual([]);
}, 120_000);
