import { type Api, type Json, newWorkflow, newWorkspace, runToEnd } from "../support/api.ts";
import { definition, gives, node } from "../support/definition.ts";
import { type Endpoint, startEndpoint } from "../support/endpoint.ts";
import { readLog } from "../support/follow.ts";
import { sharedServer } from "../support/shared.ts";

let endpoint: Endpoint;
let api: Api;
let space: string;
let base: string;
const PIN = "p1n+/& 98765";

beforeAll(async () => {
  const [server, opened] = await Promise.all([sharedServer(), startEndpoint()]);
  endpoint = opened;
  const made = await newWorkspace(server.url);
  ({ api, space } = made);
  base = `/v1/workspaces/${made.workspaceId}`;
  const hosts = [new URL(endpoint.url).host];
  await api.post(`${base}/credentials`, { name: "Shop", type: "fields", hosts, data: { pin: PIN, user: "ada-1815" } });
  await api.post(`${base}/credentials`, { name: "Two words", type: "fields", hosts, data: { pin: PIN } });
  await api.post(`${base}/credentials`, { name: "Token", type: "bearer", hosts, data: { token: "t0ken-1234" } });
});
afterAll(() => endpoint.close());

const http = (data: object) => node("call", "http", { method: "POST", url: `${endpoint.url}/echo`, ...data });
const run = (step: object) => runToEnd(api, space, definition([step]));

test("sends a secret in the URL, the query, the headers and the body, and masks it in every output", async () => {
  const { id, status, output } = await run(
    http({
      url: `${endpoint.url}/echo/{{ secrets.Shop.user }}`,
      query: { pin: "{{ secrets.Shop.pin }}" },
      headers: { "x-pin": "Pin {{ secrets.`Two words`.pin }}" },
      body: { a: ["{{ secrets.Shop.pin }}", "{{ secrets.Shop.user }} is {{ input }}"] },
    }),
  );
  expect(status).toBe("completed");
  const [sent] = endpoint.received("/echo/ada-1815");
  expect(sent).toMatchObject({ query: { pin: PIN }, headers: { "x-pin": `Pin ${PIN}` } });
  expect(JSON.parse(sent!.body)).toEqual({ a: [PIN, "ada-1815 is null"] });
  const told = JSON.stringify([output, await readLog(api, `${space}/executions/${id}`)]);
  for (const secret of [PIN, "ada-1815", encodeURIComponent(PIN), "98765"]) expect(told).not.toContain(secret);
  expect(output.body).toMatchObject({ path: "/echo/•••", query: { pin: "•••" }, headers: { "x-pin": "Pin •••" } });
});

test.each<[string, () => object, string]>([
  ["another step", () => gives("a", "{{ secrets.Shop.pin }}"), "/nodes/0/data/value"],
  ["another field", () => http({ method: "{{ secrets.Shop.pin }}" }), "/nodes/0/data/method"],
  ["a function", () => http({ body: { a: "{{ $base64encode(secrets.Shop.pin) }}" } }), "/nodes/0/data/body/a"],
  ["an operator", () => http({ body: "{{ secrets.Shop.pin & 'x' }}" }), "/nodes/0/data/body"],
  ["a part of the path", () => http({ body: "{{ secrets.Shop }}" }), "/nodes/0/data/body"],
  ["the whole scope", () => http({ body: "{{ $$.secrets.Shop.pin }}" }), "/nodes/0/data/body"],
])("reports a secret in %s as a fault of the definition", async (_, stepOf, path) => {
  const step = stepOf();
  const workflowId = await newWorkflow(api, space, definition([step]));
  const { body } = await api.post(`${space}/workflows/${workflowId}/validate`);
  expect(body.faults).toContainEqual(expect.objectContaining({ path, code: "secret_not_allowed_here" }));
  const { error } = await run(step);
  expect(error).toMatchObject({ code: "invalid_definition" });
  expect(error.faults).toContainEqual(expect.objectContaining({ path, code: "secret_not_allowed_here" }));
});

test("reports a secret in the key of a concurrency limit as a fault", async () => {
  const settings = { concurrency: { limit: 1, key: "{{ secrets.Shop.pin }}" } };
  const { error } = await runToEnd(api, space, { ...definition([gives("a", 1)]), settings });
  expect(error.faults).toMatchObject([{ path: "/settings/concurrency/key", code: "secret_not_allowed_here" }]);
});

test("does not let any other expression read a secret", async () => {
  const bodies = [
    "{{ $$ }}",
    "{{ $lookup($$, 'secrets') }}",
    "{{ *.pin }}",
    "{{ **.pin }}",
    "{{ $eval('secrets.Shop.pin') }}",
  ];
  const url = `${endpoint.url}/echo/reach`;
  for (const probe of bodies) await run(http({ url, headers: { a: "{{ secrets.Shop.user }}" }, body: { probe } }));
  const sent = endpoint.received("/echo/reach");
  expect(sent).toHaveLength(bodies.length);
  for (const { body } of sent) for (const word of [PIN, "98765", "ada-1815"]) expect(body).not.toContain(word);
});

test.each<[string, () => object, string]>([
  [
    "to another host",
    () => http({ url: "http://127.0.0.1:9/", body: "{{ secrets.Shop.pin }}" }),
    "credential_host_not_allowed",
  ],
  ["as a host name", () => http({ url: "http://{{ secrets.Shop.user }}.example.com/" }), "credential_host_not_allowed"],
  [
    "by a redirect that repeats the body",
    () =>
      http({
        url: `${endpoint.url}/redirect307/${encodeURIComponent("http://127.0.0.1:9/x")}`,
        body: "{{ secrets.Shop.pin }}",
      }),
    "credential_host_not_allowed",
  ],
  ["of a credential that is not there", () => http({ body: "{{ secrets.Nothing.pin }}" }), "credential_not_found"],
  ["of a field that is not there", () => http({ body: "{{ secrets.Shop.nothing }}" }), "expression_error"],
  ["of another type", () => http({ body: "{{ secrets.Token.token }}" }), "credential_not_usable"],
])("fails the step for a secret %s", async (_, step, code) => {
  const { status, error } = await run(step());
  expect({ status, code: error.code }).toEqual({ status: "failed", code });
  expect(JSON.stringify(error)).not.toContain("98765");
  expect(JSON.stringify(error)).not.toContain("ada-1815");
});

describe("variables", () => {
  const variables = () => `${base}/variables`;

  test("are set and removed, and those of a space override the workspace's", async () => {
    expect((await api.get(variables())).body).toEqual({ values: {}, inherited: {}, updatedAt: null, revision: 0 });
    const set = await api.patch(variables(), { set: { HOST: endpoint.url, LIMIT: 3, OLD: null } });
    expect(set).toMatchObject({ status: 200, body: { values: { HOST: endpoint.url, LIMIT: 3, OLD: null } } });
    await api.patch(variables(), { remove: ["OLD"] });
    const own = await api.patch(`${space}/variables`, { set: { LIMIT: { most: 5 } } });
    expect(own.body).toMatchObject({
      values: { LIMIT: { most: 5 } },
      inherited: { HOST: endpoint.url, LIMIT: 3 },
    });
    const what = definition([gives("a", { host: "{{ vars.HOST }}", most: "{{ vars.LIMIT.most }}" })]);
    expect((await runToEnd(api, space, what)).output).toEqual({ host: endpoint.url, most: 5 });
    const { body: second } = await api.post(`${base}/spaces`, { name: "Second" });
    const there = `${base}/spaces/${second.id}`;
    expect((await runToEnd(api, there, definition([gives("a", "{{ vars.LIMIT }}")]))).output).toBe(3);
    const keyed = { ...definition([gives("a", 1)]), settings: { concurrency: { limit: 1, key: "{{ vars.HOST }}" } } };
    expect((await runToEnd(api, there, keyed)).status).toBe("completed");
  });

  test("that do not exist are a fault of the definition, and of a run", async () => {
    const what = definition([gives("a", "Hello {{ vars.NOTHING }}")]);
    const workflowId = await newWorkflow(api, space, what);
    const { body } = await api.post(`${space}/workflows/${workflowId}/validate`);
    expect(body.faults).toMatchObject([{ path: "/nodes/0/data/value", code: "unknown_variable", nodeId: "a" }]);
    expect((await api.post(`${space}/workflows/${workflowId}/deploy`)).status).toBe(422);
    const { status, error } = await runToEnd(api, space, what);
    expect({ status, code: error.code }).toEqual({ status: "failed", code: "unknown_variable" });
  });

  test.each<[string, Json, number]>([
    ["a name that is not a word", { set: { "a-b": 1 } }, 400],
    ["too much", { set: { BIG: "x".repeat(65_536) } }, 413],
    ["a name to remove that is not a word", { remove: ["a b"] }, 400],
  ])("are rejected: %s", async (_, body, status) => {
    expect((await api.patch(variables(), body)).status).toBe(status);
  });
});
