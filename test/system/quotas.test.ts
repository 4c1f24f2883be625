import { Api, newWorkflow } from "../support/api.ts";
import { runCli } from "../support/cli.ts";
import { definition, node } from "../support/definition.ts";
import { upload } from "../support/files.ts";
import { expectProblem } from "../support/problem.ts";
import { realServers } from "../support/real-servers.ts";
import { removeServer, type Server, startServer } from "../support/server.ts";
import { until } from "../support/until.ts";

const password = "correct horse battery";
let servers: Server[];
let api: Api;
let operator: Api;
let owner: Api;
let count = 0;

const PASSES = definition([node("pass", "transform", { value: 1 })]);
const ASKS = definition([node("ask", "human", { prompt: "?" })]);

/** A workspace with a workflow, and where its runs start on each of the nodes. */
async function newPlace(graph = PASSES, quotas: Record<string, number> = {}) {
  const workspaceId = (await owner.post("/v1/workspaces", { name: `Place ${count++}` })).body.id as string;
  await setQuotas(workspaceId, quotas);
  const base = `/v1/workspaces/${workspaceId}`;
  const space = `${base}/spaces/${workspaceId}`;
  const workflowId = await newWorkflow(owner, space, graph);
  const nodes = servers.map(({ url }) => new Api(url).as(owner.token ?? ""));
  const start = (n: number, key?: string) =>
    nodes[n % nodes.length]!.request(
      "POST",
      `${space}/executions`,
      { workflowId },
      { prefer: "wait=10", ...(key && { "idempotency-key": key }) },
    );
  const usage = async (name: string) => {
    const { body } = await owner.get(`${base}/usage`);
    return (body.quotas as { name: string; used: number | null }[]).find(one => one.name === name)?.used;
  };
  const told = async () =>
    ((await owner.get("/v1/notifications")).body as unknown as { type: string; title: string; workspaceId: string }[])
      .filter(one => one.type === "quota_reached" && one.workspaceId === workspaceId)
      .map(({ title }) => title.replace(/ is used in .*/, ""))
      .sort();
  return { workspaceId, base, space, workflowId, start, usage, told };
}

const setQuotas = (workspaceId: string, quotas: Record<string, number | null>) =>
  operator.patch(`/v1/operator/workspaces/${workspaceId}/quotas`, { quotas });

beforeAll(async () => {
  const first = await startServer({ env: { OPERATORS: "ops@example.com" } });
  const env = { OPERATORS: "ops@example.com", ...realServers(first.dataDir) };
  servers = [first, await startServer({ dataDir: first.dataDir, env })];
  api = new Api(first.url);
  const { stdout } = await runCli(["users", "create", "ops@example.com"], { DATA_DIR: first.dataDir, ...env });
  const token = /#token=(wfl_[\w-]+)/.exec(stdout)?.[1] ?? "";
  await api.post("/v1/auth/password/reset", { token, password });
  const { body } = await api.post("/v1/auth/login", { email: "ops@example.com", password });
  operator = api.as(body.accessToken as string);
  const made = await api.post("/v1/auth/register", { email: "owner@example.com", password });
  owner = api.as(made.body.accessToken as string);
});
afterAll(async () => {
  await servers?.[1]?.stop();
  await removeServer(servers?.[0]);
});

it("starts no more runs over two processes than the daily quota allows, and notifies owners once", async () => {
  const place = await newPlace(PASSES, { executions_per_day: 20 });
  const answers = await Promise.all(Array.from({ length: 60 }, (_, n) => place.start(n)));
  const statuses = answers.map(({ status }) => status).sort();
  expect(statuses).toEqual([...Array<number>(20).fill(201), ...Array<number>(40).fill(429)]);
  expect((await owner.get(`${place.space}/executions?limit=200`)).body).toHaveLength(20);
  const refused = answers.find(({ status }) => status === 429)!;
  expectProblem(refused, 429, "quota_exceeded");
  const midnight = new Date();
  midnight.setUTCHours(24, 0, 0, 0);
  expect(refused.body.detail).toContain(midnight.toISOString());
  expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
  expect(await place.usage("executions_per_day")).toBe(20);
  await until(async () => (await place.told()).length === 2);
  expect(await place.told()).toEqual(["100 % of the quota for runs in a day", "80 % of the quota for runs in a day"]);
});

it("notifies owners when stored items reach most and all of their quota", async () => {
  const place = await newPlace(ASKS, { memories: 5, files: 2, file_bytes: 10, executions_at_once: 2 });
  const remember = (n: number) => owner.post(`${place.base}/memories`, { content: `Order ${n} is late` });
  for (let n = 0; n < 3; n++) expect((await remember(n)).status).toBe(201);
  expect(await place.told()).toEqual([]);
  expect((await remember(3)).status).toBe(201);
  await until(async () => (await place.told()).length === 1);
  expect((await remember(4)).status).toBe(201);
  expectProblem(await remember(5), 409, "limit_reached");
  expect((await upload(owner, place.workspaceId, "12345678")).status).toBe(201);
  for (let n = 0; n < 2; n++)
    expect((await owner.post(`${place.space}/executions`, { workflowId: place.workflowId })).status).toBe(201);
  await until(async () => (await place.told()).length === 4);
  expect(await place.told()).toEqual([
    "100 % of the quota for memories",
    "100 % of the quota for unfinished runs",
    "80 % of the quota for bytes of files and large outputs",
    "80 % of the quota for memories",
  ]);
});

it("applies a monthly quota over its days, and slows no other workspace", async () => {
  const full = await newPlace(PASSES, { executions_per_month: 3 });
  const other = await newPlace();
  const first = await Promise.all(Array.from({ length: 8 }, (_, n) => full.start(n)));
  expect(first.filter(({ status }) => status === 201)).toHaveLength(3);
  expect(await full.usage("executions_per_day")).toBe(3);
  const [refused, ...started] = await Promise.all([
    full.start(0),
    ...Array.from({ length: 10 }, (_, n) => other.start(n)),
  ]);
  expect(refused?.body.detail).toContain("in a month");
  expect(started.map(({ status }) => status)).toEqual(Array<number>(10).fill(201));
  await until(async () => (await other.usage("executions_per_day")) === 10);
  await until(async () => (await other.usage("steps_per_month")) === 10);
});

it("returns the run of a repeated start although the quota is used up, and counts it once", async () => {
  const place = await newPlace(PASSES, { executions_per_day: 2 });
  const run = await place.start(0, "key");
  expect((await place.start(1)).status).toBe(201);
  expect(await place.start(1, "key")).toMatchObject({ status: 201, body: { id: run.body.id as string } });
  expect((await place.start(0, "other-key")).status).toBe(429);
  await setQuotas(place.workspaceId, { executions_per_day: null });
  await until(async () => (await place.start(0, "other-key")).status === 201);
});

it("limits unfinished runs over both processes, and one that ends makes room", async () => {
  const place = await newPlace(ASKS, { executions_at_once: 4 });
  const start = (n: number) =>
    new Api(servers[n % 2]!.url)
      .as(owner.token ?? "")
      .post(`${place.space}/executions`, { workflowId: place.workflowId });
  const answers = await Promise.all(Array.from({ length: 12 }, (_, n) => start(n)));
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(4);
  expect(await place.usage("executions_at_once")).toBe(4);
  const [run] = answers.filter(({ status }) => status === 201);
  const path = `${place.space}/executions/${run!.body.id as string}`;
  await until(async () => (await owner.get(path)).body.status === "suspended");
  expect((await owner.patch(`${path}/approve`)).status).toBe(200);
  await until(async () => (await place.usage("executions_at_once")) === 3);
  await until(async () => (await start(1)).status === 201);
  expect((await start(0)).status).toBe(429);
});

it("limits members, validates quotas, and lets only operators change them", async () => {
  const place = await newPlace(PASSES, { members: 1 });
  const invite = await owner.post(`${place.base}/invites`, { email: "guest@example.com", role: "editor" });
  const made = await api.post("/v1/auth/register", { email: "guest@example.com", password });
  const guest = api.as(made.body.accessToken as string);
  const { token } = invite.body;
  expectProblem(await guest.post("/v1/invites/accept", { token }), 409, "limit_reached");
  expectProblem(await guest.get(`${place.base}/usage`), 404, "not_found");
  await setQuotas(place.workspaceId, { members: 2 });
  expect((await guest.post("/v1/invites/accept", { token })).status).toBe(200);
  expect((await guest.get(`${place.base}/usage`)).status).toBe(200);
  const path = `/v1/operator/workspaces/${place.workspaceId}/quotas`;
  expectProblem(await owner.patch(path, { quotas: { members: 100 } }), 403, "operator_only");
  for (const quotas of [
    { members: -1 },
    { members: 1.5 },
    { rooms: 1 },
    { executions_at_once: 1_001 },
    { members: "1" },
  ])
    expectProblem(await operator.patch(path, { quotas }), 400, "validation_failed");
  expect((await operator.get(path)).body).toMatchObject({ members: 2, executions_at_once: 999_999_999_999 });
  const env = { DATA_DIR: servers[0]!.dataDir, ...realServers(servers[0]!.dataDir) };
  const set = await runCli(["workspaces", "quotas", place.workspaceId, "--set", "members=none,files=5", "--json"], env);
  expect(set.json()).toMatchObject({ members: 10_000, files: 5 });
  const refused = async (quotas: string) =>
    (await runCli(["workspaces", "quotas", place.workspaceId, "--set", quotas], env)).stderr.split("\n");
  expect(await refused("rooms=1")).toEqual(["weft: --set is not valid", "  rooms: Unknown field", ""]);
  expect(await refused("executions_at_once=1001")).toContain("  Expected at most 1000 for executions_at_once");
});
