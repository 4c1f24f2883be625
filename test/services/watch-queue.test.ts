import { rm } from "node:fs/promises";
import { DatabaseSync } from "node:sqlite";
import { v7 as uuid } from "uuid";
import { openStore } from "../../adapters/store/open-store.ts";
import type { Store } from "../../adapters/store/port.ts";
import { Executions, type ExecutionDoc, Workers } from "../../services/executions/store/model.ts";
import { watchQueue } from "../../services/executions/upkeep/watch-queue.ts";
import { exposition } from "../../telemetry/exposition.ts";
import { executionDoc } from "../support/finished-runs.ts";
import { until } from "../support/service-node.ts";
import { temporaryFolder } from "../support/server.ts";

const [busy, calm, other] = [uuid(), uuid(), uuid()];
const ago = (seconds: number) => new Date(Date.now() - seconds * 1_000);
const limits = { concurrency: 8, perWorkspace: 2 };

let store: Store;
let dataDir: string;
const warnings: unknown[] = [];

beforeAll(async () => {
  dataDir = await temporaryFolder();
  store = await openStore({ dataDir, sync: "normal", collections: [Executions, Workers] });
});
afterEach(async () => {
  await Promise.all([busy, calm, other].map(id => store.tenant(Executions, id).remove({})));
});
afterAll(async () => {
  await store.close();
  await rm(dataDir, { recursive: true });
});

async function insert(workspaceId: string, ...docs: Partial<ExecutionDoc>[]): Promise<void> {
  const fresh = { workspaceId, status: "pending", createdAt: ago(1) } as const;
  await store.tenant(Executions, workspaceId).insertMany(docs.map(doc => executionDoc({ ...fresh, ...doc })));
}

const value = (series: string): number | undefined => {
  const line = exposition()
    .split("\n")
    .find(one => one.startsWith(`${series} `));
  return line === undefined ? undefined : Number(line.slice(series.length + 1));
};
const oldest = () => value('weft_queue_oldest_seconds{state="queued"}');

/** What the page says after one more look of one worker. */
async function watched(seen: Store, check: () => void): Promise<void> {
  const watch = watchQueue(seen, limits, (_, error) => warnings.push(error));
  expect(exposition()).not.toMatch(/^weft_(queue|workers)/m);
  watch.soon();
  await until(() => value("weft_workers") !== undefined || warnings.length > 0);
  check();
  await watch.stop();
}

test("a worker reports the number of executions by status, and how late the oldest are", async () => {
  await store.global(Workers).insert({ id: uuid(), startedAt: ago(9), expiresAt: ago(-60) });
  await store.global(Workers).insert({ id: uuid(), startedAt: ago(9), expiresAt: ago(1) });
  await insert(other, { queued: true, order: 5, createdAt: ago(30) });
  await insert(calm, { status: "running", workerId: uuid() });
  await insert(calm, { status: "running", wakeAt: ago(40) }, { status: "running", wakeAt: ago(-40) });
  await insert(calm, { status: "suspended", asking: 1 });
  // Another branch of it goes on.
  await insert(calm, { status: "running", asking: 1, workerId: uuid() });
  const prepare = jest.spyOn(DatabaseSync.prototype, "prepare");
  await watched(store, () => {
    const depths = ["queued", "held", "sleeping", "suspended"].map(state =>
      value(`weft_queue_depth{state="${state}"}`),
    );
    expect(depths).toEqual([1, 2, 2, 1]);
    expect(oldest()).toBeGreaterThanOrEqual(30);
    expect(value('weft_queue_oldest_seconds{state="sleeping"}')).toBeGreaterThanOrEqual(40);
    expect(value("weft_workers")).toBe(1);
    expect(value("weft_worker_capacity")).toBe(8);
  });
  const asked = [...new Set(prepare.mock.calls.map(([sql]) => sql))].filter(sql => sql.includes('"executions"'));
  prepare.mockRestore();
  const file = new DatabaseSync(`${dataDir}/weft.db`);
  const plans = asked.map(sql => {
    const none = new Array<number>(sql.split("?").length - 1).fill(0);
    return file
      .prepare(`EXPLAIN QUERY PLAN ${sql}`)
      .all(...none)
      .map(({ detail }) => String(detail));
  });
  file.close();
  expect(plans.length).toBeGreaterThanOrEqual(5);
  // Small indexes of their own, however much else is stored.
  const small = /USING (COVERING )?INDEX executions:(order|workerId|wakeAt|status_1_id|workspaceId_1_order)_/;
  for (const step of plans.flat().filter(one => / executions /.test(one))) expect(step).toMatch(small);
});

test("an execution that waits by design or is queued again is not counted as abandoned", async () => {
  await insert(busy, { status: "running", workerId: uuid() }, { status: "running", workerId: uuid() });
  await insert(busy, { queued: true, order: 1, createdAt: ago(1_000) });
  await insert(calm, { queued: true, order: 2, createdAt: ago(1_000), startedAt: ago(999) });
  await insert(calm, { queued: true, order: 3, createdAt: ago(1_000), group: "g" });
  await insert(other, { queued: true, order: 4, createdAt: ago(20) });
  await watched(store, () => {
    expect(value('weft_queue_depth{state="queued"}')).toBe(4);
    expect(oldest()).toBeGreaterThanOrEqual(20);
    expect(oldest()).toBeLessThan(900);
  });
});

test("an execution that is queued again and not taken ages from then on", async () => {
  await insert(calm, { queued: true, order: 2, createdAt: ago(1_000), startedAt: ago(999) });
  const watch = watchQueue(store, limits, () => undefined);
  watch.soon();
  await until(() => oldest() === 0);
  await until(() => {
    watch.soon();
    return (oldest() ?? 0) > 0;
  });
  await watch.stop();
});

test("a worker that cannot read the store stops reporting these values", async () => {
  await watched(store, () => undefined);
  expect(value("weft_workers")).toBeDefined();
  const away = () => Promise.reject(new Error("away"));
  const lost = { ...store, acrossTenants: () => ({ tally: away, count: away }), global: () => ({ count: away }) };
  await watched(lost as unknown as Store, () => undefined);
  expect(warnings).toEqual([new Error("away")]);
  expect(exposition()).not.toMatch(/^weft_(queue|workers)/m);
  expect(exposition()).toMatch(/^weft_worker_capacity 8$/m);
});
