import type { Service, ServiceSchema } from "moleculer";
import type { Identity } from "../../contracts/entities/user.ts";
import { storeMixin, type WithStore } from "../../service-kit/store.mixin.ts";
import executions from "../../services/executions/executions.service.ts";
import pods from "../../services/pods/pods.service.ts";
import { schedules as collection } from "../../services/schedules/model.ts";
import schedules from "../../services/schedules/schedules.service.ts";
import { tick } from "../../services/schedules/tick.ts";
import { sweepWorkflows } from "../../services/workflows/remove.ts";
import workflows from "../../services/workflows/workflows.service.ts";
import workspaces from "../../services/workspaces/workspaces.service.ts";
import { definition, gives } from "../support/definition.ts";
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

/** Here the tests are the clock. */
const clockless: ServiceSchema = { ...schedules, mixins: [storeMixin([collection])] };
const MINUTE_MS = 60_000;

const ada: Identity = userIdentity();
let nodes: ServiceNode[];
let node: ServiceNode;
let scope: Scope;
let workflowId: string;
beforeAll(async () => {
  nodes = [];
  for (let i = 0; i < 2; i++) nodes.push(await startServices(workspaces, pods, workflows, executions, clockless));
  node = nodes[0]!;
});
afterAll(() => Promise.all(nodes.map(one => one.stop())));
beforeEach(async () => {
  scope = await newScope(node, ada);
  const given = definition([gives("a", { input: "{{ input }}", dueAt: "{{ trigger.dueAt }}" })]);
  ({ id: workflowId } = await node.act(ada, "workflows.create", { ...scope, name: "w", definition: given }));
});

const create = (more: object = {}) =>
  node.act(ada, "schedules.create", { ...scope, workflowId, cronExpr: "* * * * *", ...more });
const service = (of = node) => of.service<Service & WithStore>("schedules");
const clock = (ms: number | string, of = node) => tick(service(of), new Date(ms), new AbortController().signal);
const only = async () => (await node.act(ada, "schedules.list", scope)).items[0]!;
const runs = async () => (await node.act(ada, "executions.list", { ...scope, limit: 200 })).items;
const dueTimes = async () => {
  const all = await Promise.all((await runs()).map(({ id }) => node.act(ada, "executions.get", { ...scope, id })));
  return all.map(run => (run.output as { dueAt: string } | null)?.dueAt);
};
const ended = () => until(async () => (await runs()).every(run => run.status === "completed"));
const nextMinute = () => (Math.floor(Date.now() / MINUTE_MS) + 1) * MINUTE_MS;

test("a schedule shows when it runs next, right after every change", async () => {
  const first = await create({ cronExpr: "0 0 1 1 *", input: [1] });
  const newYear = `${new Date().getUTCFullYear() + 1}-01-01T00:00:00.000Z`;
  const nothingYet = { lastRunAt: null, lastExecutionId: null, restingReason: null, createdBy: ada.userId };
  expect(first).toMatchObject({ ...scope, workflowId, input: [1], enabled: true, nextRunAt: newYear, ...nothingYet });
  const change = (more: object) => node.act(ada, "schedules.update", { ...scope, id: first.id, ...more });
  expect(await change({ cronExpr: "0 0 31 12 *" })).toMatchObject({ nextRunAt: expect.stringContaining("-12-31T00") });
  expect(await change({ enabled: false })).toMatchObject({ enabled: false, nextRunAt: null });
  expect(await change({ cronExpr: "0 0 1 1 *", input: null })).toMatchObject({ nextRunAt: null, input: null });
  expect(await change({ enabled: true })).toMatchObject({ enabled: true, nextRunAt: newYear });
  expect(await create({ enabled: false })).toMatchObject({ nextRunAt: null, input: null });
  const listed = await node.act(ada, "schedules.list", scope);
  expect(listed.items.map(one => one.enabled)).toEqual([false, true]);
  await node.act(ada, "schedules.remove", { ...scope, id: first.id });
  await expect(change({ enabled: false })).rejects.toEqual(refusal("not_found"));
});

test("an invalid cron expression is rejected with an error that names the field", async () => {
  const fault = (message: string) => ({
    type: "validation_failed",
    data: { errors: [{ path: "/cronExpr", message }] },
  });
  await expect(create({ cronExpr: "60 * * * *" })).rejects.toMatchObject(
    fault("The minute field is out of range: 60. Allowed: 0 to 59."),
  );
  const { id } = await create();
  const change = node.act(ada, "schedules.update", { ...scope, id, cronExpr: "0 0 31 2 *" });
  await expect(change).rejects.toMatchObject(fault("No date ever fits this cron expression."));
  await expect(create({ input: "x".repeat(65_536) })).rejects.toEqual(refusal("payload_too_large"));
});

test("shows the times of a schedule in its time zone, over changes of the clock", async () => {
  const berlin = { cronExpr: "30 9 1 1 *", timezone: "Europe/Berlin" };
  const { id, ...first } = await create(berlin);
  const newYear = new Date().getUTCFullYear() + 1;
  expect(first).toMatchObject({ timezone: "Europe/Berlin", nextRunAt: `${newYear}-01-01T08:30:00.000Z` });
  const change = (more: object) => node.act(ada, "schedules.update", { ...scope, id, ...more });
  expect(await change({ timezone: "Asia/Kolkata" })).toMatchObject({ nextRunAt: `${newYear}-01-01T04:00:00.000Z` });
  await expect(change({ timezone: "Mars/Olympus" })).rejects.toMatchObject({
    data: { errors: [{ path: "/timezone", message: 'There is no time zone "Mars/Olympus".' }] },
  });
  expect(await node.act(ada, "schedules.read", { ...scope, id })).toMatchObject({ id, timezone: "Asia/Kolkata" });
  expect(await change({ timezone: "europe/kyiv" })).toMatchObject({ timezone: "Europe/Kyiv" });
  expect(await create({ ...berlin, timezone: "EUROPE/BERLIN" })).toMatchObject({
    ...berlin,
    nextRunAt: first.nextRunAt,
  });
  // Earlier versions stored the name as it was typed, or no time zone.
  const all = service().store.tenant(collection, scope.workspaceId);
  await all.updateOne({ id }, { $set: { timezone: "asia/kolkata" } });
  expect(await change({ cronExpr: "0 9 1 1 *" })).toMatchObject({ nextRunAt: `${newYear}-01-01T03:30:00.000Z` });
  await all.updateOne({ id }, { $unset: { timezone: true } });
  expect(await node.act(ada, "schedules.read", { ...scope, id })).toMatchObject({ timezone: "UTC" });
  expect(await change({ cronExpr: "30 9 31 12 *" })).toMatchObject({
    timezone: "UTC",
    nextRunAt: expect.stringContaining("-12-31T09:30"),
  });

  const { times } = await node.act(ada, "schedules.preview", { ...scope, ...berlin, count: 2 });
  expect(times).toEqual([`${newYear}-01-01T08:30:00.000Z`, `${newYear + 1}-01-01T08:30:00.000Z`]);
  const preview = node.act(ada, "schedules.preview", { ...scope, cronExpr: "61 * * * *" });
  await expect(preview).rejects.toEqual(refusal("validation_failed"));
});

test("starts a run at once on request, and keeps the next due time", async () => {
  const { id, nextRunAt } = await create({ cronExpr: "0 0 1 1 *", input: { at: "once" }, enabled: false });
  const run = await node.act(ada, "schedules.run", { ...scope, id });
  expect(run).toMatchObject({ workflowId, trigger: { type: "schedule", id }, startedBy: ada.userId });
  await ended();
  const { output } = await node.act(ada, "executions.get", { ...scope, id: run.id });
  expect(output).toMatchObject({ input: { at: "once" }, dueAt: expect.stringContaining("T") });
  expect(await only()).toMatchObject({ nextRunAt, lastRunAt: null });
  await expect(node.act(ada, "schedules.run", { ...scope, id: run.id })).rejects.toEqual(refusal("not_found"));
});

test("a due minute starts one execution of the deployed version when several nodes tick at once", async () => {
  const { id } = await create({ input: { a: 1 } });
  await node.act(ada, "workflows.deploy", { ...scope, id: workflowId });
  await node.act(ada, "workflows.update", { ...scope, id: workflowId, definition: null });
  const due = nextMinute();
  await clock(due - 1);
  expect(await runs()).toEqual([]);
  await Promise.all(Array.from({ length: 8 }, (_, i) => clock(due + 250, nodes[i % 2])));
  await ended();
  const [run, ...others] = await runs();
  expect(others).toEqual([]);
  expect(run).toMatchObject({ trigger: { type: "schedule", id }, workflowVersion: 1 });
  const { output } = await node.act(ada, "executions.get", { ...scope, id: run!.id });
  expect(output).toEqual({ input: { a: 1 }, dueAt: new Date(due).toISOString() });
  const ran = { lastExecutionId: run!.id, lastRunAt: new Date(due + 250).toISOString() };
  expect(await only()).toMatchObject({ ...ran, nextRunAt: new Date(due + MINUTE_MS).toISOString() });
});

test("an execution that a killed node started is not started again", async () => {
  const { id, nextRunAt } = await create();
  const due = Date.parse(nextRunAt!);
  await clock(due);
  // The run is there, but the node did not get to say so.
  const docs = service().store.tenant(collection, scope.workspaceId);
  await docs.updateOne({ id }, { $set: { nextRunAt: new Date(due), lastExecutionId: null } });
  await clock(due + 5_000, nodes[1]);
  const [run, ...others] = await runs();
  expect(others).toEqual([]);
  expect((await only()).lastExecutionId).toBe(run!.id);
});

test("after downtime, only the latest missed minute runs", async () => {
  await create();
  const due = nextMinute();
  const back = due + 3 * 3_600_000 + 20_000;
  await clock(back);
  await clock(back + 1_000);
  await ended();
  expect(await dueTimes()).toEqual([new Date(due + 3 * 3_600_000).toISOString()]);
  expect((await only()).nextRunAt).toBe(new Date(due + 3 * 3_600_000 + MINUTE_MS).toISOString());
});

test("starts nothing twice after a clock went back, and forgets one that was far ahead", async () => {
  await create();
  const due = nextMinute();
  await clock(due);
  await clock(due - 30_000);
  await clock(due + 1_000);
  expect(await runs()).toHaveLength(1);
  const ahead = due + 10 * 365 * 86_400_000;
  await clock(ahead);
  expect(await runs()).toHaveLength(2);
  await clock(due + 61_000);
  expect((await only()).nextRunAt).toBe(new Date(due + 2 * MINUTE_MS).toISOString());
  await clock(due + 2 * MINUTE_MS);
  expect(await runs()).toHaveLength(3);
});

test("a schedule is paused while its workflow is in the trash, says so, and resumes when it is restored", async () => {
  const { id } = await create();
  const due = nextMinute();
  await node.act(ada, "workflows.trash", { ...scope, id: workflowId });
  expect(await only()).toMatchObject({ enabled: true, restingReason: "workflow_trashed", nextRunAt: null });
  await clock(due);
  await clock(due + 5 * MINUTE_MS);
  expect(await runs()).toEqual([]);
  await expect(create()).rejects.toEqual(refusal("workflow_trashed"));
  await node.act(ada, "workflows.restore", { ...scope, id: workflowId });
  const next = new Date(due + 6 * MINUTE_MS).toISOString();
  expect(await only()).toMatchObject({ restingReason: null, nextRunAt: next, lastRunAt: null });
  await clock(due + 6 * MINUTE_MS);
  expect((await runs()).map(run => run.trigger.id)).toEqual([id]);
});

test("deleting a workflow removes its schedules", async () => {
  await create();
  await create({ enabled: false });
  await node.act(ada, "workflows.remove", { ...scope, id: workflowId });
  const none = async () => (await node.act(ada, "schedules.list", scope)).items.length === 0;
  await sweepWorkflows.call(node.service<Service & WithStore>("workflows"), new Date());
  await until(none);
  await clock(nextMinute());
  expect(await runs()).toEqual([]);
});

test("starts nothing for disabled and removed schedules, and keeps the due time when the input changes", async () => {
  const kept = await create({ input: 1 });
  const off = await create();
  const gone = await create();
  await node.act(ada, "schedules.update", { ...scope, id: off.id, enabled: false });
  await node.act(ada, "schedules.remove", { ...scope, id: gone.id });
  const docs = service().store.tenant(collection, scope.workspaceId);
  await docs.updateOne({ id: kept.id }, { $set: { nextRunAt: new Date(nextMinute() - MINUTE_MS) } });
  await node.act(ada, "schedules.update", { ...scope, id: kept.id, input: 2 });
  await clock(nextMinute() - 1);
  await ended();
  expect((await runs()).map(run => run.trigger.id)).toEqual([kept.id]);
});

test("many schedules of one minute all start, over several pages", async () => {
  const all: Awaited<ReturnType<typeof create>>[] = [];
  // In parts, as a server takes its time for so many.
  while (all.length < 450) all.push(...(await Promise.all(Array.from({ length: 50 }, () => create()))));
  await Promise.all(nodes.map(one => clock(nextMinute(), one)));
  const docs = service().store.tenant(collection, scope.workspaceId);
  const started = await docs.find({}, { limit: 1_000 });
  expect(new Set(started.items.map(one => one.lastExecutionId)).size).toBe(all.length);
  expect(started.items.every(one => one.lastExecutionId)).toBe(true);
});

test("a schedule that could not start stays due until it can", async () => {
  await create();
  const due = nextMinute();
  const down: ServiceSchema = {
    name: "executions",
    actions: { launch: () => Promise.reject(new Error("the store is away")), purge: () => null },
  };
  const lonely = await startServices(workspaces, pods, workflows, down, clockless);
  await clock(due, lonely);
  await lonely.stop();
  expect(await only()).toMatchObject({ lastRunAt: null, nextRunAt: new Date(due).toISOString() });
  await clock(due + 10_000);
  await ended();
  expect(await dueTimes()).toEqual([new Date(due).toISOString()]);
});
