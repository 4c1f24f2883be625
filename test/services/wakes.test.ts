import { rm } from "node:fs/promises";
import { v7 as uuid } from "uuid";
import { openStore } from "../../adapters/store/open-store.ts";
import type { Store } from "../../adapters/store/port.ts";
import type { EngineParts } from "../../services/executions/engine/parts.ts";
import { QueueOrder } from "../../services/executions/store/queue-order.ts";
import { startWakes } from "../../services/executions/engine/wakes.ts";
import { Executions, type ExecutionDoc } from "../../services/executions/store/model.ts";
import { eventually } from "../support/executions.ts";
import { temporaryFolder } from "../support/server.ts";

let store: Store;
let dataDir: string;
beforeAll(async () => {
  dataDir = await temporaryFolder();
  store = await openStore({ dataDir, sync: "normal", collections: [Executions] });
});
afterAll(async () => {
  await store.close();
  await rm(dataDir, { recursive: true });
});

const sleeping = (workspaceId: string): ExecutionDoc => ({
  id: uuid(),
  workspaceId,
  spaceId: workspaceId,
  workflowId: uuid(),
  workflowVersion: 1,
  status: "running",
  trigger: { type: "manual" },
  startedBy: uuid(),
  attempt: 1,
  createdAt: new Date(),
  startedAt: new Date(),
  wakeAt: new Date(0),
});

test("thousands of executions that wake at once delay their own workspace and no other", async () => {
  const [many, other] = [uuid(), uuid()];
  const docs = Array.from({ length: 1_200 }, () => sleeping(many));
  const all = store.acrossTenants(Executions);
  await all.insertMany(docs);
  await all.insert(sleeping(other));
  const queue = new QueueOrder(store);
  const warn = (_message: string, error: unknown) => {
    throw error;
  };
  const parts = { store, queue, warn, isStopping: () => false } as unknown as EngineParts;
  const wakes = startWakes(parts, () => undefined);
  await eventually(async () => (await all.count({ wakeAt: { $exists: true } })) === 0, "all are awake");
  await wakes.stop();
  const first = (await all.find({ queued: true }, { sort: { order: 1 }, limit: 5 })).items;
  expect(first.map(({ workspaceId }) => workspaceId)).toContain(other);
  const orders = (await all.find({ queued: true, workspaceId: many }, { sort: { order: -1 }, limit: 1 })).items;
  expect(orders[0]?.order).toBeGreaterThanOrEqual(1_199);
  let given = -1;
  await queue.insert(uuid(), order => Promise.resolve((given = order)));
  expect(given).toBe(first[0]?.order);
});
