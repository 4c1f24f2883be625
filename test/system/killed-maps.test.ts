import { type Api, type Json, newWorkflow, newWorkspace } from "../support/api.ts";
import { definition, gives, node } from "../support/definition.ts";
import { eventually, ledgerCall, read, start } from "../support/executions.ts";
import { readLog, untilEnd, untilEvent } from "../support/follow.ts";
import { Ledger } from "../support/ledger.ts";
import { ANY_FAILURE, callsOf, newSaga, sagaFaults } from "../support/sagas.ts";
import { removeServer, restarted, type Server, startServer } from "../support/server.ts";

const env = { WORKER_LEASE_MS: "500", OUTBOUND_ALLOW: "127.0.0.1" };
const KILLS = Number(process.env.KILLS ?? 2);
const ITEMS = 60;

let ledger: Ledger;
let server: Server;
let api: Api;
let space: string;
beforeAll(async () => {
  ledger = await Ledger.open();
  server = await startServer({ env });
  const made = await newWorkspace(server.url);
  space = made.space;
  // Many kills take longer than a session of a person.
  const key = await made.api.post(`/v1/workspaces/${made.workspaceId}/api-keys`, { name: "Test", role: "editor" });
  api = made.api.as(key.body.key as string);
});
afterAll(async () => {
  await removeServer(server);
  await ledger.close();
});

async function killAndRestart(): Promise<void> {
  server = await restarted(server, env);
}

const inside = (made: object) => ({ ...made, parentId: "each" });
const childOf = (workflowId: string) => inside(node("sub", "subworkflow", { workflowId, input: "{{ item }}" }));

async function logOf(path: string): Promise<Json[]> {
  const entries: Json[] = [];
  for (;;) {
    const { body } = await api.get(`${path}/logs?limit=200&after=${entries.at(-1)?.seq ?? 0}`);
    entries.push(...(body as Json[]));
    if (body.length === 0) return entries;
  }
}

test("continues a map without repeating finished steps of its items", async () => {
  const call = inside(node("call", "http", { method: "POST", url: `${ledger.url}/item`, body: "{{ item }}" }));
  const what = definition([node("each", "map", { items: `{{ [1..${ITEMS}] }}`, concurrency: 4 }), call]);
  const { id, path } = await start(api, space, await newWorkflow(api, space, what));
  const settled = new Map<string, number>();
  for (let kill = 1; kill <= KILLS; kill++) {
    await ledger.until(() => ledger.calls.length >= (kill * ITEMS) / (KILLS + 1), "the calls come in");
    for (const entry of await logOf(path)) {
      if (entry.event !== "step.completed" || entry.nodeId !== "call") continue;
      const key = `${id}:call:${entry.path[0].index}`;
      settled.set(key, ledger.count(key));
    }
    await killAndRestart();
  }
  const ended = await untilEnd(api, path);
  expect(ended.status).toBe("completed");
  expect(ended.output).toHaveLength(ITEMS);
  const log = await logOf(path);
  expect(log.map(({ seq }) => seq as number)).toEqual(log.map((_, i) => i + 1));
  const completed = log.filter(entry => entry.event === "step.completed" && entry.nodeId === "call");
  expect(new Set(completed.map(entry => entry.path[0].index as number)).size).toBe(ITEMS);
  expect(completed).toHaveLength(ITEMS);
  expect(settled.size).toBeGreaterThan(0);
  for (const [key, count] of settled) expect([key, ledger.count(key)]).toEqual([key, count]);
  for (let index = 0; index < ITEMS; index++) expect(ledger.count(`${id}:call:${index}`)).toBeGreaterThan(0);
});

test("continues a loop without repeating finished rounds", async () => {
  const rounds = 20;
  const call = node("call", "http", { method: "POST", url: `${ledger.url}/round`, body: "{{ loop.carry }}" });
  const what = definition([
    node("loop", "loop", { carry: 1, while: `{{ loop.index < ${rounds} }}`, next: "{{ loop.carry * 2 }}" }),
    { ...call, parentId: "loop" },
  ]);
  const { id, path } = await start(api, space, await newWorkflow(api, space, what));
  const calls = () => ledger.calls.filter(one => one.path === "/round");
  for (let kill = 1; kill <= KILLS; kill++) {
    await ledger.until(() => calls().length >= (kill * rounds) / (KILLS + 1), "the calls come in");
    await killAndRestart();
  }
  const ended = await untilEnd(api, path);
  expect(ended).toMatchObject({ status: "completed", output: { carry: 2 ** rounds, iterations: rounds } });
  const log = await logOf(path);
  const completed = log.filter(entry => entry.event === "step.completed" && entry.nodeId === "call");
  const all = Array.from({ length: rounds }, (_, index) => index);
  expect(completed.map(entry => entry.path[0].index as number)).toEqual(all);
  // A round that was cut off calls again with the same key. All others call once, with what they carry.
  const keys = calls().map(({ key, body }) => `${key} ${String(body)}`);
  expect([...new Set(keys)]).toEqual(all.map(index => `${id}:call:${index} ${2 ** index}`));
  expect(keys.length).toBeLessThanOrEqual(rounds + KILLS);
});

test("ends sagas complete or compensated after random kills, with each finished step undone once", async () => {
  const workflowId = await newSaga(api, space, ledger);
  // A run for each kill, so that each of them meets a saga at work. A run that fails at 8 fails nowhere.
  const runs = [];
  for (let kill = 0; kill < KILLS; kill++) {
    const fail = kill === 0 ? 7 : Math.floor(Math.random() * ANY_FAILURE);
    const run = await start(api, space, workflowId, { fail });
    runs.push(run);
    const calls = () => ledger.calls.filter(({ key }) => key.startsWith(`${run.id}:`)).length;
    const [from, most] = kill === 0 ? [12, 12] : [1, callsOf(fail)];
    const until = from + Math.floor(Math.random() * (most - from + 1));
    await ledger.until(() => calls() >= until, "the calls come in");
    await killAndRestart();
  }
  for (const { path } of runs) {
    await untilEnd(api, path);
    expect(await sagaFaults(api, path, ledger)).toEqual([]);
  }
  ledger.behaviour = () => undefined;
});

test("undoes each finished step of a cancelled saga once, however often the process is killed", async () => {
  const steps = Array.from({ length: 6 }, (_, n) => `c${n}`);
  const nodes = steps.flatMap(id => [
    { ...ledgerCall(ledger, id), policy: { compensate: `undo-${id}` } },
    { ...ledgerCall(ledger, `undo-${id}`), policy: { retry: { maxAttempts: 3, initialMs: 1 } } },
  ]);
  const edges = [...steps.slice(1).map((id, n) => `${steps[n]!} > ${id}`), `${steps.at(-1)!} > ask`];
  const what = definition([...nodes, node("ask", "human", { prompt: "?" })], ...edges);
  const workflowId = await newWorkflow(api, space, what);
  for (let kill = 1; kill <= KILLS; kill++) {
    const { id, path } = await start(api, space, workflowId);
    await untilEvent(api, path, "execution.suspended");
    expect((await api.delete(`${path}?compensate=true`)).status).toBe(204);
    const undone = () => ledger.calls.filter(({ key }) => key.startsWith(`${id}:undo-`)).length;
    const until = kill % (steps.length + 1);
    await ledger.until(() => undone() >= until, "the compensations are called");
    await killAndRestart();
    expect(await untilEnd(api, path)).toMatchObject({ status: "cancelled", compensation: { status: "completed" } });
    const completed = (await logOf(path)).filter(({ event }) => event === "step.completed").map(one => one.nodeId);
    expect(completed).toEqual([...steps, ...steps.toReversed().map(one => `undo-${one}`)]);
  }
});

test("keeps subworkflows in a map within the limit of concurrent runs over kills", async () => {
  const limited = { ...definition([ledgerCall(ledger, "below")]), settings: { concurrency: { limit: 2 } } };
  const workflowId = await newWorkflow(api, space, limited);
  const what = definition([node("each", "map", { items: "{{ [1..12] }}", concurrency: 5 }), childOf(workflowId)]);
  const before = ledger.calls.length;
  const { path } = await start(api, space, await newWorkflow(api, space, what));
  await ledger.until(() => ledger.calls.length >= before + 4, "the calls come in");
  await killAndRestart();
  const ended = await untilEnd(api, path);
  expect(ended.status).toBe("completed");
  expect(ended.output).toHaveLength(12);
  const children = (await read(api, `${space}/executions?workflowId=${workflowId}&limit=100`)) as Json[];
  expect(children.map(({ status }) => status as string)).toEqual(Array.from({ length: 12 }, () => "completed"));
});

test("starts an error workflow once for a failed run, even if the process was killed at that moment", async () => {
  const handler = await newWorkflow(api, space, definition([gives("seen", "{{ input.id }}")]));
  const failing = { ...definition([node("f", "fail", { message: "x" })]), settings: { errorWorkflowId: handler } };
  const workflowId = await newWorkflow(api, space, failing);
  const runs = await Promise.all(Array.from({ length: 20 }, () => start(api, space, workflowId)));
  await killAndRestart();
  for (const { path } of runs) expect((await untilEnd(api, path)).status).toBe("failed");
  const handled = async () => (await read(api, `${space}/executions?workflowId=${handler}&limit=100`)) as Json[];
  await eventually(async () => (await handled()).length >= runs.length, "each is handled");
  const ids = (await handled()).map(({ trigger }) => trigger.id as string);
  expect(ids.sort()).toEqual(runs.map(({ id }) => id).sort());
  expect(await readLog(api, runs[0]?.path ?? "")).not.toEqual([]);
});

test("leaves each spreadsheet read and written completely, and repeats no finished step", async () => {
  const rows = "{{ [1..2000].{ 'n': $, 'item': $$.item } }}";
  const write = inside(node("write", "spreadsheet", { action: "write", rows }));
  const data = { action: "read", file: "{{ steps.write.file }}", skip: 1_999 };
  const what = definition(
    [node("each", "map", { items: "{{ [1..12] }}", concurrency: 2 }), write, inside(node("read", "spreadsheet", data))],
    "write > read",
  );
  const { path } = await start(api, space, await newWorkflow(api, space, what));
  const written = async () =>
    (await logOf(path)).filter(({ event, nodeId }) => event === "step.completed" && nodeId === "write");
  for (const wanted of [2, 6]) {
    await eventually(async () => (await written()).length >= wanted, "files are written");
    await killAndRestart();
  }
  const { status, output } = await untilEnd(api, path);
  expect(status).toBe("completed");
  expect((output as Json[]).map(item => item.rows[0])).toEqual(
    Array.from({ length: 12 }, (_, at) => ({ n: 2_000, item: at + 1 })),
  );
  expect((await written()).map(({ path: items }) => items[0].index as number).sort((a, b) => a - b)).toEqual(
    Array.from({ length: 12 }, (_, at) => at),
  );
});
