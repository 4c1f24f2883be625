import { rm } from "node:fs/promises";
import { join } from "node:path";
import { type Api, newWorkflow, newWorkspace } from "../support/api.ts";
import { definition, node } from "../support/definition.ts";
import { type Endpoint, startEndpoint } from "../support/endpoint.ts";
import { FakeModels } from "../support/fake-models.ts";
import { upload } from "../support/files.ts";
import { untilEnd, untilEvent } from "../support/follow.ts";
import { freePort } from "../support/free-port.ts";
import { logged, removeServer, type Server, startServer } from "../support/server.ts";
import { until } from "../support/until.ts";
import { METRICS } from "../../telemetry/metrics.ts";

const SECRET = "hunter2hunter2";

let server: Server;
let models: FakeModels;
let endpoint: Endpoint;
let api: Api;
let space: string;
let page: () => Promise<string>;

/** Starts a run of these nodes, one after another. */
async function start(nodes: { id: string }[], input: unknown = null): Promise<string> {
  const edges = nodes.slice(1).map(({ id }, i) => ({ source: nodes[i]!.id, target: id }));
  const workflowId = await newWorkflow(api, space, { ...definition(nodes), edges });
  const { body } = await api.post(`${space}/executions`, { workflowId, input });
  return `${space}/executions/${body.id}`;
}

const valueOf = (text: string, series: string): number => {
  const line = text.split("\n").find(one => one.startsWith(`${series} `));
  return Number(line?.slice(series.length + 1) ?? NaN);
};

beforeAll(async () => {
  models = await FakeModels.open({ say: () => "Well." });
  endpoint = await startEndpoint();
  const port = await freePort();
  page = async () => (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  server = await startServer({
    env: {
      METRICS_PORT: String(port),
      LOG_LEVEL: "debug",
      LOG_REQUESTS: "true",
      LLM_BASE_URL: models.baseUrl,
      LLM_MODEL: "m",
      LLM_API_KEY: SECRET,
      // No server answers at this address.
      OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:1",
    },
  });
  ({ api, space } = await newWorkspace(server.url));
});
afterAll(async () => {
  await removeServer(server);
  await models?.close();
  await endpoint?.close();
});

test("exposes every metric of the table under load, and no label identifies a person", async () => {
  const call = node("call", "http", { url: `${server.url}/nowhere?${SECRET}`, failOnStatus: false });
  const chat = node("chat", "llm", { prompt: SECRET });
  const policy = { retry: { maxAttempts: 3, initialMs: 0 } };
  const twice = node(
    "twice",
    "http",
    { url: `${endpoint.url}/status/503` },
    { policy: { ...policy, onError: "continue" } },
  );
  const [done, failed, waiting] = await Promise.all([
    start([call, twice, chat], SECRET),
    start([node("no", "fail", { message: SECRET })]),
    start([node("ask", "human", { prompt: SECRET })]),
  ]);
  await Promise.all([untilEnd(api, done), untilEnd(api, failed), untilEvent(api, waiting, "execution.suspended")]);
  await api.post(`${space.replace(/\/spaces\/.*/, "")}/memories`, { content: "I live in Paris" });
  await api.delete(waiting);
  const [, , , workspaceId = ""] = space.split("/");
  const { body: file } = await upload(api, workspaceId, SECRET);
  await rm(join(server.dataDir, "files"), { recursive: true });
  expect((await api.get(`/v1/workspaces/${workspaceId}/files/${file.id as string}`)).status).toBe(503);
  await logged(server, "Traces do not reach the collector");
  // The worker's first look at the queue.
  await until(async () => (await page()).includes("weft_workers 1\n"));

  const text = await page();
  const shown = new Set([...text.matchAll(/^# TYPE (\w+) (\w+)$/gm)].map(([, name, type]) => `${name} ${type}`));
  const wanted = Object.entries(METRICS).map(([name, { type }]) => `${name} ${type}`);
  expect(wanted.filter(one => !shown.has(one))).toEqual([]);
  expect([...shown].filter(one => !wanted.includes(one))).toEqual([]);

  expect(valueOf(text, 'weft_executions_started_total{trigger="manual"}')).toBe(3);
  for (const status of ["completed", "failed", "cancelled"]) {
    expect(valueOf(text, `weft_executions_finished_total{status="${status}"}`)).toBe(1);
  }
  expect(valueOf(text, "weft_executions_suspended_total")).toBe(1);
  expect(valueOf(text, "weft_worker_held")).toBe(0);
  expect(valueOf(text, "weft_worker_capacity")).toBe(64);
  expect(valueOf(text, 'weft_step_duration_seconds_count{type="fail",outcome="failed"}')).toBe(1);
  expect(valueOf(text, 'weft_step_duration_seconds_count{type="http",outcome="failed"}')).toBe(3);
  expect(valueOf(text, 'weft_step_retries_total{type="http"}')).toBe(2);
  expect(valueOf(text, 'weft_step_duration_seconds_count{type="human",outcome="waiting"}')).toBe(1);
  expect(valueOf(text, 'weft_outbound_duration_seconds_count{kind="guarded",result="4xx"}')).toBe(1);
  expect(valueOf(text, 'weft_outbound_duration_seconds_count{kind="guarded",result="5xx"}')).toBe(3);
  expect(valueOf(text, 'weft_outbound_duration_seconds_count{kind="model",result="2xx"}')).toBeGreaterThan(0);
  expect(valueOf(text, 'weft_model_tokens_total{purpose="chat",direction="output"}')).toBeGreaterThan(0);
  expect(valueOf(text, 'weft_http_requests_total{method="GET",route="none",status="404"}')).toBe(1);
  expect(valueOf(text, "weft_event_streams_open")).toBe(0);

  expect(text).not.toMatch(/[0-9a-f]{8}-[0-9a-f]{4}-|https?:|127\.0\.0\.1/);
  expect(text).not.toContain(SECRET);
  expect(text.split("\n").length).toBeLessThan(3_000);
});

test("logs the request's identity across services, and no secret", async () => {
  const workspaceId = space.split("/")[3];
  const chat = node("chat", "llm", { prompt: SECRET });
  const workflowId = await newWorkflow(api, space, definition([chat]));
  const headers = { "x-request-id": "loom-7", prefer: "wait=20" };
  const { body } = await api.post(`${space}/executions`, { workflowId, input: SECRET }, headers);
  expect(body.status).toBe("completed");
  // What is logged behind that answer is there before another request is.
  await api.get("/health/live", { "x-request-id": "loom-8" });
  await logged(server, '"requestId":"loom-8"');

  const lines = server
    .log()
    .split("\n")
    .filter(line => line.startsWith("{") && line.endsWith("}"))
    .map(line => JSON.parse(line) as Record<string, unknown>);
  const mine = lines.filter(({ requestId }) => requestId === "loom-7");
  expect(mine).toContainEqual(
    expect.objectContaining({
      level: "info",
      message: "Request answered",
      service: "gateway",
      route: "/v1/workspaces/:wId/spaces/:sId/executions",
      status: 201,
      durationMs: expect.any(Number) as number,
      traceId: expect.stringMatching(/^[0-9a-f]{32}$/) as string,
    }),
  );
  // What the run asks of another service, which it does on behalf of both.
  expect(mine).toContainEqual(expect.objectContaining({ executionId: body.id as string, workspaceId }));
  for (const line of lines) {
    expect(line).toMatchObject({ time: expect.any(String), level: expect.any(String), node: expect.any(String) });
  }
  expect(server.log()).not.toContain(SECRET);
  expect(server.log()).not.toContain(api.token);
});
