import { type Api, type Json, newWorkflow, newWorkspace } from "../support/api.ts";
import { definition, gives, node } from "../support/definition.ts";
import { eventually, ledgerCall, read, start } from "../support/executions.ts";
import { readLog, untilEnd, untilEvent } from "../support/follow.ts";
import { Gate, type Ledger } from "../support/ledger.ts";
import type { Server } from "../support/server.ts";
import { openStage } from "../support/stage.ts";

let server: Server;
let api: Api;
let space: string;
let ledger: Ledger;
beforeAll(async () => void ({ server, api, space, ledger } = await openStage()));
afterAll(() => ledger.close());

const calling = (workflowId: string, data: object = {}, extra: object = {}) =>
  definition(
    [
      node("sub", "subworkflow", { workflowId, input: { from: "{{ input }}" }, ...data }, extra),
      gives("end", { got: "{{ steps.sub }}" }),
    ],
    "sub > end",
  );

async function runAbove(child: unknown, data: object = {}, extra: object = {}) {
  const childId = await newWorkflow(api, space, child);
  const workflowId = await newWorkflow(api, space, calling(childId, data, extra));
  const started = await start(api, space, workflowId, "me");
  return { childId, workflowId, ...started };
}

const childOf = async (path: string): Promise<Json> => {
  const log = await readLog(api, path);
  const id = log.find(entry => entry.childExecutionId)?.childExecutionId ?? "";
  return read(api, `${space}/executions/${id}`);
};

test("runs another workflow with its input, returns its output, and both runs name each other", async () => {
  const { id, path } = await runAbove(definition([gives("a", "hello {{ input.from }}")]));
  expect(await untilEnd(api, path)).toMatchObject({ status: "completed", output: { got: "hello me" } });
  const child = await childOf(path);
  expect(child).toMatchObject({ status: "completed", trigger: { type: "subworkflow", id }, input: { from: "me" } });
  expect(child.parent).toEqual({ executionId: id, nodeId: "sub" });
});

test("holds no worker while it waits, and shows the question of its execution", async () => {
  const { path } = await runAbove(definition([node("ask", "human", { prompt: "well, {{ input.from }}?" })]));
  await untilEvent(api, path, "execution.suspended");
  const child = await childOf(path);
  const parent = await read(api, path);
  expect(parent.suspension).toMatchObject({ nodeId: "sub", prompt: "well, me?", executionId: child.id });
  expect(await api.patch(`${path}/respond`, { approved: true, data: 7 })).toMatchObject({ status: 200 });
  expect(await untilEnd(api, path)).toMatchObject({ status: "completed", output: { got: { data: 7 } } });
  expect(await api.patch(`${space}/executions/${child.id}/approve`)).toMatchObject({ status: 409 });
});

test("continues the parent after an answer to the child execution", async () => {
  const twice = definition(
    [node("one", "human", { prompt: "1" }), node("two", "human", { prompt: "2" })],
    "one:approved > two",
  );
  const { path } = await runAbove(twice);
  await untilEvent(api, path, "execution.suspended");
  const { id } = await childOf(path);
  expect(await api.patch(`${space}/executions/${id}/approve`)).toMatchObject({ status: 200 });
  await eventually(async () => (await read(api, path)).suspension?.prompt === "2", "the second question goes up");
  expect(await api.patch(`${path}/approve`)).toMatchObject({ status: 200 });
  expect(await untilEnd(api, path)).toMatchObject({ status: "completed" });
});

test("cancels executions at every depth", async () => {
  const gate = new Gate();
  ledger.behaviour = async () => {
    await gate.opened;
    return undefined;
  };
  const bottom = await newWorkflow(api, space, definition([ledgerCall(ledger, "deep")]));
  const { path } = await runAbove(calling(bottom));
  await ledger.until(() => ledger.calls.some(call => call.path === "/deep"), "the calls come in");
  expect((await api.delete(path)).status).toBe(204);
  const child = await childOf(path);
  expect((await untilEnd(api, `${space}/executions/${child.id}`)).status).toBe("cancelled");
  const grandchild = await childOf(`${space}/executions/${child.id}`);
  expect((await untilEnd(api, `${space}/executions/${grandchild.id}`)).status).toBe("cancelled");
  await ledger.until(() => ledger.calls.some(call => call.cut), "the calls come in");
  gate.open();
  ledger.behaviour = () => undefined;
});

test("passes the reason of a failure to the parent, and a retry keeps finished steps of the child", async () => {
  let broken = true;
  ledger.behaviour = ({ path }) => (path === "/second" && broken ? { status: 500 } : undefined);
  const child = definition([ledgerCall(ledger, "first"), ledgerCall(ledger, "second")], "first > second");
  const { path, id } = await runAbove(child);
  const failed = await untilEnd(api, path);
  expect(failed.error).toMatchObject({ code: "subworkflow_failed", nodeId: "sub" });
  expect(failed.error.message).toMatch(/^A subworkflow failed at step "second": .*500/);
  broken = false;
  const again = await api.post(`${path}/retry`);
  expect(again).toMatchObject({ status: 201, body: { trigger: { type: "retry", id } } });
  const ended = await untilEnd(api, `${space}/executions/${again.body.id}`);
  expect(ended.status).toBe("completed");
  expect(ledger.calls.filter(call => call.path === "/first")).toHaveLength(1);
  expect(ledger.calls.filter(call => call.path === "/second")).toHaveLength(2);
});

test("notifies once of a failure three levels below, with the run and the step", async () => {
  const bottom = await newWorkflow(api, space, definition([node("boom", "fail", { message: "No stock." })]));
  const middle = await newWorkflow(api, space, definition([node("inner", "subworkflow", { workflowId: bottom })]));
  const { path } = await runAbove(definition([node("outer", "subworkflow", { workflowId: middle })]));
  const { error } = await untilEnd(api, path);
  const first = await childOf(path);
  const second = await childOf(`${space}/executions/${first.id}`);
  const third = await childOf(`${space}/executions/${second.id}`);
  const told = {
    code: "subworkflow_failed",
    message: 'A subworkflow failed at step "boom": No stock.',
    origin: { executionId: third.id, nodeId: "boom", code: third.error.code },
  };
  expect(third.error).toEqual({ code: "failed", message: "No stock.", nodeId: "boom" });
  expect(second.error).toEqual({ ...told, nodeId: "inner" });
  expect(first.error).toEqual({ ...told, nodeId: "outer" });
  expect(error).toEqual({ ...told, nodeId: "sub" });
  const entry = (await readLog(api, path)).find(({ event }) => event === "step.failed");
  expect(entry?.error).toEqual(error);
});

test("notifies once of a cancelled execution two levels below, with its id", async () => {
  const asks = await newWorkflow(api, space, definition([node("ask", "human", { prompt: "well?" })]));
  const { path } = await runAbove(definition([node("inner", "subworkflow", { workflowId: asks })]));
  await untilEvent(api, path, "execution.suspended");
  const below = await childOf(`${space}/executions/${(await childOf(path)).id}`);
  expect((await api.delete(`${space}/executions/${below.id}`)).status).toBe(204);
  expect((await untilEnd(api, path)).error).toEqual({
    code: "subworkflow_failed",
    message: "The execution of a subworkflow was cancelled.",
    nodeId: "sub",
    origin: { executionId: below.id, code: "subworkflow_cancelled" },
  });
});

test("is retried by its policy, and ended by its time limit", async () => {
  let calls = 0;
  ledger.behaviour = () => (++calls === 1 ? { status: 503 } : undefined);
  const policy = { retry: { maxAttempts: 2, initialMs: 1 } };
  const { path } = await runAbove(definition([ledgerCall(ledger, "flaky")]), {}, { policy });
  expect(await untilEnd(api, path)).toMatchObject({ status: "completed" });
  ledger.behaviour = () => undefined;
  const slow = await runAbove(definition([node("d", "delay", { ms: 600_000 })]), {}, { policy: { timeoutMs: 50 } });
  expect(await untilEnd(api, slow.path)).toMatchObject({ status: "failed", error: { code: "step_timeout" } });
  const child = await childOf(slow.path);
  expect((await untilEnd(api, `${space}/executions/${child.id}`)).status).toBe("cancelled");
});

test("ends at depth ten if a workflow calls itself, and leaves nothing running", async () => {
  const workflowId = await newWorkflow(api, space, null);
  const itself = definition([node("sub", "subworkflow", { workflowId })]);
  expect((await api.patch(`${space}/workflows/${workflowId}`, { definition: itself })).status).toBe(200);
  const { path } = await start(api, space, workflowId);
  const ended = await untilEnd(api, path);
  expect(ended.status).toBe("failed");
  expect(ended.error.message).toBe(
    'A subworkflow failed at step "sub": Workflows start one another more than 10 deep.',
  );
  const { body } = await api.get(`${space}/executions?workflowId=${workflowId}`);
  expect(body).toHaveLength(11);
});

test.each([
  ["a workflow that is not there", () => Promise.resolve("01890000-0000-7000-8000-000000000000"), "workflow_not_found"],
  [
    "a workflow of another workspace",
    async () => {
      const other = await newWorkspace(server.url);
      return newWorkflow(other.api, other.space, null);
    },
    "workflow_not_found",
  ],
  [
    "a trashed one",
    async () => {
      const id = await newWorkflow(api, space, null);
      await api.patch(`${space}/workflows/${id}/trash`);
      return id;
    },
    "workflow_trashed",
  ],
])("rejects %s", async (_what, of, code) => {
  const { path } = await start(api, space, await newWorkflow(api, space, calling(await of())));
  expect(await untilEnd(api, path)).toMatchObject({ status: "failed", error: { code, nodeId: "sub" } });
});

test("runs for each item of a map, in the order of the items", async () => {
  const childId = await newWorkflow(api, space, definition([gives("x", "{{ input * 10 }}")]));
  const sub = { ...node("sub", "subworkflow", { workflowId: childId, input: "{{ item }}" }), parentId: "m" };
  const what = definition([node("m", "map", { items: "{{ [1..20] }}", concurrency: 7 }), sub]);
  const { path } = await start(api, space, await newWorkflow(api, space, what));
  expect((await untilEnd(api, path)).output).toEqual(Array.from({ length: 20 }, (_, i) => (i + 1) * 10));
});
