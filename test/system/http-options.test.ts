import { type Api, type Json, newWorkflow, newWorkspace, runToEnd } from "../support/api.ts";
import { definition, node } from "../support/definition.ts";
import { type Endpoint, startEndpoint } from "../support/endpoint.ts";
import { sharedServer } from "../support/shared.ts";

let endpoint: Endpoint;
let api: Api;
let space: string;
beforeAll(async () => {
  const [server, started] = await Promise.all([sharedServer(), startEndpoint()]);
  endpoint = started;
  ({ api, space } = await newWorkspace(server.url));
});
afterAll(() => endpoint.close());

const call = (path: string, data: object = {}, policy: object = {}) =>
  node("call", "http", { url: path.startsWith("/") ? endpoint.url + path : path, ...data }, { policy });
const run = (step: object, input: unknown = null) => runToEnd(api, space, definition([step]), input);
const retry = { maxAttempts: 3, initialMs: 5, maxMs: 20 };

test.each([
  ["/status/409", undefined, 1],
  ["/status/409", [409], 3],
  ["/status/404", ["4xx"], 3],
  ["/status/503", undefined, 3],
  ["/status/503", [409, "network"], 1],
  ["/status/501", ["5xx"], 3],
])("requests %s with retryOn %j %d times", async (path, retryOn, times) => {
  const step = call(path, { query: { retryOn: JSON.stringify(retryOn) }, ...(retryOn && { retryOn }) }, { retry });
  expect((await run(step)).error.code).toBe("http_status");
  const query = JSON.stringify(retryOn) ?? "null";
  expect(endpoint.received(path).filter(got => (got.query.retryOn ?? "null") === query)).toHaveLength(times);
});

test("retries after a network fault unless retryOn leaves it out", async () => {
  const gone = await startEndpoint();
  await gone.close();
  const attempts = async (more: object) =>
    (await run(call(`${gone.url}/`, more, { retry }))).error.details.attempt as number;
  expect([await attempts({}), await attempts({ retryOn: [503] }), await attempts({ retryOn: ["network"] })]).toEqual([
    3, 1, 3,
  ]);
});

test("follows as many redirects as the step allows", async () => {
  const to = (path: string) => `/redirect/${encodeURIComponent(endpoint.url + path)}`;
  expect((await run(call(to("/echo/there")))).output).toMatchObject({ status: 200, body: { path: "/echo/there" } });
  const kept = await run(call(to("/echo/never"), { followRedirects: 0, failOnStatus: false }));
  expect(kept.output).toMatchObject({ status: 302, headers: { location: `${endpoint.url}/echo/never` } });
  expect(endpoint.received("/echo/never")).toEqual([]);
  const twice = to(to("/echo/twice"));
  expect((await run(call(twice, { followRedirects: 1 }))).error.code).toBe("outbound_failed");
  expect((await run(call(twice, { followRedirects: 2 }))).output.status).toBe(200);
});

test("reads an answer up to the size that the step allows", async () => {
  expect((await run(call("/large/2000", { maxResponseBytes: 1_000 }))).error.code).toBe("response_too_large");
  expect((await run(call("/large/1000", { maxResponseBytes: 1_000 }))).output.body).toHaveLength(1_000);
});

test.each([
  ["json", "text", '"text"', "application/json"],
  ["json", [1, "a"], '[1,"a"]', "application/json"],
  ["form", { a: "x y", b: [1, 2], c: null }, "a=x+y&b=1&b=2", "application/x-www-form-urlencoded"],
  ["text", "plain", "plain", "text/plain; charset=utf-8"],
])("sends a body as %s: %j", async (bodyType, body, sent, type) => {
  const { output } = await run(call("/echo", { method: "POST", bodyType, body }));
  expect(output.body).toMatchObject({ body: sent, headers: { "content-type": type } });
});

test("does not send binary data as text, and keeps a content type that the step sets", async () => {
  expect((await run(call("/echo/none", { method: "POST", bodyType: "text", body: { a: 1 } }))).error).toMatchObject({
    code: "invalid_data",
    message: "/data/body: expected text",
  });
  const own = { method: "POST", bodyType: "json", body: {}, headers: { "Content-Type": "application/vnd.a+json" } };
  expect((await run(call("/echo", own))).output.body.headers["content-type"]).toBe("application/vnd.a+json");
});

test("parses an answer as the step says", async () => {
  expect((await run(call("/echo/x", { response: "text" }))).output.body).toMatch(
    /^\{"method":"GET","path":"\/echo\/x"/,
  );
  expect((await run(call("/text", { response: "json" }))).error).toMatchObject({
    code: "not_json",
    details: { body: "plain text" },
  });
  expect((await run(call("/text", { response: "auto" }))).output.body).toBe("plain text");
});

test("shows the request in a test of the step as it was sent, without its secrets", async () => {
  const step = call("/echo/tested", {
    method: "POST",
    query: { page: 2, api_key: "secret-in-query" },
    headers: { Authorization: "Bearer secret-in-header", Accept: "application/json" },
    body: { text: "hello", copied: "secret-in-header" },
  });
  const workflowId = await newWorkflow(api, space, definition([step]));
  const { status, body } = await api.post(`${space}/workflows/${workflowId}/test`, { nodeId: "call" });
  expect({ status, outcome: body.outcome as string }).toEqual({ status: 200, outcome: "completed" });
  const [line] = body.log as Json[];
  expect(line.level).toBe("info");
  const [first, ...rest] = (line.message as string).split("\n");
  expect(first).toBe(`Sends POST ${endpoint.url}/echo/tested?page=2&api_key=•••`);
  expect(rest).toEqual(
    expect.arrayContaining(["authorization: •••", "accept: application/json", "content-type: application/json"]),
  );
  expect(rest.at(-1)).toBe('{"text":"hello","copied":"•••"}');
  expect(line.message).not.toContain("secret-in");
});
