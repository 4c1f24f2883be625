import { type Api, newWorkspace, runToEnd } from "../support/api.ts";
import { definition, gives, node } from "../support/definition.ts";
import { type Endpoint, startEndpoint } from "../support/endpoint.ts";
import { readLog, untilEnd, untilEvent } from "../support/follow.ts";
import { removeServer, startServer, type Server } from "../support/server.ts";
import { sharedServer } from "../support/shared.ts";

let server: Server;
let endpoint: Endpoint;
let api: Api;
let space: string;
beforeAll(async () => {
  [server, endpoint] = await Promise.all([sharedServer(), startEndpoint()]);
  ({ api, space } = await newWorkspace(server.url));
});
afterAll(() => endpoint.close());

const call = (path: string, data: object = {}, policy: object = {}) =>
  node("call", "http", { url: path.startsWith("/") ? endpoint.url + path : path, ...data }, { policy });
const run = (step: object, input: unknown = null) => runToEnd(api, space, definition([step]), input);
const retries = (maxAttempts: number) => ({ maxAttempts, initialMs: 5, maxMs: 20 });

test("sends method, query, headers and a JSON body from templates, and parses the JSON answer", async () => {
  const step = call("/echo/{{ input.id }}?fixed=1", {
    method: "POST",
    query: { n: "{{ input.n }}", flag: true, none: null, ä: "a b&c" },
    headers: { "X-Who": "{{ input.who }}", "X-Number": 5 },
    body: { list: "{{ input.list }}", text: "n is {{ input.n }}" },
  });
  const { id, status, output } = await run(step, { id: 7, n: 2.5, who: "Ada", list: [1, { a: null }] });
  expect(status).toBe("completed");
  expect(output).toMatchObject({ status: 200, headers: { "x-endpoint": "here", "content-type": "application/json" } });
  expect(output.body).toMatchObject({
    method: "POST",
    path: "/echo/7",
    query: { fixed: "1", n: "2.5", flag: "true", ä: "a b&c" },
    headers: {
      "x-who": "Ada",
      "x-number": "5",
      "content-type": "application/json",
      "idempotency-key": `${id}:call`,
    },
  });
  expect(output.body.query).not.toHaveProperty("none");
  expect(JSON.parse(output.body.body as string)).toEqual({ list: [1, { a: null }], text: "n is 2.5" });
});

test("sends text unchanged, and returns an answer that is not JSON as text", async () => {
  const [sent, got] = await Promise.all([
    run(call("/echo", { method: "PUT", body: "a,b", headers: { "content-type": "text/csv" } })),
    run(call("/text")),
  ]);
  expect(sent.output.body).toMatchObject({ method: "PUT", body: "a,b", headers: { "content-type": "text/csv" } });
  expect(got.output).toMatchObject({ status: 200, body: "plain text" });
});

test("fails with http_status for a status outside of 2xx, unless the step accepts it", async () => {
  const [failed, taken] = await Promise.all([
    run(call("/status/404")),
    run(call("/status/404", { failOnStatus: false })),
  ]);
  expect(failed).toMatchObject({ status: "failed", error: { code: "http_status", nodeId: "call" } });
  expect(failed.error.message).toContain("404");
  expect(taken).toMatchObject({ status: "completed", output: { status: 404, body: { status: 404 } } });
});

test("does not retry a status that cannot change, and keeps the answer in the error", async () => {
  const step = call(
    "/status/422?token=hidden-1234",
    { headers: { authorization: "Bearer hidden-5678" } },
    { retry: retries(3) },
  );
  const failed = await run(step);
  const details = { method: "GET", url: `${endpoint.url}/status/422`, status: 422, body: '{"status":422}', attempt: 1 };
  expect(failed.error).toMatchObject({ code: "http_status", details });
  expect(failed.error.message).toBe(`GET ${endpoint.url}/status/422 answered 422.`);
  const lines = await readLog(api, `${space}/executions/${failed.id}`);
  expect(lines.find(({ event }) => event === "step.failed")?.error).toMatchObject({ details });
  expect(lines.filter(({ event }) => event === "step.started")).toHaveLength(1);
  const on = await run(call("/status/422", {}, { onError: "continue" }));
  expect(on).toMatchObject({
    status: "completed",
    output: { error: { code: "http_status", details: { status: 422 } } },
  });
  expect(JSON.stringify(failed)).not.toContain("hidden-");
});

test("retries as often as the policy says, with one idempotency key and a rising attempt number", async () => {
  const [saved, spent] = await Promise.all([
    run(call("/flaky/2/saved", {}, { retry: retries(5) })),
    run(call("/flaky/9/spent", {}, { retry: retries(3) })),
  ]);
  expect(saved).toMatchObject({ status: "completed", output: { status: 200, body: { before: 3 } } });
  const keys = endpoint.received("/flaky/2/saved").map(({ headers }) => headers["idempotency-key"]);
  expect(keys).toEqual(Array(3).fill(`${saved.id}:call`));
  const log = await readLog(api, `${space}/executions/${saved.id}`);
  expect(log.map(({ event, attempt }) => [event, attempt]).slice(1, -1)).toEqual([
    ["step.started", 1],
    ["step.retrying", 1],
    ["step.started", 2],
    ["step.retrying", 2],
    ["step.started", 3],
    ["step.completed", 3],
  ]);

  expect(spent).toMatchObject({ status: "failed", error: { code: "http_status" } });
  expect(endpoint.received("/flaky/9/spent")).toHaveLength(3);
});

test("continues from the failed step when the execution is retried, and keeps finished steps", async () => {
  const what = definition(
    [call("/echo/once"), node("flaky", "http", { url: `${endpoint.url}/flaky/1/again` }), gives("end", "done")],
    "call > flaky",
    "flaky > end",
  );
  const failed = await runToEnd(api, space, what, { n: 1 });
  expect(failed).toMatchObject({ status: "failed", error: { nodeId: "flaky" }, attempt: 1 });
  const { status, body } = await api.post(`${space}/executions/${failed.id}/retry`);
  expect(status).toBe(201);
  expect(body).toMatchObject({ attempt: 2, trigger: { type: "retry", id: failed.id }, input: { n: 1 } });
  expect(await untilEnd(api, `${space}/executions/${body.id}`)).toMatchObject({ status: "completed", output: "done" });
  expect(endpoint.received("/echo/once")).toHaveLength(1);
  expect(endpoint.received("/flaky/1/again")).toHaveLength(2);
  expect((await api.get(`${space}/executions/${failed.id}`)).body).toEqual({ ...failed, retriedBy: body.id });
  expect(await api.post(`${space}/executions/${body.id}/retry`)).toMatchObject({
    status: 409,
    body: { code: "execution_not_retryable" },
  });
});

test("fails with step_timeout if a call takes too long, and retries if the policy says so", async () => {
  const [once, twice, routed] = await Promise.all([
    run(call("/silent/once", {}, { timeoutMs: 60 })),
    run(call("/silent/twice", {}, { timeoutMs: 60, retry: retries(2) })),
    runToEnd(
      api,
      space,
      definition(
        [call("/silent", {}, { timeoutMs: 60, onError: "route" }), gives("late", "{{ steps.call.error.code }}")],
        "call:error > late",
      ),
    ),
  ]);
  expect(once).toMatchObject({ status: "failed", error: { code: "step_timeout", nodeId: "call" } });
  expect(twice).toMatchObject({ status: "failed", error: { code: "step_timeout", nodeId: "call" } });
  expect(endpoint.received("/silent/twice")).toHaveLength(2);
  expect(routed).toMatchObject({ status: "completed", output: "step_timeout" });
});

test("aborts its call when the run is cancelled", async () => {
  const { body } = await api.post(`${space}/workflows`, { name: "w", definition: definition([call("/silent/cut")]) });
  const started = await api.post(`${space}/executions`, { workflowId: body.id });
  const path = `${space}/executions/${started.body.id}`;
  await untilEvent(api, path, "step.started");
  expect((await api.delete(path)).status).toBe(204);
  expect(await untilEnd(api, path)).toMatchObject({ status: "cancelled", output: null });
});

test("continues with the error as output if the policy says continue", async () => {
  const what = definition(
    [call("/status/500", {}, { onError: "continue" }), gives("after", "{{ steps.call.error.code }}")],
    "call > after",
  );
  expect(await runToEnd(api, space, what)).toMatchObject({ status: "completed", output: "http_status" });
});

test("fails if the answer is too large", async () => {
  const limit = { maxResponseBytes: 250_000 };
  const [large, fits] = await Promise.all([run(call("/large/300000", limit)), run(call("/large/200000", limit))]);
  expect(large).toMatchObject({ status: "failed", error: { code: "response_too_large" } });
  expect(fits.output.body).toHaveLength(200_000);
});

test.each([
  "http://169.254.169.254/latest/meta-data/",
  "http://10.0.0.1/",
  "http://192.168.1.1/",
  "http://[::1]/",
  "http://[::ffff:169.254.169.254]/",
  "http://127.1.2.3/",
  "http://2852039166/",
  "http://localhost/",
  "http://0.0.0.0/",
  "file:///etc/passwd",
  "http://user:password@example.com/",
  "not a url",
])("rejects an address that is not allowed, without retries: %s", async url => {
  const { id, status, error } = await run(call(url, {}, { retry: retries(3) }));
  expect({ status, code: error.code }).toEqual({ status: "failed", code: "outbound_refused" });
  const log = await readLog(api, `${space}/executions/${id}`);
  expect(log.filter(({ event }) => event === "step.started")).toHaveLength(1);
});

test("rejects a redirect to an address that is not allowed", async () => {
  const away = encodeURIComponent("http://169.254.169.254/latest");
  const { error } = await run(call(`/redirect/${away}`));
  expect(error).toMatchObject({ code: "outbound_refused", nodeId: "call" });
  const home = encodeURIComponent(`${endpoint.url}/echo/home`);
  expect((await run(call(`/redirect/${home}`))).output.body).toMatchObject({ path: "/echo/home" });
});

test("fails with outbound_failed if the connection is refused", async () => {
  const { error } = await run(call("http://127.0.0.1:9/"));
  expect(error).toMatchObject({ code: "outbound_failed" });
});

test.each([
  ["a header that would smuggle another", { headers: { "X-A": "b\r\nX-Evil: 1" } }],
  ["a header that steers the connection", { headers: { Host: "example.com", "Transfer-Encoding": "chunked" } }],
])("rejects %s", async (_, data) => {
  expect(await run(call("/echo/smuggled", data))).toMatchObject({
    status: "failed",
    error: { code: "outbound_refused" },
  });
  expect(endpoint.received("/echo/smuggled")).toHaveLength(0);
});

describe("without an exception for this machine", () => {
  let guarded: Server;
  afterAll(() => removeServer(guarded));

  test("rejects addresses of this machine", async () => {
    guarded = await startServer({ env: { OUTBOUND_ALLOW: "" } });
    const other = await newWorkspace(guarded.url);
    const { error } = await runToEnd(other.api, other.space, definition([call("/echo/own")]));
    expect(error).toMatchObject({ code: "outbound_refused", nodeId: "call" });
    expect(error.message).toContain("OUTBOUND_ALLOW");
    expect(endpoint.received("/echo/own")).toHaveLength(0);
  });
});
