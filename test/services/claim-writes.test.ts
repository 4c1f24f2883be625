import { v7 as uuid } from "uuid";
import type { Identity } from "../../contracts/entities/user.ts";
import type { WriteOp } from "../../adapters/store/port.ts";
import executions from "../../services/executions/executions.service.ts";
import { Executions, Workers, type ExecutionDoc } from "../../services/executions/store/model.ts";
import type { ExecutionsService } from "../../services/executions/upkeep/service.ts";
import pods from "../../services/pods/pods.service.ts";
import workflows from "../../services/workflows/workflows.service.ts";
import workspaces from "../../services/workspaces/workspaces.service.ts";
import { recordWrites, shapeOf } from "../support/claim-protocol/record-writes.ts";
import * as model from "../support/claim-protocol/writes.ts";
import { definition, node as step } from "../support/definition.ts";
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
process.env.WORKER_LEASE_MS = "500";

let node: ServiceNode;
let ada: Identity;
let scope: Scope;
const written = recordWrites("executions");

beforeAll(async () => {
  node = await startServices(workspaces, pods, workflows, executions);
  ada = userIdentity();
  scope = await newScope(node, ada);
});
afterAll(() => node.stop());

const service = () => node.service<ExecutionsService>("executions");
const docs = () => service().store.tenant(Executions, scope.workspaceId);

async function start(wanted: object): Promise<{ workspaceId: string; spaceId: string; id: string }> {
  const { id: workflowId } = await node.act(ada, "workflows.create", { ...scope, name: "w", definition: wanted });
  const { id } = await node.act(ada, "executions.start", { ...scope, workflowId, waitMs: 0 });
  return { ...scope, id };
}
const is = (id: string, status: ExecutionDoc["status"]) =>
  until(async () => (await docs().get({ id }))?.status === status);

/** What the model writes, each as the product writes it. */
const shapes = (...all: model.Write[]): string[] =>
  all.map(write => {
    if (write.kind !== "update") throw new Error("The store's own writes have no filter.");
    return shapeOf(write.filter, write.change) ?? "";
  });
const PARKED = { status: "suspended" };
const protocol = (): Record<string, string[]> => ({
  claim: [shapeOf(model.claim(0).filter, model.claim(0).change) ?? ""],
  "give back": [shapeOf(model.giveBack(0).filter, model.giveBack(0).change) ?? ""],
  "return an orphan": shapes(model.returnOrphan(0, 0)),
  wake: shapes(model.wake(0)),
  deliver: shapes(
    model.deliver(0, PARKED, { nodeId: "ask", attempt: 1, answer: 1 }),
    model.deliver(0, { status: "running", workerId: 1 }, { nodeId: "ask", attempt: 1, answer: null }),
  ),
  forget: shapes(model.forget(0, 0, 1)),
  park: shapes(
    model.park(0, 0, { suspended: true, timed: false, inboxed: 0 }, {}),
    model.park(0, 0, { suspended: true, timed: true, inboxed: 0 }, {}),
    model.park(0, 0, { suspended: false, timed: true, inboxed: 0 }, {}),
  ),
  end: shapes(model.end(0, 0, "completed", {}), model.end(0, 0, "failed", {})),
  cancel: shapes(model.intend(0), model.cancel(0)),
  repair: shapes(model.repair(0, "cancelled")),
});

// The step after the question begins when the answer is on disk, so the answer is forgotten before the run ends.
const asks = definition(
  [step("ask", "human", { prompt: "?" }), step("then", "code", { code: "return 1;" })],
  "ask > then",
);

const isCancel = (op: WriteOp): boolean =>
  op.kind === "update" && op.change.set.some(([path, value]) => path.join(".") === "cancelling" && value === true);

/** Replaces the next write of a cancel. Another write of the service may come before it. */
function onCancel(instead: (ops: readonly WriteOp[]) => Promise<number[]>): void {
  const { store } = service();
  const write = store.write.bind(store);
  const spy = jest.spyOn(store, "write").mockImplementation(async (ops: readonly WriteOp[]) => {
    if (!ops.some(isCancel)) return write(ops);
    spy.mockRestore();
    return instead(ops);
  });
}

/** The process is gone after so many writes of a list, as it may be where they do not commit together. */
function cutOff(after: number): void {
  onCancel(async ops => {
    await service().store.write(ops.slice(0, after));
    throw new Error("cut off");
  });
}

test("completes a cancel that was interrupted between journal and projection", async () => {
  const run = await start(asks);
  await is(run.id, "suspended");
  cutOff(2);
  await expect(node.act(ada, "executions.cancel", run)).rejects.toThrow();
  const left = await docs().get({ id: run.id });
  expect(left).toMatchObject({ status: "suspended", cancelling: true });
  service().followUps.soon(left!);
  await is(run.id, "cancelled");
});

/** From the first write of a list to the second, where they do not commit together, there is time for this. */
function inBetween(work: () => Promise<unknown>): void {
  onCancel(async ops => {
    const { store } = service();
    const [first] = await store.write(ops.slice(0, 1));
    await work();
    return [first!, ...(await store.write(ops.slice(1)))];
  });
}

test("reports success for a cancel that other nodes complete meanwhile", async () => {
  const run = await start(asks);
  await is(run.id, "suspended");
  inBetween(async () => service().followUps.finish((await docs().get({ id: run.id }))!));
  await node.act(ada, "executions.cancel", run);
  await is(run.id, "cancelled");
  await expect(node.act(ada, "executions.cancel", run)).rejects.toMatchObject({ type: "execution_finished" });
});

test("lets one of two concurrent cancels succeed", async () => {
  const run = await start(asks);
  await is(run.id, "suspended");
  inBetween(() => node.act(ada, "executions.cancel", run));
  await expect(node.act(ada, "executions.cancel", run)).rejects.toMatchObject({ type: "execution_finished" });
  await is(run.id, "cancelled");
});

test("writes to these fields only what the model of the protocol allows", async () => {
  const answered = await start(asks);
  await is(answered.id, "suspended");
  await node.act(ada, "executions.approve", answered);
  await is(answered.id, "completed");

  const expired = await start(definition([step("ask", "human", { prompt: "?", expiresInMs: 600_000 })]));
  await is(expired.id, "suspended");
  const sleeping = await start(definition([step("wait", "delay", { ms: 600_000 })]));
  await until(async () => (await docs().get({ id: sleeping.id }))?.wakeAt !== undefined);
  await docs().updateOne({ id: sleeping.id }, { $set: { wakeAt: new Date(0) } });
  await until(async () => ((await docs().get({ id: sleeping.id }))?.wakeAt ?? new Date(0)) > new Date());
  await node.act(ada, "executions.cancel", sleeping);

  const short = await start(definition([step("ask", "human", { prompt: "?", expiresInMs: 1_100 })]));
  await is(short.id, "failed");

  // Of a worker that is no more, and of this one, which knows nothing of it.
  const stray = await start(asks);
  await is(stray.id, "suspended");
  const [mine] = (await service().store.global(Workers).find({}, { limit: 1 })).items;
  for (const workerId of [uuid(), mine!.id]) {
    await docs().updateOne({ id: stray.id }, { $set: { workerId } });
    const isParked = { id: stray.id, status: "suspended" as const, workerId: null, queued: null };
    await until(async () => (await docs().get(isParked)) !== null);
  }

  const known = protocol();
  for (const [name, all] of Object.entries(known)) {
    const missing = all.filter(shape => !written.has(shape));
    expect({ name, missing }).toEqual({ name, missing: [] });
  }
  const others = [
    // What the test itself has done.
    shapeOf({}, { $set: { wakeAt: true } }),
    shapeOf({}, { $set: { workerId: 1 } }),
    // Of what has ended: nothing is left to be done.
    shapeOf({}, { $unset: { cancelling: 1 } }),
  ];
  const all = new Set([...Object.values(known).flat(), ...others]);
  expect([...written].filter(shape => !all.has(shape))).toEqual([]);
});
