import { rm } from "node:fs/promises";
import { v7 as uuid } from "uuid";
import { openStore } from "../../adapters/store/open-store.ts";
import type { Store } from "../../adapters/store/port.ts";
import { mergeStats, statsOf } from "../../core/stats/run-stats.ts";
import { Executions, type ExecutionDoc } from "../../services/executions/store/model.ts";
import { durationOf } from "../../services/executions/store/durations.ts";
import { countPage } from "../../services/executions/stats/count-finished.ts";
import { FinishedRunCounter } from "../../services/executions/stats/finished-run-counter.ts";
import { DayStats, WorkflowStats } from "../../services/executions/stats/model.ts";
import { executionDoc, insertRuns, withoutTransactions } from "../support/finished-runs.ts";
import { seededRandom } from "../support/random.ts";
import { temporaryFolder } from "../support/server.ts";

let store: Store;
let dataDir: string;
beforeAll(async () => {
  dataDir = await temporaryFolder();
  store = await openStore({ dataDir, sync: "normal", collections: [Executions, DayStats, WorkflowStats] });
});
afterAll(async () => {
  await store.close();
  await rm(dataDir, { recursive: true });
});

const refuse = (_message: string, error: unknown) => {
  throw error;
};

const cutOff = (): never => {
  throw new Error("cut off");
};

/** Finished runs of a workspace, over three days and four workflows. */
function someRuns(count: number, random: () => number): ExecutionDoc[] {
  const workspaceId = uuid();
  const workflows = Array.from({ length: 4 }, () => uuid());
  const pick = <T>(of: readonly T[]) => of[Math.floor(random() * of.length)] as T;
  return Array.from({ length: count }, () => {
    const startedAt = new Date(Date.UTC(2026, 0, 1) + Math.floor(random() * 3 * 86_400_000));
    const finishedAt = new Date(startedAt.getTime() + Math.floor(random() * 100_000));
    const status = pick(["completed", "failed", "cancelled"] as const);
    return executionDoc({
      workspaceId,
      workflowId: pick(workflows),
      status,
      createdAt: startedAt,
      startedAt,
      finishedAt,
    });
  });
}

/** Over all four workflows in turn, so that any five of them make a write of seven parts. */
function runsOfOneDay(count: number): ExecutionDoc[] {
  const workflows = Array.from({ length: 4 }, () => uuid());
  const finishedAt = new Date(Date.UTC(2026, 0, 4));
  return someRuns(count, seededRandom(count)).map((run, i) => ({
    ...run,
    workflowId: workflows[i % 4]!,
    finishedAt,
    durationMs: durationOf(run.startedAt, finishedAt),
  }));
}

/** What is counted is what ran, once each, by day and by workflow. */
async function expectExact(runs: ExecutionDoc[]): Promise<void> {
  const { workspaceId } = runs[0]!;
  const days = (await store.tenant(DayStats, workspaceId).find({}, { limit: 100 })).items;
  const byWorkflow = (await store.tenant(WorkflowStats, workspaceId).find({}, { limit: 100 })).items;
  const bare = <T>(entries: [string, T][]) => Object.fromEntries(entries);
  const expected = (key: (run: ExecutionDoc) => string) =>
    bare([...Map.groupBy(runs, key)].map(([of, some]) => [of, statsOf(some)]));
  const day = ({ finishedAt }: ExecutionDoc) => finishedAt!.toISOString().slice(0, 10);
  expect(bare(days.map(doc => [doc.id.slice(-10), mergeStats([doc])]))).toEqual(expected(day));
  expect(bare(byWorkflow.map(doc => [`${doc.workflowId} ${doc.day}`, mergeStats([doc])]))).toEqual(
    expected(run => `${run.workflowId} ${day(run)}`),
  );
  for (const { runs: sum, completed, failed, cancelled } of byWorkflow)
    expect(sum).toBe(completed + failed + cancelled);
  expect(await store.tenant(Executions, workspaceId).count({ counted: true })).toBe(runs.length);
}

test("finished runs are counted once under repeated and concurrent counting, and other runs are not counted", async () => {
  const runs = someRuns(250, seededRandom(1));
  const { workspaceId } = runs[0]!;
  const others = (["pending", "running", "suspended"] as const).map(status => executionDoc({ workspaceId, status }));
  await insertRuns(store, [...runs, ...others]);
  const nodes = Array.from({ length: 3 }, () => new FinishedRunCounter(store, refuse));
  await Promise.all([...nodes, ...nodes].map(node => node.run()));
  expect(await nodes[0]!.run()).toBe(false);
  await expectExact(runs);
});

test.each([0, 1, 2, 3, 4, 5, 6, 7])(
  "counts nothing twice if a write is interrupted before its part %i",
  async place => {
    const runs = runsOfOneDay(40);
    await insertRuns(store, runs.slice(0, 30));
    let parts = 0;
    const failures: unknown[] = [];
    await countPage(
      withoutTransactions(store, () => (parts++ === place ? cutOff() : undefined)),
      null,
      error => failures.push(error),
    );
    // The day, its four workflows, the marks, and the end: a cut after these writes changes nothing.
    expect(failures).toHaveLength(place < 7 ? 1 : 0);
    await insertRuns(store, runs.slice(30));
    await new FinishedRunCounter(withoutTransactions(store), refuse).run();
    await expectExact(runs);
  },
);

test.each([0, 1, 2, 3, 4, 5, 6])("counts nothing twice if a node sleeps before part %i of its write", async place => {
  const runs = runsOfOneDay(40);
  const others = new FinishedRunCounter(withoutTransactions(store), refuse);
  await insertRuns(store, runs.slice(0, 20));
  await others.run();
  await insertRuns(store, runs.slice(20, 25));
  const asleep = Promise.withResolvers<void>();
  const woken = Promise.withResolvers<void>();
  let parts = 0;
  const sleeping = withoutTransactions(store, async () => {
    if (parts++ !== place) return;
    asleep.resolve();
    await woken.promise;
  });
  const sleeper = countPage(sleeping, null, cutOff);
  await asleep.promise;
  // Others bring to an end what it began, and go on.
  for (const from of [25, 30, 35]) {
    await insertRuns(store, runs.slice(from, from + 5));
    await others.run();
  }
  woken.resolve();
  await sleeper;
  await others.run();
  await expectExact(runs);
});

test("many nodes that are interrupted at random reach the same counts", async () => {
  const random = seededRandom(Date.now() % 1_000_000);
  const runs = someRuns(300, random);
  const cutting = withoutTransactions(store, () => (random() < 0.08 ? cutOff() : undefined));
  let inserted = 0;
  for (let round = 0; round < 25; round++) {
    await insertRuns(store, runs.slice(inserted, (inserted += 12)));
    await Promise.all(Array.from({ length: 4 }, () => countPage(cutting, null, () => undefined)));
  }
  const calm = new FinishedRunCounter(withoutTransactions(store), refuse);
  while (await calm.run());
  await expectExact(runs);
});

test("callers during a round share the next round", async () => {
  const runs = someRuns(20, seededRandom(3));
  await insertRuns(store, runs);
  const node = new FinishedRunCounter(store, refuse);
  const [first, second, third] = [node.run(), node.run(), node.run()];
  expect(second).toBe(third);
  expect(second).not.toBe(first);
  await second;
  await expectExact(runs);
});
