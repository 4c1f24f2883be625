import { v7 as uuid } from "uuid";
import type { Identity } from "../../contracts/entities/user.ts";
import { ExpressionError } from "../../core/expressions/expression-error.ts";
import { createOnce } from "../../services/executions/engine/create-execution.ts";
import { deliver } from "../../services/executions/store/deliver.ts";
import { ExecutionJournal } from "../../services/executions/store/journal.ts";
import executions from "../../services/executions/executions.service.ts";
import { Executions } from "../../services/executions/store/model.ts";
import { newExecution, type NewExecution } from "../../services/executions/store/new-execution.ts";
import type { ExecutionsService } from "../../services/executions/upkeep/service.ts";
import pods from "../../services/pods/pods.service.ts";
import workflows from "../../services/workflows/workflows.service.ts";
import workspaces from "../../services/workspaces/workspaces.service.ts";
import { definition, gives, node as step } from "../support/definition.ts";
import {
  newScope,
  ownDataDir,
  refusal,
  type Scope,
  type ServiceNode,
  userIdentity,
  startServices,
  until,
} from "../support/service-node.ts";

ownDataDir();

const ada: Identity = userIdentity();
let node: ServiceNode;
let scope: Scope;
beforeAll(async () => {
  node = await startServices(workspaces, pods, workflows, executions);
  scope = await newScope(node, ada);
});
afterAll(() => node.stop());

const service = () => node.service<ExecutionsService>("executions");
const docs = () => service().store.tenant(Executions, scope.workspaceId);
const create = async (wanted: unknown, where = scope) =>
  (await node.act(ada, "workflows.create", { ...where, name: "w", definition: wanted })).id;
const change = (id: string, wanted: object) => node.act(ada, "workflows.update", { ...scope, id, definition: wanted });
const start = async (workflowId: string, input: unknown = null) =>
  (await node.act(ada, "executions.start", { ...scope, workflowId, input })).id;
const get = (id: string) => node.act(ada, "executions.get", { ...scope, id });
const runsOf = async (workflowId: string) =>
  (await node.act(ada, "executions.list", { ...scope, workflowId, limit: 200 })).items;
const is = (id: string, status: string) => until(async () => (await get(id)).status === status);
const asks = () => definition([step("ask", "human", { prompt: "?" })]);
const calls = (workflowId: string, policy: object = {}) =>
  definition([step("sub", "subworkflow", { workflowId }, { policy })]);
const never = step("d", "delay", { ms: 600_000 });

describe("a run that waits for another", () => {
  test("cancels it on a timeout, also when the step is retried", async () => {
    const below = await create(definition([never]));
    const retry = { maxAttempts: 2, initialMs: 600_000, maxMs: 600_000 };
    await start(await create(calls(below, { timeoutMs: 1_000, retry })));
    await until(async () => (await runsOf(below)).some(run => run.status === "cancelled"));
    expect(await runsOf(below)).toHaveLength(1);
  });

  test("cancels, when it ends, every run that it gave up", async () => {
    const below = await create(definition([never]));
    const cancel = jest.spyOn(service().followUps, "cancelById").mockResolvedValueOnce();
    const above = await start(await create(calls(below, { timeoutMs: 1_000, onError: "continue" })));
    await is(above, "completed");
    await until(async () => (await runsOf(below)).every(run => run.status === "cancelled"));
    expect(cancel).toHaveBeenCalledTimes(1);
  });

  test("no longer shows a question of it that was answered", async () => {
    const below = await create(definition([step("ask", "human", { prompt: "?" }), never], "ask > d"));
    const top = await start(await create(calls(await create(calls(below)))));
    await is(top, "suspended");
    const [asking] = await runsOf(below);
    await node.act(ada, "executions.approve", { ...scope, id: asking!.id });
    await until(async () => {
      const { status, suspensions } = await get(top);
      return status === "running" && suspensions === undefined;
    });
  });

  describe("in a space that is purged", () => {
    /** Resolves with both when the run below is cancelled, its parent has not heard of it, and the next purge removes it. */
    async function cancelledBelow() {
      const pod = await node.act(ada, "pods.create", { workspaceId: scope.workspaceId, name: "p" });
      const there = { ...scope, spaceId: pod.id };
      const workflowId = await create(calls(await create(asks(), there)));
      const above = await start(workflowId);
      await is(above, "suspended");
      // The node that cancels it is killed right behind that.
      const soon = jest.spyOn(service().followUps, "soon").mockReturnValue();
      await node.broker.call("executions.purge", there);
      soon.mockRestore();
      const cancelled = { spaceId: pod.id, status: "cancelled" as const };
      expect(await docs().updateMany(cancelled, { $set: { finishedAt: new Date(0) } })).toBe(1);
      return { above, workflowId, there };
    }
    const purge = (there: object) => node.broker.call("executions.purge", there);

    test("is told of its end", async () => {
      const { above, there } = await cancelledBelow();
      await purge(there);
      expect(await docs().count({ spaceId: there.spaceId })).toBe(0);
      await is(above, "failed");
    });

    // Between its claim and its look at the other run, a worker reads the workflow.
    test.each(["before", "after"])("does not start it again when told of its end %s a claim", async told => {
      const { above, workflowId, there } = await cancelledBelow();
      const { definitions } = service().engine;
      const read = definitions.get.bind(definitions);
      let purged: Promise<unknown> = Promise.resolve();
      let claimed = false;
      const reading = jest.spyOn(definitions, "get").mockImplementation(async (...which) => {
        if (claimed || which[1] !== workflowId) return read(...which);
        claimed = true;
        if (told === "after") purged = purge(there);
        await until(async () => (await docs().count({ spaceId: there.spaceId })) === 0);
        return read(...which);
      });
      if (told === "before") purged = purge(there);
      else await docs().updateOne({ id: above }, { $set: { queued: true, order: 0 }, $unset: { wakeAt: true } });
      service().engine.poke();
      await is(above, "failed");
      await purged;
      reading.mockRestore();
      expect(await docs().count({ spaceId: there.spaceId })).toBe(0);
    });
  });
});

test("starts nothing in an error workflow for failures below it", async () => {
  const fails = definition([step("f", "fail", { message: "x" })]);
  const below = await create(null);
  const handler = await create(calls(below));
  await change(below, { ...fails, settings: { errorWorkflowId: handler } });
  await start(below);
  await until(async () => (await runsOf(handler)).some(run => run.status === "failed"));
  await until(async () => (await docs().count({ followUp: true })) === 0);
  expect(await runsOf(handler)).toHaveLength(1);
});

describe("a limit on concurrent runs", () => {
  test("starts as many runs as slots became free at once", async () => {
    const workflowId = await create({ ...asks(), settings: { concurrency: { limit: 4 } } });
    const runs: string[] = [];
    const waiting = async () => (await docs().find({ workflowId, wakeAt: { $exists: true } }, { limit: 10 })).items;
    for (let before = 0; before < 8; before++) {
      const id = await start(workflowId);
      runs.push(id);
      if (before < 4) await is(id, "suspended");
      else await until(async () => (await waiting()).length === before - 3);
    }
    // Only the first of those who wait looks for itself soon: all of them together would be a load of its own.
    const soon = (await waiting()).filter(run => run.wakeAt! < new Date(Date.now() + 60_000));
    expect(soon.map(run => run.id)).toEqual([runs[4]]);
    await Promise.all(runs.slice(0, 4).map(id => node.act(ada, "executions.cancel", { ...scope, id })));
    for (const id of runs.slice(4)) await is(id, "suspended");
  });

  test("does not make a run wait for the run that waits for it", async () => {
    const id = await create(null);
    const nodes = [
      step("if", "condition", { if: "{{ input > 0 }}" }),
      step("sub", "subworkflow", { workflowId: id, input: "{{ input - 1 }}" }),
    ];
    await change(id, { ...definition(nodes, "if:true > sub"), settings: { concurrency: { limit: 1 } } });
    await is(await start(id, 3), "completed");
    expect(await runsOf(id)).toHaveLength(4);
  });
});

test("an answer above the limit of a step's output is rejected", async () => {
  const id = await start(await create(asks()));
  await is(id, "suspended");
  const data = "x".repeat(262_145);
  await expect(node.act(ada, "executions.respond", { ...scope, id, data })).rejects.toEqual(
    refusal("payload_too_large"),
  );
  expect((await get(id)).status).toBe("suspended");
});

test("keeps in a retry of an unstarted retry what the first run had finished", async () => {
  const once = step("once", "transform", { value: "{{ execution.id }}" });
  const workflowId = await create(definition([once, step("f", "fail", { message: "x" })], "once > f"));
  const first = await start(workflowId);
  await is(first, "failed");
  const { doc, created } = newExecution({
    ...scope,
    workflowId,
    workflowVersion: 1,
    startedBy: uuid(),
    trigger: { type: "retry", id: first },
    attempt: 2,
    input: null,
    retryOf: first,
    retryFrom: null,
  });
  const journal = new ExecutionJournal(service().store, scope.workspaceId, doc.id);
  await service().store.write([journal.append(created), docs().ops.insert(doc)]);
  await node.act(ada, "executions.cancel", { ...scope, id: doc.id });
  const { id } = await node.act(ada, "executions.retry", { ...scope, id: doc.id });
  await is(id, "failed");
  const { items } = await node.act(ada, "executions.logs", { ...scope, id });
  expect(items.find(entry => entry.nodeId === "once")).toMatchObject({ event: "step.completed", output: first });
});

test("a start that was interrupted after its journal is completed unchanged by the next attempt", async () => {
  const wanted: NewExecution & { id: string } = {
    id: uuid(),
    ...scope,
    workflowId: await create(definition([gives("a", "{{ input }}")])),
    workflowVersion: 1,
    startedBy: uuid(),
    trigger: { type: "subworkflow", id: uuid() },
    attempt: 1,
    input: 7,
    deployed: true,
    forFailure: true,
  };
  const { store } = service();
  await store.write([new ExecutionJournal(store, scope.workspaceId, wanted.id).append(newExecution(wanted).created)]);
  const { replayed } = await createOnce(service(), wanted);
  await is(wanted.id, "completed");
  expect((await get(wanted.id)).output).toBe(7);
  expect({ replayed, doc: await docs().get({ id: wanted.id }) }).toMatchObject({
    replayed: true,
    doc: { deployed: true, forFailure: true },
  });
});

test("a step waits when the queue for its expressions is full", async () => {
  const busy = new ExpressionError("expression_busy", "Too many wait already.");
  jest.spyOn(service().expressions, "resolve").mockReturnValueOnce(Promise.reject(busy));
  const id = await start(await create(definition([gives("a", 1)])));
  await is(id, "completed");
});

test("makes room in the inbox when its records are in the journal", async () => {
  const id = await start(await create(asks()));
  await is(id, "suspended");
  const childId = uuid();
  const signal = { kind: "child" as const, childId, nodeId: "ask" };
  const inbox = Array.from({ length: 1_000 }, (_, i) => ({ ...signal, seq: i + 1 }));
  const held = { workerId: uuid(), inbox, inboxed: 1_000 };
  await docs().updateOne({ id }, { $set: held });
  const address = { workspaceId: scope.workspaceId, id };
  await expect(deliver(service().store, address, () => signal)).rejects.toEqual(refusal("conflict"));
  await docs().updateOne({ id }, { $set: { journaled: 999 } });
  const found = await deliver(service().store, address, () => signal);
  expect(found?.inbox?.map(({ seq }) => seq)).toEqual([1_000, 1_001]);
});

test("the test of one step resolves no names that every object inherits", async () => {
  const id = await create(definition([gives("constructor", 1), step("all", "merge")], "constructor > all"));
  expect((await node.act(ada, "executions.test", { ...scope, id, nodeId: "all" })).output).toEqual({});
});

test("data that is too large for the log fails its step", async () => {
  const query = { q: "{{ $pad('', 300000, 'x') }}" };
  const http = step("call", "http", { url: "http://127.0.0.1:1/", query });
  const id = await start(await create(definition([http])));
  await is(id, "failed");
  const { items } = await node.act(ada, "executions.logs", { ...scope, id });
  expect(JSON.stringify(items).length).toBeLessThan(10_000);
});
