import { VERSION, VARIABLES } from "../../config.ts";
import { rm } from "node:fs/promises";
import { WATCHED } from "../../services/identity/operator-numbers.ts";
import { Api, type Json, newWorkflow, newWorkspace, register } from "../support/api.ts";
import { startCli } from "../support/cli.ts";
import { definition, gives, node } from "../support/definition.ts";
import { start } from "../support/executions.ts";
import { upload } from "../support/files.ts";
import { untilEnd } from "../support/follow.ts";
import { expectProblem } from "../support/problem.ts";
import { addAccounts } from "../support/members.ts";
import { removeServer, type Server, startServer } from "../support/server.ts";

const CHIEF = "chief@example.com";
const password = "correct horse battery";
const SECRET = "hush-0123456789abcdef0123456789abcdef";
/** Every kind of variable that holds a secret, or an address that may contain one. */
const SECRETS = {
  JWT_SECRET: `${SECRET}-jwt`,
  SECRETS_KEY: `${SECRET}-key`,
  SECRETS_KEYS_OLD: `${SECRET}-old`,
  LLM_BASE_URL: `http://user:${SECRET}@127.0.0.1:9/v1`,
  LLM_API_KEY: SECRET,
  EMBEDDINGS_API_KEY: SECRET,
  SMTP_URL: `smtp://user:${SECRET}@127.0.0.1:9`,
  OTEL_EXPORTER_OTLP_ENDPOINT: `http://user:${SECRET}@127.0.0.1:9`,
  OTEL_EXPORTER_OTLP_HEADERS: `authorization=${SECRET}`,
  // Its value is shown, except for a password inside it.
  CORS_ORIGINS: `https://user:${SECRET}@app.example.com`,
  OIDC_ACME_ISSUER: `http://user:${SECRET}@127.0.0.1:9`,
  OIDC_ACME_CLIENT_ID: "weft",
  OIDC_ACME_CLIENT_SECRET: SECRET,
};

let server: Server;
let operator: Api;

beforeAll(async () => {
  const env = {
    OPERATORS: CHIEF,
    LLM_MODEL: "a-model",
    MAIL_FROM: "Weft <weft@example.com>",
    LIMITS: "schedules=7",
    ...SECRETS,
  };
  server = await startServer({ env });
  await addAccounts(server.dataDir, [CHIEF], password);
  const api = new Api(server.url);
  operator = api.as((await api.post("/v1/auth/login", { email: CHIEF, password })).body.accessToken as string);
});
afterAll(() => removeServer(server));

const byName = ({ configuration }: Json) =>
  new Map((configuration.settings as Json[]).map(setting => [setting.name as string, setting]));

const status = async (): Promise<Json> => (await operator.get("/v1/operator/status")).body;

it("shows the effective configuration to operators only", async () => {
  const body = await status();
  expect(body.configuration.node).toBe(body.nodes[0].id);
  const settings = byName(body);
  expect([...settings.keys()]).toEqual(expect.arrayContaining([...VARIABLES]));
  expect(settings.get("WORKER_LEASE_MS")).toMatchObject({ value: "6000", state: "default", masked: false });
  expect(settings.get("LIMITS")).toMatchObject({ value: "schedules=7", state: "set" });
  expect(settings.get("OPERATORS")).toMatchObject({ value: CHIEF, state: "set" });
  expect(settings.get("SERVICES")).toMatchObject({ state: "default" });
  expect(settings.get("PASSWORDS_BREACHED")).toMatchObject({ value: null, state: "none", masked: false });
  expect(settings.get("OIDC_ACME_CLIENT_ID")).toMatchObject({ value: "weft", state: "set" });
  expectProblem(await (await register(server.url)).get("/v1/operator/status"), 403, "operator_only");
});

it("shows no secret and no address that may contain one", async () => {
  const body = await status();
  expect(JSON.stringify(body)).not.toContain("hush");
  const settings = byName(body);
  for (const [name, given] of Object.entries(SECRETS)) {
    if (!given.includes(SECRET)) continue;
    expect(settings.get(name)).toEqual({ name, value: null, state: "set", masked: true });
  }
  expect(settings.get("EMBEDDINGS_BASE_URL")).toMatchObject({ value: null, state: "none", masked: true });
});

it("shows the version of each node", async () => {
  expect((await status()).nodes).toMatchObject([{ available: true, version: VERSION }]);
});

it("shows the values that alarms watch, with their bounds", async () => {
  const { api, space } = await newWorkspace(server.url);
  const fine = await newWorkflow(api, space, definition([node("start", "trigger"), gives("end", 1)], "start > end"));
  const fail = node("fail", "fail", { message: "no" });
  const bad = await newWorkflow(api, space, definition([node("start", "trigger"), fail], "start > fail"));
  for (const id of [fine, fine, fine, bad]) await untilEnd(api, (await start(api, space, id)).path);
  const { watched, nodes } = await status();
  const values = Object.fromEntries((watched as Json[]).map(({ alarm, ...rest }) => [alarm, rest]));
  expect(Object.keys(values)).toEqual(Object.keys(WATCHED));
  expect(values).toMatchObject({
    WeftQueueStuck: { value: 0, above: 60, unit: "seconds" },
    WeftQueueLong: { value: 0 },
    WeftTimersLate: { value: 0 },
    WeftWorkersFull: { value: 0 },
    WeftExecutionsFailing: { value: 0.25, unit: "share" },
    WeftIndexBehind: { value: 0 },
  });
  expect(nodes[0].worker).toEqual({ held: 0, capacity: expect.any(Number) });
});

it("shows the size of stored data, and the time of the last backup", async () => {
  const { api, workspaceId } = await newWorkspace(server.url);
  const { storage: before, versions } = await status();
  expect(versions).toEqual({ store: `SQLite ${process.versions.sqlite}`, nats: null, search: null });
  expect(before).toMatchObject({ store: "embedded", backupAt: null });
  expect(before.used).toBeGreaterThan(10_000);
  expect(before.free).toBeGreaterThan(0);
  await upload(api, workspaceId, Buffer.alloc(50_000, 7));
  const to = `${server.dataDir}-backup`;
  const began = Date.now();
  const { code, stderr } = await startCli(["backup", "--to", to], { DATA_DIR: server.dataDir }).ended;
  await rm(to, { recursive: true, force: true });
  expect([code, stderr]).toEqual([0, expect.any(String)]);
  const { storage } = await status();
  expect(storage.files - before.files).toBe(50_000);
  expect(Date.parse(storage.backupAt)).toBeGreaterThanOrEqual(began);
});
