import { v7 as uuid } from "uuid";
import type { Identity } from "../../contracts/entities/user.ts";
import { DAY_MS, dayOf } from "../../core/stats/days.ts";
import { RELATIVE_ERROR } from "../../core/stats/histogram.ts";
import {
  Answers,
  Executions,
  Journal,
  journalRange,
  type ExecutionDoc,
} from "../../services/executions/store/model.ts";
import executions from "../../services/executions/executions.service.ts";
import type { ExecutionsService } from "../../services/executions/upkeep/service.ts";
import { DayStats, WorkflowStats } from "../../services/executions/stats/model.ts";
import { removeOld } from "../../services/executions/upkeep/sweep.ts";
import pods from "../../services/pods/pods.service.ts";
import workflows from "../../services/workflows/workflows.service.ts";
import workspaces from "../../services/workspaces/workspaces.service.ts";
import type { WithSweep } from "../../service-kit/sweep.mixin.ts";
import { definition, node as step } from "../support/definition.ts";
import { executionDoc, insertJournal, insertRuns } from "../support/finished-runs.ts";
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

let node: ServiceNode;
let ada: Identity;
let scope: Scope;
beforeAll(async () => {
  node = await startServices(workspaces, pods, workflows, executions);
  ada = userIdentity();
});
beforeEach(async () => {
  scope = await newScope(node, ada);
});
afterAll(() => node.stop());

const service = () => node.service<ExecutionsService & WithSweep>("executions");
const store = () => service().store;
const stats = (params: { from?: string; to?: string; workflowId?: string } = {}) =>
  node.act(ada, "executions.stats", { ...scope, ...params });

/** A finished run, so many days ago. */
function finished(daysAgo: number, ms: number, fields: Partial<ExecutionDoc> = {}): ExecutionDoc {
  const startedAt = new Date(Date.now() - daysAgo * DAY_MS);
  const finishedAt = new Date(startedAt.getTime() + ms);
  return executionDoc({ ...scope, createdAt: startedAt, startedAt, finishedAt, ...fields });
}

describe("statistics", () => {
  it("count ended runs at once, and other runs by their status", async () => {
    const asks = definition([step("ask", "human", { prompt: "?" })]);
    const [ends, waits, fails] = await Promise.all(
      [null, asks, definition([step("no", "fail", { message: "no" })])].map(async wanted => {
        const { id } = await node.act(ada, "workflows.create", { ...scope, name: "w", definition: wanted });
        await node.act(ada, "executions.start", { ...scope, workflowId: id, waitMs: wanted === asks ? 0 : 5_000 });
        return id;
      }),
    );
    await until(async () => (await stats()).byStatus.suspended === 1);
    const found = await stats();
    expect(found).toMatchObject({
      total: 3,
      byStatus: { pending: 0, running: 0, suspended: 1, completed: 1, failed: 1, cancelled: 0 },
      durations: { p50Ms: expect.any(Number) as number, p95Ms: expect.any(Number) as number },
    });
    expect(found.days).toHaveLength(31);
    expect(found.days.at(-1)).toMatchObject({
      day: dayOf(new Date()),
      byStatus: { completed: 1, failed: 1, cancelled: 0 },
    });
    expect(new Set(found.workflows.map(({ workflowId }) => workflowId))).toEqual(new Set([ends, fails]));
    expect(await stats({ workflowId: waits! })).toMatchObject({ total: 1, byStatus: { suspended: 1 }, workflows: [] });
  });

  it("show counts and durations by day and by workflow, of this space only", async () => {
    const [often, seldom] = [uuid(), uuid()];
    const runs = [
      ...Array.from({ length: 100 }, (_, i) => finished(2, (i + 1) * 1_000, { workflowId: often })),
      finished(2, 7, { workflowId: seldom, status: "failed" }),
      finished(5, 60_000, { workflowId: often }),
      finished(5, 0, { workflowId: seldom, status: "cancelled", startedAt: null }),
    ];
    const foreign = [
      finished(2, 5, { workflowId: often, spaceId: uuid() }),
      finished(2, 5, { workspaceId: uuid(), spaceId: scope.spaceId }),
    ];
    await insertRuns(store(), [...runs, ...foreign, finished(40, 5, { workflowId: often })]);
    while (await service().counting.run());
    const found = await stats();
    expect(found.total).toBe(103);
    expect(found.workflows.map(({ workflowId }) => workflowId)).toEqual([often, seldom]);
    expect(found.workflows[1]).toMatchObject({
      byStatus: { completed: 0, failed: 1, cancelled: 1 },
      p50Ms: 7,
      p95Ms: 7,
    });
    const near = (ms: number) => [ms * (1 - RELATIVE_ERROR), ms * (1 + RELATIVE_ERROR)] as const;
    const within = (value: number | null, [least, most]: readonly [number, number]) =>
      value !== null && value >= least && value <= most;
    expect(within(found.durations!.p50Ms, near(50_000))).toBe(true);
    expect(within(found.durations!.p95Ms, near(96_000))).toBe(true);
    // A run may end on the day after it began.
    const days = found.days.filter(({ byStatus }) => byStatus.completed + byStatus.failed + byStatus.cancelled > 0);
    expect(days.map(({ day }) => day)).toEqual([...new Set(runs.map(run => dayOf(run.finishedAt!)))].sort());
    expect((await stats({ workflowId: seldom })).byStatus).toMatchObject({ completed: 0, failed: 1, cancelled: 1 });
    expect((await stats({ workflowId: uuid() })).total).toBe(0);
  });

  it("cover every whole day that the range touches", async () => {
    const on = (time: string) => executionDoc({ ...scope, createdAt: new Date(time), finishedAt: new Date(time) });
    const times = ["2024-02-28T23:59:59.999Z", "2024-02-29T00:00:00.000Z", "2024-02-29T23:59:59.999Z"];
    await insertRuns(store(), [...times, "2024-03-01T00:00:00.000Z"].map(on));
    const found = await stats({ from: "2024-02-29T12:00:00Z", to: "2024-03-01T00:00:00Z" });
    expect(found).toMatchObject({ from: "2024-02-29T00:00:00.000Z", to: "2024-03-01T00:00:00.000Z", total: 2 });
    expect(found.days.map(({ day, byStatus }) => [day, byStatus.completed])).toEqual([["2024-02-29", 2]]);
    expect((await stats({ from: "2024-02-28T12:00:00Z", to: "2024-03-01T12:00:00Z" })).total).toBe(4);
    const empty = { from: "2024-03-02T00:00:00Z", to: "2024-03-02T00:00:00Z" };
    expect(await stats(empty)).toMatchObject({
      to: "2024-03-03T00:00:00.000Z",
      total: 0,
      durations: null,
      workflows: [],
    });
    const last = await stats({ from: "9999-12-31T23:59:59-12:00", to: "9999-12-31T23:59:59-12:00" });
    expect(last).toMatchObject({ to: "9999-12-31T00:00:00.000Z", total: 0 });
    expect((await stats({ from: "0000-01-01T00:00:00+12:00", to: "0000-01-01T00:00:00Z" })).days).toHaveLength(1);
  });

  it.each([
    { from: "2026-01-02T00:00:00Z", to: "2026-01-01T00:00:00Z" },
    { from: "2025-01-01T00:00:00Z", to: "2026-01-02T00:00:00.001Z" },
    { from: "2100-01-01T00:00:00Z" },
    { to: "soon" },
  ])("reject %j", async range => {
    await expect(stats(range)).rejects.toEqual(refusal("validation_failed"));
  });

  it("list the 100 workflows with the most runs of a day", async () => {
    const ids = Array.from({ length: 130 }, () => uuid());
    const runs = ids.flatMap((workflowId, i) => [
      ...Array.from({ length: i < 10 ? 3 : i < 100 ? 2 : 1 }, () => finished(2, 100, { workflowId })),
      // One that is never the busiest on the next day has runs there that count all the same.
      ...(i === 129 ? Array.from({ length: 5 }, () => finished(4, 100, { workflowId })) : []),
    ]);
    await insertRuns(store(), runs);
    while (await service().counting.run());
    const found = (await stats()).workflows;
    expect(found).toHaveLength(100);
    expect(found[0]).toMatchObject({ workflowId: ids[129], byStatus: { completed: 6 } });
    expect(new Set(found.slice(1, 11).map(({ workflowId }) => workflowId))).toEqual(new Set(ids.slice(0, 10)));
    expect(found.slice(11).map(({ byStatus }) => byStatus.completed)).toEqual(Array<number>(89).fill(2));
  });
});

describe("executions past their retention time", () => {
  const swept = async (doc: ExecutionDoc) => {
    service().sweeper.soon();
    await until(async () => (await store().tenant(Executions, doc.workspaceId).get({ id: doc.id })) === null);
  };
  const appendsOf = ({ id, workspaceId }: ExecutionDoc) =>
    store()
      .tenant(Journal, workspaceId)
      .count({ id: journalRange(id) });

  it("are removed with their journals, and everything else stays, statistics included", async () => {
    const old = [finished(31, 5), finished(400, 5, { status: "failed", trigger: { type: "retry", id: uuid() } })];
    const long = finished(32, 5);
    const others = [
      finished(29, 5),
      ...(["pending", "running", "suspended"] as const).map(status =>
        executionDoc({ ...scope, status, createdAt: new Date(Date.now() - 400 * DAY_MS) }),
      ),
    ];
    await insertRuns(store(), [...old, long, ...others]);
    for (const doc of [...old, ...others]) await insertJournal(store(), doc, 3);
    await insertJournal(store(), long, 1_203);
    for (const doc of [...old, long]) await swept(doc);
    for (const doc of [...old, long]) expect(await appendsOf(doc)).toBe(0);
    const { items } = await node.act(ada, "executions.list", { ...scope });
    expect(new Set(items.map(({ id }) => id))).toEqual(new Set(others.map(({ id }) => id)));
    for (const doc of others) expect(await appendsOf(doc)).toBe(3);
    const from = new Date(Date.now() - 40 * DAY_MS).toISOString();
    expect((await stats({ from })).byStatus).toMatchObject({ completed: 3 });
  });

  it("are removed with people's answers, and so are executions of a purged workspace", async () => {
    const [old, young] = [finished(31, 5), finished(1, 5)];
    const answersOf = () => node.act(ada, "executions.answers", { workspaceId: scope.workspaceId });
    const answer = ({ id: executionId, workflowId, workspaceId, spaceId }: ExecutionDoc) => ({
      ...{ id: `${executionId}:a`, executionId, workflowId, workspaceId, spaceId, workflowVersion: 1 },
      ...{ nodeId: "ask", nodeName: "ask", prompt: "?", approved: true, answeredBy: ada.userId, seq: 3 },
      ...{ askedAt: new Date(), answeredAt: new Date() },
    });
    await insertRuns(store(), [old, young]);
    await store()
      .tenant(Answers, scope.workspaceId)
      .insertMany([answer(old), answer(young)]);
    expect((await answersOf()).items).toHaveLength(2);
    await swept(old);
    expect((await answersOf()).items.map(({ executionId }) => executionId)).toEqual([young.id]);
    await node.act(null, "executions.purge", scope);
    expect((await answersOf()).items).toEqual([]);
  });

  it("are not found by any route", async () => {
    const doc = finished(60, 5, { status: "failed" });
    await insertRuns(store(), [doc]);
    await swept(doc);
    const address = { ...scope, id: doc.id };
    const calls = [
      node.act(ada, "executions.get", address),
      node.act(ada, "executions.logs", address),
      node.act(ada, "executions.retry", address),
      node.act(ada, "executions.cancel", address),
      node.act(ada, "executions.approve", address),
      node.act(ada, "executions.respond", address),
    ];
    await Promise.all(calls.map(call => expect(call).rejects.toEqual(refusal("not_found"))));
  });

  it("are kept while work for them is pending or a run waits for them", async () => {
    const parent = executionDoc({ ...scope, status: "suspended" });
    const kept = [
      finished(60, 5, { followUp: true, counted: true }),
      finished(60, 5, { counted: false, status: "failed" }),
      finished(60, 5, { parentId: parent.id, counted: true }),
    ];
    const gone = [finished(60, 5, { counted: true }), finished(60, 5, { parentId: uuid(), counted: true })];
    await insertRuns(store(), [parent, ...kept, ...gone]);
    const nobody = { store: store() };
    while (await removeOld(nobody, new Date(), 30));
    const left = await store().tenant(Executions, scope.workspaceId).find({}, { limit: 10 });
    const expected = [parent, ...kept].map(({ id }) => id);
    expect(new Set(left.items.map(({ id }) => id))).toEqual(new Set(expected));
    await store()
      .tenant(Executions, scope.workspaceId)
      .updateOne({ id: parent.id }, { $set: { status: "completed" } });
    while (await removeOld(nobody, new Date(), 30));
    expect(await store().tenant(Executions, scope.workspaceId).get({ id: kept[2]!.id })).toBeNull();
  });

  it("are kept forever when retention is 0 days", async () => {
    const doc = finished(2, 5, { counted: true });
    await insertRuns(store(), [doc]);
    expect(await removeOld({ store: store() }, new Date(), 0)).toBe(false);
    expect(await store().tenant(Executions, scope.workspaceId).count({})).toBe(1);
    while (await removeOld({ store: store() }, new Date(), 1));
    expect(await store().tenant(Executions, scope.workspaceId).count({})).toBe(0);
  });

  it("are removed once when several nodes remove them", async () => {
    const docs = Array.from({ length: 180 }, () => finished(60, 5, { counted: true }));
    await insertRuns(store(), docs);
    for (const doc of docs.slice(0, 20)) await insertJournal(store(), doc, 2);
    await Promise.all(Array.from({ length: 4 }, () => removeOld({ store: store() }, new Date(), 30)));
    while (await removeOld({ store: store() }, new Date(), 30));
    expect(await store().tenant(Executions, scope.workspaceId).count({})).toBe(0);
    expect(await store().tenant(Journal, scope.workspaceId).count({})).toBe(0);
  });
});

test("deleting a space removes its statistics and no others", async () => {
  const { id: spaceId } = await node.act(ada, "pods.spaces.create", { workspaceId: scope.workspaceId, name: "s" });
  await insertRuns(store(), [finished(1, 5), finished(1, 5, { spaceId })]);
  await stats();
  const left = async () => [
    await store().tenant(DayStats, scope.workspaceId).count({}),
    await store().tenant(WorkflowStats, scope.workspaceId).count({}),
  ];
  expect(await left()).toEqual([2, 2]);
  await node.act(null, "executions.purge", { workspaceId: scope.workspaceId, spaceId });
  expect(await left()).toEqual([1, 1]);
  expect((await stats()).total).toBe(1);
  await node.act(null, "executions.purge", { workspaceId: scope.workspaceId });
  expect(await left()).toEqual([0, 0]);
});
