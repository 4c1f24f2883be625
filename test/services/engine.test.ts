import { v7 as uuid } from "uuid";
import { JOURNAL_FORMAT } from "../../core/run/newer-entry.ts";
import type { Engine } from "../../services/executions/engine/engine.ts";
import { Lease } from "../../services/executions/engine/lease.ts";
import type { EngineParts } from "../../services/executions/engine/parts.ts";
import { deliver } from "../../services/executions/store/deliver.ts";
import { ExecutionJournal } from "../../services/executions/store/journal.ts";
import { Workers } from "../../services/executions/store/model.ts";
import { EngineStage, workspaceId } from "../support/engine-stage.ts";
import { until } from "../support/service-node.ts";

const CALL = { nodes: [{ id: "call", type: "http", data: { url: "http://example.com/" } }] };
const ASK_AND_CALL = { nodes: [{ id: "ask", type: "human", data: { prompt: "?" } }, ...CALL.nodes] };
const WIDE = {
  nodes: Array.from({ length: 120 }, (_, i) => ({ id: `n${i}`, type: "transform", data: { value: "{{ input }}" } })),
};

let stage: EngineStage;

beforeAll(async () => {
  stage = await EngineStage.open();
});
afterEach(() => stage.clear());
afterAll(() => stage.close());

const startEngine = (definition: unknown) => stage.startEngine(definition);
const begin = (engine: Engine, input?: unknown) => stage.begin(engine, input);
const executions = () => stage.executions;
const events = async (id: string): Promise<string[]> => (await stage.entries(id)).map(({ event }) => event);
const untilCalled = () => new Promise<string>(resolve => (stage.called = resolve));

test("a worker that was presumed dead and reclaims its execution continues it", async () => {
  const isCalled = untilCalled();
  const engine = await startEngine(CALL);
  const { id } = await begin(engine);
  await isCalled;
  // What another worker's sweep does when this one's lease has lapsed for a moment.
  await executions().updateMany({ id }, { $set: { queued: true, order: 0, lost: true }, $unset: { workerId: 1 } });
  engine.poke();
  while (!(await executions().get({ id }))?.workerId) await new Promise(setImmediate);
  const ended = engine.waiters.wait(id, 10_000);
  stage.calls[0]?.();
  expect((await ended)?.state.status).toBe("completed");
  expect(stage.calls).toHaveLength(1);
  expect(await events(id)).toEqual(["execution.started", "step.started", "step.completed", "execution.completed"]);
});

test("a waiter on this node reads the run again after another worker took it", async () => {
  const isCalled = untilCalled();
  const engine = await startEngine(CALL);
  const doc = await begin(engine);
  await isCalled;
  const woken = engine.waiters.wait(doc.id, 600_000);
  // Another worker, which lives, has it, and has appended: this one meets the fence when its call comes back.
  const other = await stage.store
    .global(Workers)
    .insert({ id: uuid(), startedAt: new Date(), expiresAt: new Date(Date.now() + 600_000) });
  await executions().updateMany({ id: doc.id }, { $set: { workerId: other.id } });
  const journal = new ExecutionJournal(stage.store, workspaceId, doc.id);
  const seq = ((await journal.last())?.seq ?? 0) + 1;
  await stage.store.write([journal.append({ seq, event: "execution.resumed", at: new Date().toISOString() })]);
  stage.calls[0]?.();
  expect(await woken).toBeUndefined();
  expect(engine.isHeld(doc.id)).toBe(false);
  await stage.store.global(Workers).remove({ id: other.id });
});

test("a run whose combined outputs exceed a document ends", async () => {
  const engine = await startEngine(WIDE);
  const { id } = await begin(engine, "x".repeat(250_000));
  const ended = await engine.waiters.wait(id, 20_000);
  expect(ended?.doc).toMatchObject({ status: "failed", error: { code: "output_too_large" } });
});

test("an answer without a hint reaches a run whose other steps run on this node", async () => {
  const isCalled = untilCalled();
  const engine = await startEngine(ASK_AND_CALL);
  const { id } = await begin(engine);
  await isCalled;
  while (!(await executions().get({ id }))?.asking) await new Promise(setImmediate);
  const answer = { approved: true, data: 1, respondedBy: uuid(), respondedAt: new Date().toISOString() };
  await deliver(stage.store, { workspaceId, id }, () => ({ kind: "answer", nodeId: "ask", attempt: 1, ...answer }));
  while ((await executions().get({ id }))?.asking) await new Promise(resolve => setTimeout(resolve, 20));
  expect(await events(id)).toEqual(["execution.started", "step.started", "step.started", "step.log", "step.completed"]);
});

test("a run is released once the store says so, even if its wait has become short enough to hold", async () => {
  const engine = await startEngine({ nodes: [{ id: "d", type: "delay", data: { ms: 1_100 } }] });
  const now = Date.now.bind(Date);
  let skew = 0;
  let answered = 0;
  const clock = jest.spyOn(Date, "now").mockImplementation(() => now() + skew);
  const write = stage.store.write.bind(stage.store);
  const slow = jest.spyOn(stage.store, "write").mockImplementation(async ops => {
    const written = await write(ops);
    skew += 500;
    answered++;
    return written;
  });
  try {
    const { id } = await begin(engine);
    // Its start, and with it that it waits.
    while (answered < 1) await new Promise(setImmediate);
    await new Promise(setImmediate);
    expect((await executions().get({ id }))?.wakeAt).toBeDefined();
    expect(engine.isHeld(id)).toBe(false);
  } finally {
    clock.mockRestore();
    slow.mockRestore();
  }
});

test.each([
  ["an entry of a kind that this version has not", { event: "step.postponed" as "step.log" }],
  ["an entry that takes more than this version knows", { event: "step.log" as const, needs: JOURNAL_FORMAT + 1 }],
])("leaves a run to newer workers because of %s", async (_, newer) => {
  const isCalled = untilCalled();
  const engine = await startEngine(CALL);
  const { id } = await begin(engine);
  await isCalled;
  const journal = new ExecutionJournal(stage.store, workspaceId, id);
  const { seq = 0 } = (await journal.last()) ?? {};
  await stage.store.write([journal.append({ seq: seq + 1, at: new Date().toISOString(), nodeId: "call", ...newer })]);
  // This worker's own next append meets the fence, and it reads what there is.
  stage.calls[0]?.();
  // What is stored can be read a moment before the worker hears that it is.
  await until(async () => !engine.isHeld(id) && !(await executions().get({ id }))?.workerId);
  expect(await executions().get({ id })).toMatchObject({ status: "running", wakeAt: expect.any(Date) as Date });
  expect((await events(id)).at(-1)).toBe(newer.event);
  await expect(journal.fold()).rejects.toMatchObject({ type: "unavailable" });
});

test("counts a worker whose clock is behind among those that may hold executions", async () => {
  const others = [1_000, 20_000].map(behind => ({
    id: uuid(),
    startedAt: new Date(),
    expiresAt: new Date(Date.now() - behind),
  }));
  await stage.store.global(Workers).insertMany(others);
  const logger = { warn: () => undefined };
  const parts = { workerId: uuid(), store: stage.store, logger, warn: () => undefined } as unknown as EngineParts;
  const nothing = { held: () => [], holds: () => false, returned: () => undefined, cancelled: () => undefined };
  const lease = new Lease(parts, 6_000, nothing);
  await lease.start();
  await until(() => lease.workers === 3);
  await lease.stop();
  await stage.store.global(Workers).remove({ id: { $in: others.map(({ id }) => id) } });
});
