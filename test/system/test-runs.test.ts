import { type Api, type Json, newWorkflow, newWorkspace, register } from "../support/api.ts";
import { definition, gives, node } from "../support/definition.ts";
import { type Endpoint, startEndpoint } from "../support/endpoint.ts";
import { addMembers } from "../support/members.ts";
import type { Server } from "../support/server.ts";
import { sharedServer } from "../support/shared.ts";

let server: Server;
let endpoint: Endpoint;
let api: Api;
let space: string;
let workspaceId: string;
beforeAll(async () => {
  [server, endpoint] = await Promise.all([sharedServer(), startEndpoint()]);
  ({ api, space, workspaceId } = await newWorkspace(server.url));
});
afterAll(() => endpoint.close());

const tried = async (body: object): Promise<Json> => {
  const answer = await api.post(`${space}/workflows/test-run`, body);
  expect(answer).toMatchObject({ status: 200 });
  return answer.body;
};

const stepsOf = ({ steps }: Json) =>
  Object.fromEntries(
    (steps as Json[]).map(step => [
      [step.nodeId, ...((step.path ?? []) as Json[]).map(({ index }) => index as number)].join(":"),
      step,
    ]),
  ) as Record<string, Json>;

/** Fetches an order, waits a day, asks, and tells. */
const order = () =>
  definition(
    [
      node("get", "http", {
        url: `${endpoint.url}/echo/{{ input.id }}`,
        headers: { authorization: "{{ secrets.shop.key }}" },
      }),
      node("later", "delay", { ms: 86_400_000 }),
      node("ask", "human", { prompt: "Ship {{ steps.get.body.item }}?", expiresInMs: 3_600_000 }),
      gives("ship", "{{ steps.get.body.item & ' to ' & steps.ask.data.to }}"),
      gives("drop", "dropped"),
      node("tell", "notify", { title: "Done", body: "{{ steps.ship }}", role: "viewer" }),
    ],
    "get > later",
    "later > ask",
    "ask > ship",
    "ask:rejected > drop",
    "ship > tell",
  );
const ITEM = { output: { status: 200, headers: {}, body: { item: "tea" } } };

describe("a test run", () => {
  it("runs a whole graph with mocks, and stores, calls and sends nothing", async () => {
    const mocks = { get: ITEM, ask: { output: { approved: true, data: { to: "Ada" } } }, tell: { output: null } };
    const done = await tried({ definition: order(), input: { id: 7 }, mocks });
    expect(done).toMatchObject({ status: "completed", error: null, truncated: false });
    expect(done.output).toBeNull();
    const { get, later, ask, ship, drop, tell } = stepsOf(done);
    // Of the call, what it would have sent; a secret is neither opened nor shown.
    expect(get).toMatchObject({ status: "completed", mocked: true, attempts: 1, output: ITEM.output });
    expect(get.input).toMatchObject({ url: `${endpoint.url}/echo/7`, headers: { authorization: "•••" } });
    expect(later).toMatchObject({ status: "completed", mocked: false });
    expect(ask).toMatchObject({ handle: "approved", mocked: true });
    expect(ship).toMatchObject({ output: "tea to Ada", mocked: false });
    expect(drop).toMatchObject({ status: "skipped" });
    expect(tell.input).toMatchObject({ title: "Done", body: "tea to Ada" });
    expect(endpoint.received("/echo/7")).toEqual([]);
    expect((await api.get("/v1/notifications")).body).toEqual([]);
    expect((await api.get(`${space}/executions`)).body).toEqual([]);
    expect((await api.get(`${space}/workflows`)).body).toEqual([]);
  });

  it("leaves a step by the handle that its mock implies or names", async () => {
    const mocks = { get: ITEM, ask: { output: { approved: false } } };
    expect(await tried({ definition: order(), mocks })).toMatchObject({ status: "completed", output: "dropped" });
    const named = { get: ITEM, ask: { output: { approved: false }, handle: "approved" }, tell: { output: 1 } };
    expect(stepsOf(await tried({ definition: order(), mocks: named })).ship).toMatchObject({ status: "completed" });
  });

  it("waits at a question without a mock", async () => {
    const waiting = await tried({ definition: order(), mocks: { get: ITEM } });
    expect(waiting).toMatchObject({ status: "suspended", output: null, suspension: { prompt: "Ship tea?" } });
    expect(stepsOf(waiting).ask).toMatchObject({ status: "waiting", mocked: false });
  });

  it("fails at a step that reaches outside without a mock, whatever its policy says", async () => {
    const calls = node("get", "http", { url: `${endpoint.url}/echo/un` }, { policy: { onError: "continue" } });
    const what = definition([calls, gives("end", 1)], "get > end");
    const failed = await tried({ definition: what });
    expect(failed).toMatchObject({ status: "failed", error: { code: "not_mocked", nodeId: "get" } });
    const none = await tried({ definition: what, calls: "none" });
    expect(none).toMatchObject({ status: "completed", output: 1 });
    expect(stepsOf(none).get).toMatchObject({ output: null, mocked: true });
    expect(endpoint.received("/echo/un")).toEqual([]);
  });

  it("makes calls and sends notifications only on request, and stores no run then either", async () => {
    const inner = definition([gives("twice", "{{ input * 2 }}")]);
    const workflowId = await newWorkflow(api, space, inner);
    const what = definition(
      [
        node("get", "http", { url: `${endpoint.url}/echo/real` }),
        node("sub", "subworkflow", { workflowId, input: 21 }),
        node("tell", "notify", { title: "A trial", body: "It is {{ steps.sub }}", role: "viewer" }),
      ],
      "get > sub",
      "sub > tell",
    );
    const done = await tried({ definition: what, calls: "real" });
    expect(done).toMatchObject({ status: "completed", output: { notified: 1 } });
    expect(stepsOf(done).sub).toMatchObject({ output: 42 });
    expect(endpoint.received("/echo/real")).toHaveLength(1);
    expect((await api.get("/v1/notifications")).body).toMatchObject([{ title: "A trial", body: "It is 42" }]);
    expect((await api.get(`${space}/executions`)).body).toEqual([]);
  });

  it("retries a step as its policy says, with a mock for each attempt, without waiting", async () => {
    const policy = { retry: { maxAttempts: 3, initialMs: 3_600_000 } };
    const what = definition([node("get", "http", { url: "https://a.example" }, { policy })]);
    const error = { error: { code: "http_status", message: "Busy" } };
    const done = await tried({ definition: what, mocks: { get: [error, error, { output: "third" }] } });
    expect(done).toMatchObject({ status: "completed", output: "third" });
    expect(stepsOf(done).get).toMatchObject({ attempts: 3, log: [{ level: "warn" }, { level: "warn" }] });
    const failed = await tried({ definition: what, mocks: { get: error } });
    expect(failed).toMatchObject({ status: "failed", error: { code: "http_status", message: "Busy" } });
  });

  it("runs the steps of a map for each item, and code", async () => {
    const inside = (made: object) => ({ ...made, parentId: "each" });
    const what = definition([
      node("each", "map", { items: "{{ input }}", concurrency: 2 }),
      inside(node("js", "code", { code: "console.log(index); return item * 2" })),
    ]);
    const done = await tried({ definition: what, input: [1, 2, 3] });
    expect(done).toMatchObject({ status: "completed", output: [2, 4, 6] });
    expect(stepsOf(done)["js:2"]).toMatchObject({ output: 6, log: [{ message: "2" }] });
  });

  it("starts and ends at the named steps", async () => {
    const mocks = { get: ITEM, ask: { output: { approved: true, data: { to: "Bo" } } } };
    const part = await tried({ definition: order(), mocks, from: "ship", until: "ship" });
    expect(part).toMatchObject({ status: "completed", output: "tea to Bo" });
    expect(stepsOf(part)).toMatchObject({ later: { attempts: 0, output: null }, ship: { attempts: 1 } });
    expect(stepsOf(part).tell).toBeUndefined();
    const start = await tried({ definition: order(), mocks, until: "later" });
    expect((start.steps as Json[]).map(({ nodeId }) => nodeId as string)).toEqual(["get", "later"]);
    for (const field of ["from", "until"])
      expect(await api.post(`${space}/workflows/test-run`, { definition: order(), [field]: "no" })).toMatchObject({
        status: 400,
        body: { errors: [{ path: `/${field}` }] },
      });
  });

  it("runs a stored workflow with its samples", async () => {
    const workflowId = await newWorkflow(api, space, order());
    const samples = `${space}/workflows/${workflowId}/samples`;
    await api.patch(samples, { nodeId: "get", value: { ...ITEM.output, body: { item: "sampled" } } });
    await api.patch(samples, { nodeId: "ship", value: "never used: the step calls nothing" });
    const mocks = { ask: { output: { approved: true, data: { to: "Cy" } } }, tell: { output: null } };
    const done = await tried({ workflowId, samples: true, mocks });
    expect(stepsOf(done)).toMatchObject({ get: { mocked: true }, ship: { output: "sampled to Cy" } });
    expect(await api.post(`${space}/workflows/test-run`, { definition: null, samples: true })).toMatchObject({
      status: 400,
      body: { errors: [{ path: "/samples" }] },
    });
  });
});

describe("a test run with compensations", () => {
  const paid = (id: string) => [
    { ...gives(id, `${id} done`), policy: { compensate: `undo-${id}` } },
    gives(`undo-${id}`, `${id} undone`),
  ];
  const what = definition(
    [...paid("pay"), ...paid("pack"), node("stop", "fail", { code: "sold_out", message: "Sold out." })],
    "pay > pack",
    "pack > stop",
  );
  const undone = (run: Json) =>
    Object.keys(stepsOf(run)).filter(id => id.startsWith("undo-") && stepsOf(run)[id]?.attempts);

  it("compensates performed steps when a later step fails, also in a part of the graph", async () => {
    for (const part of [{}, { until: "stop" }]) {
      const run = await tried({ definition: what, ...part });
      expect(run).toMatchObject({ status: "failed", error: { code: "sold_out" } });
      expect(undone(run).sort()).toEqual(["undo-pack", "undo-pay"]);
    }
    expect(await tried({ definition: what, until: "pack" })).toMatchObject({ status: "completed" });
  });

  it("does not compensate steps that it did not perform", async () => {
    for (const part of [{ from: "pack" }, { from: "pack", until: "stop" }])
      expect(undone(await tried({ definition: what, ...part }))).toEqual(["undo-pack"]);
    const run = await tried({ definition: what, from: "stop" });
    expect(run).toMatchObject({ status: "failed", error: { code: "sold_out" } });
    expect(undone(run)).toEqual([]);
  });

  it("stops at its limit without compensations", async () => {
    const big = (n: number) => [
      { ...gives(`big${n}`, "{{ $pad('', 200000, 'x') }}"), policy: { compensate: `undo-big${n}` } },
      gives(`undo-big${n}`, "undone"),
    ];
    const large = definition(Array.from({ length: 45 }, (_, n) => big(n)).flat());
    const run = await tried({ definition: large });
    expect(run.error).toMatchObject({ code: "test_run_limit" });
    expect(undone(run)).toEqual([]);
  });
});

test("keeps the tests of a definition in versions and exports, and ignores them in runs", async () => {
  const tests = [{ name: "gives one", expect: { output: 1 } }];
  const what = { ...definition([gives("a", 1)]), tests };
  const workflowId = await newWorkflow(api, space, what);
  const path = `${space}/workflows/${workflowId}`;
  expect((await api.get(`${path}/export`)).body.definition.tests).toEqual(tests);
  expect((await api.get(`${path}/versions/1`)).body.definition.tests).toEqual(tests);
  expect((await api.post(`${path}/validate`)).body).toEqual({ valid: true, faults: [] });
  expect(await tried({ workflowId })).toMatchObject({ status: "completed", output: 1 });
});

describe("a test run keeps its limits", () => {
  it("on steps and outputs", async () => {
    const many = definition([
      node("each", "map", { items: "{{ [1..3000] }}" }),
      { ...gives("one", "{{ item }}"), parentId: "each" },
    ]);
    expect(await tried({ definition: many })).toMatchObject({
      status: "failed",
      error: { code: "test_run_limit" },
      truncated: true,
    });
    const large = definition(Array.from({ length: 45 }, (_, n) => gives(`big${n}`, "{{ $pad('', 200000, 'x') }}")));
    const { status, error } = await tried({ definition: large });
    expect({ status, error }).toMatchObject({ status: "failed", error: { code: "test_run_limit" } });
  });

  it("on the answer, which shows the beginning of large outputs", async () => {
    const what = definition([gives("big", "{{ $pad('', 200000, 'x') }}")]);
    const done = await tried({ definition: what });
    expect(done).toMatchObject({ status: "completed", truncated: true, steps: [{ truncated: true }] });
    expect((done.output as string).length).toBeLessThan(70_000);
  });

  it("on invalid input, and reports faults of a definition, a mock or an input", async () => {
    const path = `${space}/workflows/test-run`;
    const broken = await tried({ definition: { nodes: [{ id: "a", type: "what" }] } });
    expect(broken).toMatchObject({
      status: "failed",
      error: { code: "invalid_definition", faults: [{ nodeId: "a" }] },
    });
    expect(await api.post(path, {})).toMatchObject({ status: 400, body: { errors: [{ path: "/definition" }] } });
    const faults = async (mocks: object) =>
      (await api.post(path, { definition: order(), mocks })).body.errors as Json[];
    expect(await faults({ gte: { output: 1 } })).toMatchObject([
      { path: "/mocks/gte", message: expect.stringContaining('"get"') },
    ]);
    expect(await faults({ ask: { output: 1, handle: "maybe" } })).toMatchObject([
      { path: "/mocks/ask", nodeId: "ask" },
    ]);
    expect(await faults({ ask: { output: 1, error: { code: "e" } } })).not.toEqual([]);
    expect(await faults({ ask: {} })).not.toEqual([]);
    const settings = { inputSchema: { type: "object", required: ["id"] } };
    expect(await api.post(path, { definition: { ...order(), settings }, input: {} })).toMatchObject({
      status: 400,
      body: { errors: [{ path: "/input" }] },
    });
  });

  it("on roles and tenants", async () => {
    const workflowId = await newWorkflow(api, space, order());
    const viewer = await register(server.url);
    expect(await viewer.post(`${space}/workflows/test-run`, { workflowId })).toMatchObject({ status: 404 });
    await addMembers(server.dataDir, [{ workspaceId, userId: viewer.userId, role: "viewer" }]);
    expect(await viewer.post(`${space}/workflows/test-run`, { workflowId })).toMatchObject({ status: 403 });
    const other = await newWorkspace(server.url);
    const stolen = await other.api.post(`${other.space}/workflows/test-run`, { workflowId });
    expect(stolen).toMatchObject({ status: 404 });
    const calls = definition([node("sub", "subworkflow", { workflowId })]);
    const called = await other.api.post(`${other.space}/workflows/test-run`, { definition: calls, calls: "real" });
    expect(called.body).toMatchObject({ status: "failed", error: { code: "workflow_not_found" } });
  });
});
