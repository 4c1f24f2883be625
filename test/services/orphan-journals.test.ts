import { AsyncLocalStorage } from "node:async_hooks";
import { v7 as uuid } from "uuid";
import type { WriteOp } from "../../adapters/store/driver.ts";
import type { Identity } from "../../contracts/entities/user.ts";
import { DAY_MS } from "../../core/stats/days.ts";
import { ExecutionJournal } from "../../services/executions/store/journal.ts";
import executions from "../../services/executions/executions.service.ts";
import { Executions, Journal } from "../../services/executions/store/model.ts";
import { newExecution } from "../../services/executions/store/new-execution.ts";
import { OrphanJournals } from "../../services/executions/upkeep/remove-orphan-journals.ts";
import type { ExecutionsService } from "../../services/executions/upkeep/service.ts";
import { repeatWithPauses } from "../../service-kit/repeat-with-pauses.ts";
import type * as Pauses from "../../service-kit/repeat-with-pauses.ts";
import pods from "../../services/pods/pods.service.ts";
import workflows from "../../services/workflows/workflows.service.ts";
import workspaces from "../../services/workspaces/workspaces.service.ts";
import { definition, gives } from "../support/definition.ts";
import { executionDoc, insertJournal, insertRuns } from "../support/finished-runs.ts";
import {
  newScope,
  ownDataDir,
  type Scope,
  type ServiceNode,
  userIdentity,
  startServices,
} from "../support/service-node.ts";

// A turn ends by the clock. A test may count its steps instead.
jest.mock("../../service-kit/repeat-with-pauses.ts", () => {
  const { repeatWithPauses: real } = jest.requireActual<typeof Pauses>("../../service-kit/repeat-with-pauses.ts");
  return { repeatWithPauses: jest.fn(real) };
});
ownDataDir();

const ada: Identity = userIdentity();
let node: ServiceNode;
let scope: Scope;
beforeAll(async () => {
  node = await startServices(workspaces, pods, workflows, executions);
});
beforeEach(async () => {
  scope = await newScope(node, ada);
});
afterAll(() => node.stop());

const store = () => node.service<ExecutionsService>("executions").store;
const docs = () => store().tenant(Executions, scope.workspaceId);
const journals = () => store().tenant(Journal, scope.workspaceId).count({});
const daysOn = (days: number) => new Date(Date.now() + days * DAY_MS);
/** One turn, which does all that these tests store. */
const removeAt = (now: Date) => new OrphanJournals(store()).run(now);

test("the journal of a start that was interrupted after its first write is removed when no retry can follow", async () => {
  const { id: workflowId } = await node.act(ada, "workflows.create", {
    ...{ ...scope, name: "w", definition: definition([gives("a", 1)]) },
  });
  const start = () => node.act(ada, "executions.start", { ...scope, workflowId, input: null, waitMs: 5_000 });
  expect((await start()).status).toBe("completed");
  const before = await journals();
  const write = store().write.bind(store());
  const isStart = (op: WriteOp) => op.kind === "insert" && op.layout.name === "executions";
  // Other writes of the service, such as those of usage, may come first.
  const cut = jest.spyOn(store(), "write").mockImplementation(async ops => {
    if (!ops.some(isStart)) return write(ops);
    await write(ops.slice(0, 1));
    throw new Error("killed");
  });
  await expect(start()).rejects.toThrow();
  cut.mockRestore();
  expect([await journals(), await docs().count({})]).toEqual([before + 1, 1]);
  expect(await removeAt(daysOn(6))).toBe(0);
  expect(await removeAt(daysOn(8))).toBe(1);
  // That of the execution which was stored stays.
  expect(await journals()).toBe(before);
});

test("a journal that its calling execution may still complete is kept until that execution has ended", async () => {
  const caller = executionDoc({ ...scope, status: "suspended" });
  await insertRuns(store(), [caller]);
  const { doc, created } = newExecution({
    ...{ ...scope, workflowId: uuid(), workflowVersion: 1, startedBy: uuid(), attempt: 1, input: null },
    trigger: { type: "subworkflow", id: caller.id },
  });
  await store().write([new ExecutionJournal(store(), scope.workspaceId, doc.id).append(created)]);
  expect(await removeAt(daysOn(8))).toBe(0);
  await docs().updateOne({ id: caller.id }, { $set: { status: "failed", followUp: true } });
  expect(await removeAt(daysOn(8))).toBe(0);
  await docs().updateOne({ id: caller.id }, { $unset: { followUp: 1 } });
  expect(await removeAt(daysOn(8))).toBe(1);
  expect(await journals()).toBe(0);
});

test("more journals than fit a page are checked, and the next pass is a day later", async () => {
  const known = Array.from({ length: 130 }, () => executionDoc({ ...scope }));
  await insertRuns(store(), known);
  const lone = uuid();
  const { workspaceId } = scope;
  const append = { id: `${lone}:000000003`, workspaceId, executionId: lone, seq: 3, entries: [] };
  await store().tenant(Journal, scope.workspaceId).insert(append);
  const orphans = new OrphanJournals(store());
  let removed = 0;
  while (removed === 0) removed += await orphans.run(daysOn(8));
  expect([removed, await journals()]).toEqual([1, 0]);
  await store().tenant(Journal, scope.workspaceId).insert(append);
  expect(await orphans.run(daysOn(8.5))).toBe(0);
  while ((await journals()) > 0) await orphans.run(daysOn(9.5));
});

test("removes a few in a step of a round, however many lie between two executions", async () => {
  const { workspaceId } = scope;
  const orphan = (appends: number) => insertJournal(store(), executionDoc({ workspaceId }), appends);
  for (const appends of [700, 700, 700]) await orphan(appends);
  for (let left = 50; left > 0; left--) await orphan(1);
  const removedBySteps: number[] = [];
  const { repeatWithPauses: real } = jest.requireActual<typeof Pauses>("../../service-kit/repeat-with-pauses.ts");
  const counted = new AsyncLocalStorage<true>();
  jest.mocked(repeatWithPauses).mockImplementation(async (ms, step) => {
    // The service has turns of its own meanwhile.
    if (!counted.getStore()) return real(ms, step);
    const before = await journals();
    const more = await step();
    const removed = before - (await journals());
    if (removed > 0) removedBySteps.push(removed);
    return more;
  });
  const orphans = new OrphanJournals(store());
  while ((await journals()) > 0) await counted.run(true, () => orphans.run(daysOn(8)));
  // Appends: a range of many is gone over by one execution at a time, others by twenty.
  expect(removedBySteps).toEqual([700, 700, 700 + 19, 20, 11]);
});
