import type { Identity } from "../../contracts/entities/user.ts";
import type { WriteOp } from "../../adapters/store/port.ts";
import executions from "../../services/executions/executions.service.ts";
import { Executions } from "../../services/executions/store/model.ts";
import { journalOf } from "../../services/executions/store/read-execution.ts";
import type { ExecutionsService } from "../../services/executions/upkeep/service.ts";
import pods from "../../services/pods/pods.service.ts";
import workflows from "../../services/workflows/workflows.service.ts";
import workspaces from "../../services/workspaces/workspaces.service.ts";
import { definition, gives, node as step } from "../support/definition.ts";
import {
  newScope,
  ownDataDir,
  type Scope,
  type ServiceNode,
  userIdentity,
  startServices,
  until,
} from "../support/service-node.ts";

ownDataDir();

let node: ServiceNode;
let ada: Identity;
let scope: Scope;
beforeAll(async () => {
  node = await startServices(workspaces, pods, workflows, executions);
  ada = userIdentity();
  scope = await newScope(node, ada);
});
afterAll(() => node.stop());

const service = () => node.service<ExecutionsService>("executions");
const docs = () => service().store.tenant(Executions, scope.workspaceId);
const undone = (id: string) => ({ ...gives(id, id), policy: { compensate: `undo-${id}` } });

/** A run that has two steps to undo, and asks. */
async function asking(undoB: object = gives("undo-b", 1)): Promise<typeof scope & { id: string }> {
  const nodes = [undone("a"), undone("b"), gives("undo-a", 1), undoB, step("ask", "human", { prompt: "?" })];
  const wanted = { ...scope, name: "w", definition: definition(nodes, "a > b", "b > ask") };
  const { id: workflowId } = await node.act(ada, "workflows.create", wanted);
  const { id } = await node.act(ada, "executions.start", { ...scope, workflowId, waitMs: 0 });
  await until(async () => (await docs().get({ id }))?.status === "suspended");
  return { ...scope, id };
}

async function expectUndone(run: { id: string; workspaceId: string }): Promise<void> {
  await until(async () => (await docs().get({ id: run.id }))?.status === "cancelled");
  const doc = await docs().get({ id: run.id });
  expect(doc).toMatchObject({ compensation: { status: "completed", failed: [] } });
  expect(doc?.asking).toBeUndefined();
  const entries = [];
  for await (const append of journalOf(service(), run).appendsFrom(0)) entries.push(...append.entries);
  const events = entries.map(one => `${one.event} ${"nodeId" in one ? one.nodeId : ""}`.trim());
  const from = events.indexOf("execution.compensating");
  const isAside = (event: string) => /^(step\.(started|log)|execution\.(suspended|resumed))/.test(event);
  expect(events.slice(from).filter(event => !isAside(event))).toEqual([
    "execution.compensating",
    "step.completed undo-b",
    "step.completed undo-a",
    "execution.compensated",
    "execution.cancelled",
  ]);
}

const isIntent = (op: WriteOp): boolean =>
  op.kind === "update" && op.change.set.some(([path, value]) => path.join(".") === "undoes" && value === "intended");

test.each([1, 2, 3])("completes a cancel that was interrupted after %i of its writes", async after => {
  const run = await asking();
  const { store } = service();
  const write = store.write.bind(store);
  const spy = jest.spyOn(store, "write").mockImplementation(async (ops: readonly WriteOp[]) => {
    if (!ops.some(isIntent)) return write(ops);
    spy.mockRestore();
    await store.write(ops.slice(0, after));
    throw new Error("cut off");
  });
  await expect(node.act(ada, "executions.cancel", { ...run, compensate: true })).rejects.toThrow("cut off");
  const left = await docs().get({ id: run.id });
  expect(left).toMatchObject({ status: "suspended", undoes: "intended" });
  service().followUps.soon(left!);
  await expectUndone(run);
});

test("two concurrent cancels with compensation undo each step once", async () => {
  const run = await asking();
  const cancel = () => node.act(ada, "executions.cancel", { ...run, compensate: true });
  const [first, second] = await Promise.allSettled([cancel(), cancel()]);
  await expectUndone(run);
  const failed = [first, second].filter(({ status }) => status === "rejected");
  // The slower one succeeds too, unless it finds that the run has ended.
  expect(failed.length).toBeLessThan(2);
  expect(failed).toEqual(
    failed.map(() => ({ status: "rejected", reason: expect.objectContaining({ type: "execution_finished" }) })),
  );
  await expect(cancel()).rejects.toMatchObject({ type: "execution_finished" });
});

/** A compensation that takes its time, so that the run is still undoing while other things happen. */
const slow = step("undo-b", "human", { prompt: "Undo?" });
const cancel = (run: typeof scope & { id: string }) => node.act(ada, "executions.cancel", { ...run, compensate: true });
const undoing = (id: string) =>
  until(async () => {
    const doc = await docs().get({ id });
    return doc?.undoes === "begun" && doc.status === "suspended";
  });

test("queues no run in the slower of two such cancels after its compensations have started", async () => {
  const run = await asking(slow);
  const { store } = service();
  const write = store.write.bind(store);
  const outcomes: number[][] = [];
  let isFirst = true;
  const spy = jest.spyOn(store, "write").mockImplementation(async (ops: readonly WriteOp[]) => {
    if (!isFirst || !ops.some(isIntent)) return write(ops);
    isFirst = false;
    await cancel(run);
    await undoing(run.id);
    // From here on as where writes do not commit together.
    spy.mockImplementation(async given => {
      outcomes.push(await write(given));
      return outcomes.at(-1)!;
    });
    for (const op of ops) await write([op]);
    throw new Error("The journal has moved on.");
  });
  await cancel(run);
  spy.mockRestore();
  expect(outcomes.flat()).not.toContain(1);
  expect(await docs().get({ id: run.id })).toMatchObject({ status: "suspended", undoes: "begun" });
  await node.act(ada, "executions.approve", run);
  await expectUndone(run);
});

test("a worker that continues an interrupted cancel keeps the run from other workers that finish cancels", async () => {
  const run = await asking(slow);
  const { store } = service();
  const write = store.write.bind(store);
  const spy = jest.spyOn(store, "write");
  spy.mockImplementation(async (ops: readonly WriteOp[]) => {
    if (!ops.some(isIntent)) return write(ops);
    await write(ops.slice(0, 3));
    throw new Error("cut off");
  });
  await expect(cancel(run)).rejects.toThrow("cut off");
  const left = (await docs().get({ id: run.id }))!;
  let found: object | null = null;
  const isOfWorker = (op: WriteOp) => op.kind === "insert" && op.layout.name === "journal";
  spy.mockImplementation(async (ops: readonly WriteOp[]) => {
    if (found || !ops.some(isOfWorker)) return write(ops);
    found = {};
    await service().followUps.finish(left);
    found = await docs().get({ id: run.id });
    return write(ops);
  });
  await docs().updateOne({ id: run.id }, { $set: { queued: true, order: 0 } });
  service().engine.poke();
  await undoing(run.id);
  spy.mockRestore();
  expect(found).toMatchObject({ undoes: "begun", workerId: expect.any(String) });
  // The one who finishes a cancel queues the run as one whose worker is lost.
  expect(found).not.toHaveProperty("lost");
  await node.act(ada, "executions.approve", run);
  await expectUndone(run);
});

test("loses nothing in an answer at the same moment: the run is compensated, or had ended before", async () => {
  for (let tries = 0; tries < 5; tries++) {
    const run = await asking();
    const answered = node.act(ada, "executions.approve", run).then(
      () => true,
      () => false,
    );
    const cancelled = await node.act(ada, "executions.cancel", { ...run, compensate: true }).then(
      () => true,
      () => false,
    );
    await answered;
    if (cancelled) await expectUndone(run);
    else await until(async () => (await docs().get({ id: run.id }))?.status === "completed");
  }
});
