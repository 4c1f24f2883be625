import { randomUUID } from "node:crypto";
import { MongoClient } from "mongodb";
import { v7 as uuid } from "uuid";
import { openStore } from "../../adapters/store/open-store.ts";
import type { Store } from "../../adapters/store/port.ts";
import type { EngineParts } from "../../services/executions/engine/parts.ts";
import { RemoteEnds } from "../../services/executions/engine/remote-ends.ts";
import { startWakes } from "../../services/executions/engine/wakes.ts";
import { countPage } from "../../services/executions/stats/count-finished.ts";
import { DayStats, WorkflowStats } from "../../services/executions/stats/model.ts";
import { RunLabels, labelWrites } from "../../services/executions/store/labels.ts";
import { Answers, type ExecutionDoc, Executions, Journal } from "../../services/executions/store/model.ts";
import { QueueOrder } from "../../services/executions/store/queue-order.ts";
import { removeExpired } from "../../services/executions/upkeep/remove-expired.ts";
import { CommandCounter } from "../support/command-counter.ts";
import { executionDoc, insertJournal, insertRuns } from "../support/finished-runs.ts";
import { databaseAt } from "../support/real-servers.ts";

// What is done for many executions at a time sends MongoDB a handful of commands for all of them.

const { MONGODB_URI = "" } = process.env;
if (!MONGODB_URI) throw new Error("MONGODB_URI is needed: these are commands to MongoDB.");
const mongodbUri = databaseAt(MONGODB_URI, `weft_test_${randomUUID().slice(0, 8)}`);
const DAY = new Date("2026-01-02T12:00:00Z");

let counter: CommandCounter;
let store: Store;
beforeAll(async () => {
  counter = await CommandCounter.open(mongodbUri);
  const collections = [Executions, Journal, Answers, RunLabels, DayStats, WorkflowStats];
  store = await openStore({ mongodbUri: counter.uri, dataDir: "", sync: "normal", collections });
});
beforeEach(async () => {
  await store.acrossTenants(Executions).remove({});
});
afterAll(async () => {
  await store.close();
  await counter.close();
  const client = await MongoClient.connect(mongodbUri);
  await client.db().dropDatabase();
  await client.close();
});

/** The number of commands that this sends. */
async function commandsOf(work: () => Promise<unknown>): Promise<number> {
  counter.take();
  await work();
  return Object.values(counter.take()).reduce((sum, count) => sum + count, 0);
}

const fail = (error: unknown): never => {
  throw error;
};

describe("the removal of expired runs", () => {
  const remove = () => removeExpired(store, new Date(), null);
  const expired = async (count: number, appends: number): Promise<ExecutionDoc[]> => {
    const workspaceId = uuid();
    const runs = Array.from({ length: count }, () =>
      executionDoc({ workspaceId, createdAt: DAY, counted: true, labels: { of: "a" } }),
    );
    await insertRuns(store, runs);
    for (const run of runs) {
      await insertJournal(store, run, appends);
      await store.write(labelWrites(store, run, run.labels));
    }
    return runs;
  };
  const left = async () => [
    await store.acrossTenants(Executions).count({}),
    await store.acrossTenants(Journal).count({}),
    await store.acrossTenants(RunLabels).count({}),
  ];

  test("takes six commands for 25 runs, and one command for an empty batch", async () => {
    await expired(25, 3);
    expect(await commandsOf(remove)).toBeLessThanOrEqual(6);
    expect(await left()).toEqual([0, 0, 0]);
    expect(await commandsOf(remove)).toBe(1);
  });

  test("removes a long journal in parts, and then the run", async () => {
    await expired(2, 3);
    const [long] = await expired(1, 45);
    expect(await remove()).toMatchObject({ more: true });
    expect(await left()).toEqual([1, 25, 1]);
    expect(await store.acrossTenants(Executions).get({})).toMatchObject({ id: long!.id });
    expect(await remove()).toMatchObject({ more: true });
    expect(await remove()).toMatchObject({ more: false });
    expect(await left()).toEqual([0, 0, 0]);
  });
});

test("50 finished runs of ten workflows are counted by nine commands", async () => {
  const workspaceId = uuid();
  const workflows = Array.from({ length: 10 }, () => uuid());
  const fifty = () =>
    Array.from({ length: 50 }, (_, i) => executionDoc({ workspaceId, workflowId: workflows[i % 10]!, createdAt: DAY }));
  const count = () => countPage(store, null, fail);
  for (const runs of [50, 100]) {
    await insertRuns(store, fifty());
    expect(await commandsOf(count)).toBeLessThanOrEqual(9);
    const days = (await store.tenant(DayStats, workspaceId).find({}, { limit: 10 })).items;
    expect(days).toEqual([expect.objectContaining({ completed: runs })]);
    const each = (await store.tenant(WorkflowStats, workspaceId).find({}, { limit: 20 })).items;
    expect(each.map(stats => stats.runs)).toEqual(Array.from({ length: 10 }, () => runs / 10));
  }
  expect(await commandsOf(count)).toBe(1);
});

test("200 executions that are due are woken by a handful of commands", async () => {
  const workspaceId = uuid();
  const due = Array.from({ length: 200 }, () =>
    executionDoc({ workspaceId, status: "running", wakeAt: new Date(Date.now() - 1) }),
  );
  await insertRuns(store, due);
  const parts = { store, queue: new QueueOrder(store), warn: (_: string, error: unknown) => fail(error) };
  const wake = async () => {
    const woken = Promise.withResolvers<void>();
    const wakes = startWakes({ ...parts, isStopping: () => false } as unknown as EngineParts, () => woken.resolve());
    wakes.soon();
    await woken.promise;
    await wakes.stop();
  };
  expect(await commandsOf(wake)).toBeLessThanOrEqual(6);
  expect(await store.acrossTenants(Executions).count({ queued: true })).toBe(200);
});

test("all callers that wait for runs of other nodes share one read", async () => {
  const workspaceId = uuid();
  const runs = Array.from({ length: 100 }, (_, i) =>
    executionDoc({ workspaceId, status: i < 60 ? "running" : "failed" }),
  );
  await insertRuns(store, runs);
  const ended: string[] = [];
  const elsewhere = new RemoteEnds(store, id => ended.push(id));
  const gone = uuid();
  const look = (soon: boolean) =>
    Promise.all([...runs.map(({ id }) => id), gone].map(id => elsewhere.look(id, { soon })));
  for (const soon of [true, false]) {
    ended.length = 0;
    expect(await commandsOf(() => look(soon))).toBe(1);
    expect(new Set(ended)).toEqual(new Set([...runs.slice(60).map(({ id }) => id), gone]));
  }
});

test("callers that ask for the same document in one turn share one read, which is sent after they asked", async () => {
  const run = executionDoc({ workspaceId: uuid() });
  await insertRuns(store, [run]);
  const all = store.tenant(Executions, run.workspaceId);
  const ask = () => Promise.all(Array.from({ length: 20 }, () => all.shared({ id: run.id })));
  expect(await commandsOf(ask)).toBe(1);
  await all.updateOne({ id: run.id }, { $set: { counted: true } });
  expect((await ask()).map(doc => doc?.counted)).toEqual(Array.from({ length: 20 }, () => true));
});

test("an empty list sends no command", async () => {
  const all = store.acrossTenants(Executions);
  const nothing = { id: { $in: [] } };
  const work = () =>
    Promise.all([
      ...[all.insertMany([]), all.find(nothing, { limit: 5 }), all.get(nothing), all.count(nothing)],
      ...[all.tally(nothing, "status"), all.remove(nothing), all.updateMany(nothing, { $set: { counted: true } })],
      ...[store.write([]), store.write([all.ops.remove(nothing)])],
    ]);
  expect(await commandsOf(work)).toBe(0);
});
