import { type Api, type Json, newWorkflow, newWorkspace } from "../support/api.ts";
import { definition, gives, node } from "../support/definition.ts";
import { ledgerCall, read, start } from "../support/executions.ts";
import { readLog, untilEnd } from "../support/follow.ts";
import { Ledger } from "../support/ledger.ts";
import type { Server } from "../support/server.ts";
import { sharedServer } from "../support/shared.ts";

let ledger: Ledger;
let server: Server;
let api: Api;
let space: string;
/** Paths that answer 500. */
const broken = new Set<string>();
beforeAll(async () => {
  ledger = await Ledger.open(({ path }) => (broken.has(path) ? { status: 500 } : undefined));
  server = await sharedServer();
  ({ api, space } = await newWorkspace(server.url));
});
beforeEach(() => broken.clear());
afterAll(async () => {
  await ledger.close();
});

const CHAIN = ["one > two", "two > three"];
const chain = () => ["one", "two", "three"].map(id => ledgerCall(ledger, id));

async function ended(workflowId: string, input: unknown = null) {
  const { path, id } = await start(api, space, workflowId, input);
  return { path, id, execution: await untilEnd(api, path) };
}

async function retried(path: string, body: object) {
  const { status, body: made } = await api.post(`${path}/retry`, body);
  if (status !== 201) throw new Error(`Retrying answered ${status}: ${JSON.stringify(made)}`);
  const again = `${space}/executions/${made.id}`;
  return { path: again, id: made.id as string, execution: await untilEnd(api, again) };
}

const performedIn = (executionId: string) =>
  ledger.calls.filter(({ key }) => key.startsWith(executionId)).map(({ path }) => path.slice(1));

test("runs again from a named step, also for completed runs, and keeps the earlier steps", async () => {
  const first = await ended(await newWorkflow(api, space, definition(chain(), ...CHAIN)));
  const again = await retried(first.path, { fromNode: "two" });
  expect(again.execution).toMatchObject({ status: "completed", attempt: 2, trigger: { type: "retry", id: first.id } });
  expect(performedIn(again.id)).toEqual(["two", "three"]);
  expect((await read(api, first.path)).status).toBe("completed");
});

test("runs again from the start", async () => {
  const first = await ended(await newWorkflow(api, space, definition(chain(), ...CHAIN)), { n: 1 });
  const again = await retried(first.path, { fromStart: true });
  expect(performedIn(again.id)).toEqual(["one", "two", "three"]);
  expect(again.execution.input).toEqual({ n: 1 });
});

test("uses the original or the newest version, and keeps the steps that are unchanged in it", async () => {
  broken.add("/three");
  const workflowId = await newWorkflow(api, space, definition(chain(), ...CHAIN));
  const first = await ended(workflowId);
  expect(first.execution.status).toBe("failed");
  broken.clear();
  const [one, , three] = chain();
  const other = ledgerCall(ledger, "other");
  const changed = definition([one as object, { ...other, id: "two" }, three as object], ...CHAIN);
  expect((await api.patch(`${space}/workflows/${workflowId}`, { definition: changed })).status).toBe(200);
  const same = await retried(first.path, {});
  expect(same.execution).toMatchObject({ status: "completed", workflowVersion: 1 });
  expect(performedIn(same.id)).toEqual(["three"]);
  const latest = await retried(first.path, { version: "latest" });
  expect(latest.execution).toMatchObject({ status: "completed", workflowVersion: 2 });
  expect(performedIn(latest.id)).toEqual(["other", "three"]);
});

test("keeps the finished items of a map, and the finished steps of the other items", async () => {
  const inMap = (made: object) => ({ ...made, parentId: "m" });
  const call = (id: string) =>
    inMap(node(id, "http", { method: "POST", url: `${ledger.url}/${id}-{{ item }}`, body: "{{ index }}" }));
  const what = definition(
    [node("m", "map", { items: ["a", "b", "c"], concurrency: 1 }), call("x"), call("y")],
    "x > y",
  );
  broken.add("/y-b");
  const first = await ended(await newWorkflow(api, space, what));
  expect(first.execution).toMatchObject({ status: "failed", error: { nodeId: "y" } });
  expect(performedIn(first.id)).toEqual(["x-a", "y-a", "x-b", "y-b"]);
  broken.clear();
  const again = await retried(first.path, {});
  expect(performedIn(again.id)).toEqual(["y-b", "x-c", "y-c"]);
  expect((again.execution.output as Json[]).map(({ status }) => status as number)).toEqual([200, 200, 200]);
  const log = await readLog(api, again.path);
  expect(log.map(({ seq }) => seq)).toEqual(log.map((_, i) => i + 1));
});

test.each([
  ["a completed run without saying from where", {}, 409, "execution_not_retryable"],
  ["from a step that is not there", { fromNode: "nowhere" }, 400, "validation_failed"],
  ["from a step inside of a map", { fromNode: "inside" }, 400, "validation_failed"],
  ["from a step and from the start", { fromNode: "m", fromStart: true }, 400, "validation_failed"],
  ["with a version of another kind", { version: 3 }, 400, "validation_failed"],
])("rejects %s", async (_what, body, status, code) => {
  const what = definition([node("m", "map", { items: [1] }), { ...gives("inside", 1), parentId: "m" }]);
  const first = await ended(await newWorkflow(api, space, what));
  expect(await api.post(`${first.path}/retry`, body)).toMatchObject({ status, body: { code } });
});

test("accepts another input from the start, which the input schema checks", async () => {
  const settings = { inputSchema: { type: "object", properties: { n: { type: "number" } }, required: ["n"] } };
  const what = { ...definition([gives("twice", "{{ input.n * 2 }}")]), settings };
  const first = await ended(await newWorkflow(api, space, what), { n: 1 });
  const again = await retried(first.path, { fromStart: true, input: { n: 21 } });
  expect(again.execution).toMatchObject({ input: { n: 21 }, output: 42, trigger: { type: "retry", id: first.id } });
  expect((await retried(first.path, { fromStart: true })).execution).toMatchObject({ input: { n: 1 }, output: 2 });
  for (const body of [
    { input: { n: 2 } },
    { fromNode: "twice", input: { n: 2 } },
    { fromStart: true, input: { n: "2" } },
  ]) {
    const { status, body: problem } = await api.post(`${first.path}/retry`, body);
    expect([status, problem.code, problem.errors[0].path]).toEqual([
      400,
      "validation_failed",
      expect.stringMatching(/^\/input/),
    ]);
  }
});

test("does not retry a run that has not ended", async () => {
  const workflowId = await newWorkflow(api, space, definition([node("d", "delay", { ms: 600_000 })]));
  const { path } = await start(api, space, workflowId);
  for (const body of [{}, { fromStart: true }, { fromNode: "d" }])
    expect((await api.post(`${path}/retry`, body)).status).toBe(409);
});

test("plans what a retry keeps, continues and runs, and changes nothing", async () => {
  broken.add("/three");
  const inside = node("inside", "transform", { value: "{{ item = 2 ? $error('no') : item }}" }, { parentId: "each" });
  const steps = [...chain(), node("each", "map", { items: [1, 2, 3] }), inside];
  const workflowId = await newWorkflow(api, space, definition(steps, ...CHAIN, "three > each"));
  const { path, execution } = await ended(workflowId);
  expect(execution.status).toBe("failed");
  const plan = async (query = "") => (await api.get(`${path}/retry-plan${query}`)).body;
  const version = 1;
  expect(await plan()).toEqual({ version, kept: ["one", "two"], continued: [], runs: ["three", "each"] });
  expect(await plan("?fromNode=two")).toMatchObject({ kept: ["one"], runs: ["two", "three", "each"] });
  const all = ["one", "two", "three", "each"];
  expect(await plan("?fromStart=true")).toEqual({ version, kept: [], continued: [], runs: all });
  for (const [query, field] of [
    ["?fromNode=bad", "/fromNode"],
    ["?fromNode=nothing", "/fromNode"],
    ["?fromNode=two&fromStart=true", "/fromNode"],
    ["?version=newest", "/version"],
  ]) {
    const refused = await api.get(`${path}/retry-plan${query}`);
    expect(refused).toMatchObject({ status: 400, body: { errors: [{ path: field }] } });
  }
  expect((await api.get(path)).body).not.toHaveProperty("retriedBy");
  broken.clear();
  const again = await retried(path, {});
  expect(performedIn(again.id)).toEqual(["three"]);
  // The map failed in one item.
  const next = (await api.get(`${again.path}/retry-plan`)).body;
  expect(next).toEqual({ version, kept: ["one", "two", "three"], continued: ["each"], runs: [] });
});

test("plans to run compensated steps again", async () => {
  broken.add("/three");
  const [one, two, three] = chain() as Json[];
  const steps = [{ ...one, policy: { compensate: "undo" } }, two!, three!, ledgerCall(ledger, "undo")];
  const { path } = await ended(await newWorkflow(api, space, definition(steps, ...CHAIN)));
  const { body } = await api.get(`${path}/retry-plan`);
  expect(body).toMatchObject({ kept: [], runs: ["one", "two", "three"] });
});
