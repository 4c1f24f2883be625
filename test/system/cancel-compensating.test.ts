import { type Api, newWorkflow } from "../support/api.ts";
import { definition, node } from "../support/definition.ts";
import { ledgerCall, start } from "../support/executions.ts";
import { readLog, untilEnd, untilEvent } from "../support/follow.ts";
import { Gate, type Ledger } from "../support/ledger.ts";
import { openStage } from "../support/stage.ts";

let api: Api;
let space: string;
let ledger: Ledger;
beforeAll(async () => void ({ api, space, ledger } = await openStage()));
afterAll(() => ledger.close());
beforeEach(() => (ledger.behaviour = () => undefined));

const undone = (id: string) => [
  { ...ledgerCall(ledger, id), policy: { compensate: `undo-${id}` } },
  ledgerCall(ledger, `undo-${id}`),
];
const trip = (...last: object[]) =>
  definition([...undone("hotel"), ...undone("flight"), ...last], "hotel > flight", "flight > last");
const ask = node("last", "human", { prompt: "Go on?" });
const calls = (id: string) => ledger.calls.filter(({ key }) => key.startsWith(id)).map(({ path }) => path);

async function asking(): Promise<{ id: string; path: string }> {
  const run = await start(api, space, await newWorkflow(api, space, trip(ask)));
  await untilEvent(api, run.path, "execution.suspended");
  return run;
}

test("undoes the finished steps in reverse order on a cancel with `compensate`, and the run ends as cancelled", async () => {
  const { id, path } = await asking();
  expect((await api.delete(`${path}?compensate=true`)).status).toBe(204);
  const ended = await untilEnd(api, path);
  expect(ended).toMatchObject({
    status: "cancelled",
    error: null,
    compensation: { status: "completed", compensated: ["hotel", "flight"], failed: [] },
  });
  expect(calls(id)).toEqual(["/hotel", "/flight", "/undo-flight", "/undo-hotel"]);
  const log = await readLog(api, path);
  const begun = log.find(({ event }) => event === "execution.compensating");
  expect(begun).toMatchObject({ level: "warn", message: "The run was cancelled and undoes what it has done." });
  expect(log.map(({ seq }) => seq)).toEqual(log.map((_, n) => n + 1));
  expect(log.at(-1)?.event).toBe("execution.cancelled");
  expect((await api.delete(path)).body.code).toBe("execution_finished");
});

test("aborts a running step, and does not compensate it", async () => {
  const gate = new Gate();
  ledger.behaviour = async ({ path }) => (path === "/flight" ? (await gate.opened, undefined) : undefined);
  const { id, path } = await start(api, space, await newWorkflow(api, space, trip(ask)));
  await ledger.until(() => calls(id).includes("/flight"), "the call comes in");
  expect((await api.request("DELETE", path, { compensate: true })).status).toBe(204);
  await ledger.until(() => ledger.calls.some(call => call.path === "/flight" && call.cut), "the call is cut off");
  expect(await untilEnd(api, path)).toMatchObject({ status: "cancelled", compensation: { compensated: ["hotel"] } });
  gate.open();
  expect(calls(id)).toEqual(["/hotel", "/flight", "/undo-hotel"]);
});

test("ignores a second cancel with `compensate` during compensation, and ends the run on one without it", async () => {
  const { id, path } = await asking();
  const gate = new Gate();
  ledger.behaviour = async call => (call.path === "/undo-flight" ? (await gate.opened, undefined) : undefined);
  await api.delete(`${path}?compensate=true`);
  await ledger.until(() => calls(id).includes("/undo-flight"), "the compensation begins");
  expect((await api.get(path)).body).toMatchObject({ status: "running", compensation: { status: "running" } });
  expect((await api.delete(`${path}?compensate=true`)).status).toBe(204);
  expect((await api.get(path)).body.status).toBe("running");
  expect((await api.delete(path)).status).toBe(204);
  expect(await untilEnd(api, path)).toMatchObject({
    status: "cancelled",
    compensation: { status: "failed", compensated: [], failed: ["flight", "hotel"] },
  });
  gate.open();
  expect(calls(id)).toEqual(["/hotel", "/flight", "/undo-flight"]);
});

test("performs a running compensation once, although further cancels arrive", async () => {
  const { id, path } = await asking();
  const gate = new Gate();
  ledger.behaviour = async call => (call.path === "/undo-flight" ? (await gate.opened, undefined) : undefined);
  await api.delete(`${path}?compensate=true`);
  await ledger.until(() => calls(id).includes("/undo-flight"), "the compensation begins");
  const again = await Promise.all([1, 2, 3].map(() => api.delete(`${path}?compensate=true`)));
  expect(again.map(({ status }) => status)).toEqual([204, 204, 204]);
  gate.open();
  expect((await untilEnd(api, path)).compensation).toMatchObject({ compensated: ["hotel", "flight"], failed: [] });
  expect(calls(id)).toEqual(["/hotel", "/flight", "/undo-flight", "/undo-hotel"]);
  expect(ledger.calls.filter(({ key, cut }) => key.startsWith(id) && cut)).toEqual([]);
});

test("cancels a run with nothing to undo at once", async () => {
  const { path } = await start(api, space, await newWorkflow(api, space, definition([ask])));
  await untilEvent(api, path, "execution.suspended");
  expect((await api.delete(`${path}?compensate=true`)).status).toBe(204);
  const { body } = await api.get(path);
  expect(body.status).toBe("cancelled");
  expect(body.compensation).toBeUndefined();
});

test("compensates the steps of a subworkflow's run that is aborted", async () => {
  const workflowId = await newWorkflow(api, space, trip(ask));
  const outer = definition([...undone("car"), node("below", "subworkflow", { workflowId })], "car > below");
  const { path, id } = await start(api, space, await newWorkflow(api, space, outer));
  await untilEvent(api, path, "execution.suspended");
  const [child] = (await api.get(`${space}/executions?parentId=${id}`)).body;
  await api.delete(`${path}?compensate=true`);
  expect((await untilEnd(api, path)).compensation).toMatchObject({ status: "completed", compensated: ["car"] });
  const below = await untilEnd(api, `${space}/executions/${child.id}`);
  expect(below).toMatchObject({ status: "cancelled", compensation: { status: "completed", failed: [] } });
  expect(calls(child.id as string).slice(2)).toEqual(["/undo-flight", "/undo-hotel"]);
});

test("cancels with `compensate` in a bulk job, and rejects the option for other actions", async () => {
  const { id, path } = await asking();
  const bulk = (action: string) =>
    api.post(`${space}/executions/bulk`, { action, ids: [id], options: { compensate: true } });
  expect((await bulk("retry")).body.errors).toMatchObject([{ path: "/options/compensate" }]);
  expect((await bulk("cancel")).status).toBe(202);
  expect(await untilEnd(api, path)).toMatchObject({ status: "cancelled", compensation: { status: "completed" } });
});
