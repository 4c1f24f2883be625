import { type Api, type Json, newWorkflow, newWorkspace, register } from "../support/api.ts";
import { definition, gives, node } from "../support/definition.ts";
import { eventually, ledgerCall, start } from "../support/executions.ts";
import { untilEnd, untilEvent } from "../support/follow.ts";
import { Ledger } from "../support/ledger.ts";
import { addMembers } from "../support/members.ts";
import { removeServer, restarted, type Server, startServer } from "../support/server.ts";

const env = { WORKER_LEASE_MS: "500", OUTBOUND_ALLOW: "127.0.0.1" };
const RUNS = 40;

let ledger: Ledger;
let server: Server;
let api: Api;
let space: string;
let workspaceId: string;
beforeAll(async () => {
  ledger = await Ledger.open();
  server = await startServer({ env });
  ({ api, space, workspaceId } = await newWorkspace(server.url));
});
afterAll(async () => {
  await removeServer(server);
  await ledger.close();
});

async function killAndRestart(): Promise<void> {
  server = await restarted(server, env);
}

const begin = (body: object, as: Api = api) => as.post(`${space}/executions/bulk`, body);

async function begun(body: object): Promise<Json> {
  const answer = await begin(body);
  expect(answer.status).toBe(202);
  expect(answer.headers.get("location")).toBe(`${space}/executions/bulk/${answer.body.id}`);
  return answer.body;
}

async function untilDone({ id }: Json): Promise<Json> {
  let job: Json;
  await eventually(async () => {
    job = (await api.get(`${space}/executions/bulk/${id}`)).body;
    return job.status !== "running";
  }, "the job ends");
  return job;
}

const list = async (query: string) => (await api.get(`${space}/executions?limit=200&${query}`)).body as Json[];
const asks = definition([node("ask", "human", { prompt: "Well?" })]);

test("continues a retry of many runs after a kill, and retries each run once", async () => {
  ledger.behaviour = () => ({ status: 500 });
  const workflowId = await newWorkflow(api, space, definition([ledgerCall(ledger, "work")]));
  const runs = await Promise.all(Array.from({ length: RUNS }, () => start(api, space, workflowId)));
  for (const { path } of runs) expect((await untilEnd(api, path)).status).toBe("failed");
  ledger.behaviour = () => undefined;
  const before = ledger.calls.length;
  const filter = { workflowId, status: "failed" };
  const job = await begun({ action: "retry", filter });
  expect(job).toMatchObject({ action: "retry", status: "running", total: RUNS, more: false });
  await ledger.until(() => ledger.calls.length > before + 3, "the first runs are retried");
  await killAndRestart();
  const done = await untilDone(job);
  expect(done).toMatchObject({ status: "done", done: RUNS, failed: 0, errors: [], finishedAt: expect.any(String) });
  const retries = await list(`workflowId=${workflowId}&trigger=retry`);
  expect(retries).toHaveLength(RUNS);
  expect(new Set(retries.map(({ retryOf }) => retryOf as string))).toEqual(new Set(runs.map(({ id }) => id)));
  const old = await list(`workflowId=${workflowId}&trigger=manual`);
  const newOf = new Map(retries.map(({ id, retryOf }) => [retryOf as string, id as string]));
  for (const { id, retriedBy } of old) expect(retriedBy).toBe(newOf.get(id as string));
  // A second pass finds nothing, and runs that are named are refused.
  expect(await begun({ action: "retry", filter })).toMatchObject({ status: "done", total: 0 });
  const again = await untilDone(await begun({ action: "retry", ids: [runs[0]!.id] }));
  expect(again).toMatchObject({ done: 0, failed: 1, errors: [{ code: "execution_not_retryable" }] });
  // One by one, a run may be retried as often as wanted.
  const single = await api.post(`${runs[0]!.path}/retry`, {});
  expect(single.body).toMatchObject({ retryOf: runs[0]!.id });
  expect((await api.get(runs[0]!.path)).body.retriedBy).toBe(single.body.id);
});

test("reports which of the named runs it could not cancel, and notifies of its end", async () => {
  const workflowId = await newWorkflow(api, space, asks);
  const runs = await Promise.all(Array.from({ length: 12 }, () => start(api, space, workflowId)));
  for (const { path } of runs) await untilEvent(api, path, "execution.suspended");
  const ended = await start(api, space, await newWorkflow(api, space, definition([gives("a", 1)])));
  await untilEnd(api, ended.path);
  const other = await newWorkspace(server.url);
  const foreign = await start(other.api, other.space, await newWorkflow(other.api, other.space, asks));
  const ids = [...runs.map(({ id }) => id), ended.id, foreign.id];
  const job = await untilDone(await begun({ action: "cancel", ids: [...ids, ids[0]] }));
  expect(job).toMatchObject({ total: 14, done: 12, failed: 2 });
  expect(job.errors).toEqual([
    { executionId: ended.id, code: "execution_finished", message: expect.any(String) },
    { executionId: foreign.id, code: "not_found", message: expect.any(String) },
  ]);
  expect((await list(`workflowId=${workflowId}&status=cancelled`)).length).toBe(12);
  expect((await other.api.get(foreign.path)).body.status).not.toBe("cancelled");
  await eventually(async () => {
    const notices = (await api.get("/v1/notifications")).body as Json[];
    return notices.some(({ type, title, body }) => {
      return type === "bulk_finished" && title === "12 runs cancelled" && body === "2 runs could not be cancelled.";
    });
  }, "the end is notified of");
});

test("lets only admins delete finished runs, one by one or together", async () => {
  const workflowId = await newWorkflow(api, space, definition([gives("a", 1)]));
  const runs = await Promise.all(Array.from({ length: 5 }, () => start(api, space, workflowId)));
  for (const { path } of runs) await untilEnd(api, path);
  const waiting = await start(api, space, await newWorkflow(api, space, asks));
  const editor = await register(server.url);
  await addMembers(server.dataDir, [{ workspaceId, userId: editor.userId, role: "editor" }]);
  const [first] = runs;
  expect(await editor.delete(`${first!.path}?purge=true`)).toMatchObject({ status: 403 });
  expect(await begin({ action: "delete", filter: { workflowId } }, editor)).toMatchObject({ status: 403 });
  expect(await api.delete(`${waiting.path}?purge=true`)).toMatchObject({
    ...{ status: 409, body: { code: "execution_not_removable" } },
  });
  expect(await api.delete(`${first!.path}?purge=true`)).toMatchObject({ status: 204 });
  expect(await api.get(first!.path)).toMatchObject({ status: 404 });
  const job = await untilDone(await begun({ action: "delete", filter: { workflowId } }));
  expect(job).toMatchObject({ total: 4, done: 4, failed: 0 });
  expect(await list(`workflowId=${workflowId}`)).toEqual([]);
  expect((await api.get(`${space}/executions/stats?workflowId=${workflowId}`)).body).toMatchObject({ total: 5 });
});

test("can be cancelled, and is accessible to members of the workspace only", async () => {
  const workflowId = await newWorkflow(api, space, asks);
  await Promise.all(Array.from({ length: 15 }, () => start(api, space, workflowId)));
  const job = await begun({ action: "cancel", filter: { workflowId } });
  const path = `${space}/executions/bulk/${job.id}`;
  expect(await api.delete(path)).toMatchObject({ status: 204 });
  const { status, done } = await untilDone(job);
  expect(["cancelled", "done"]).toContain(status);
  expect(done).toBeLessThanOrEqual(15);
  const stranger = await newWorkspace(server.url);
  expect(await stranger.api.get(path)).toMatchObject({ status: 404 });
  expect(await stranger.api.get(`${stranger.space}/executions/bulk/${job.id}`)).toMatchObject({ status: 404 });
  const viewer = await register(server.url);
  await addMembers(server.dataDir, [{ workspaceId, userId: viewer.userId, role: "viewer" }]);
  expect(await viewer.get(path)).toMatchObject({ status: 200 });
  expect(await begin({ action: "cancel", filter: {} }, viewer)).toMatchObject({ status: 403 });
});

test("rejects an inconsistent request", async () => {
  const id = "01890000-0000-7000-8000-000000000000";
  for (const body of [
    { action: "cancel" },
    { action: "cancel", ids: [id], filter: {} },
    { action: "cancel", ids: [] },
    { action: "cancel", ids: ["no id"] },
    { action: "cancel", ids: [id], options: { fromStart: true } },
    { action: "retry", filter: { limit: 5 } },
    { action: "explode", filter: {} },
  ])
    expect(await begin(body)).toMatchObject({ status: 400, body: { code: "validation_failed" } });
});
