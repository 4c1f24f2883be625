import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { MongoClient } from "mongodb";
import { type Api, type Json, newWorkflow, newWorkspace } from "../support/api.ts";
import { CommandCounter } from "../support/command-counter.ts";
import { definition, gives, node } from "../support/definition.ts";
import { startEndpoint } from "../support/endpoint.ts";
import { eventually } from "../support/executions.ts";
import { databaseAt } from "../support/real-servers.ts";
import { removeServer, type Server, startServer } from "../support/server.ts";

// How many commands a path sends to MongoDB, as they pass on the wire. Each of them is a round trip.

const { MONGODB_URI = "" } = process.env;
if (!MONGODB_URI) throw new Error("MONGODB_URI is needed: these are commands to MongoDB.");
const mongodbUri = databaseAt(MONGODB_URI, `weft_test_${randomUUID().slice(0, 8)}`);
const IDLE_S = 5;
const RUNS = 20;

let counter: CommandCounter;
let server: Server;
let api: Api;
let space: string;
let workspaceId: string;

beforeAll(async () => {
  counter = await CommandCounter.open(mongodbUri);
  server = await startServer({ env: { MONGODB_URI: counter.uri } });
  ({ api, space, workspaceId } = await newWorkspace(server.url));
});
afterAll(async () => {
  await removeServer(server);
  await counter.close();
  const client = await MongoClient.connect(mongodbUri);
  await client.db().dropDatabase();
  await client.close();
});

const sum = (counts: Record<string, number>, ...names: string[]) =>
  names.reduce((total, name) => total + (counts[name] ?? 0), 0);

test("an idle worker looks for work about twice a second, and writes nothing for it", async () => {
  counter.take();
  await sleep(IDLE_S * 1_000);
  const counts = counter.take();
  // One look for queued runs and one for those that are due, each at most every 0.75 s, and what a lease takes.
  expect(sum(counts, "find executions")).toBeLessThanOrEqual(Math.ceil((2 * IDLE_S) / 0.75) + 2);
  expect(sum(counts, "findAndModify executions", "update executions")).toBe(0);
});

test("a run of three pure steps takes one append and one document", async () => {
  const steps = definition([gives("a", "{{ input }}"), gives("b", 2), gives("c", 3)], "a > b", "b > c");
  const workflowId = await newWorkflow(api, space, steps);
  const run = async () => {
    const { status, body } = await api.post(`${space}/executions`, { workflowId }, { prefer: "wait=30" });
    expect([status, body.status]).toEqual([201, "completed"]);
  };
  // The code of a new process is slow at first, and the time that a run takes in memory is limited.
  for (let i = 0; i < RUNS; i++) await run();
  counter.take();
  for (let i = 0; i < RUNS; i++) await run();
  const counts = counter.take();
  expect(sum(counts, "insert executions")).toBe(RUNS);
  // A busy machine may cut the time of a few runs short, which then append twice.
  expect(sum(counts, "insert journal")).toBeLessThanOrEqual(RUNS * 1.5);
});

test("a start of pure steps takes four commands: the session, the rest of what it checks, and two writes", async () => {
  const workflowId = await newWorkflow(api, space, definition([gives("a", 1)]));
  const start = () => api.post(`${space}/executions`, { workflowId }, { prefer: "wait=30" });
  for (let i = 0; i < RUNS; i++) await start();
  counter.take();
  // A request that is slow, as on a slow store, checks its session again after each second.
  let seconds = 0;
  for (let i = 0; i < RUNS; i++) {
    const from = performance.now();
    await start();
    seconds += Math.floor((performance.now() - from) / 1_000);
  }
  // Sweeps read the same collections meanwhile, but not for this workspace.
  const counts = counter.counts(workspaceId);
  const sessions = counter.counts()["find sessions"];
  const checks = ["members", "spaces", "workflows", "workspaces"];
  const together = sum(counts, ...checks.map(name => `aggregate ${name}`));
  // A start may share the read of a document with a sweep that reads it at the same moment.
  expect(together).toBeGreaterThan(RUNS / 2);
  expect(together).toBeLessThanOrEqual(RUNS + 5);
  expect(sessions).toBeGreaterThan(RUNS / 2);
  expect(sessions).toBeLessThanOrEqual(RUNS + seconds + 5);
  expect(sum(counts, "find members", "find spaces", "find workflows")).toBeLessThanOrEqual(2);
  // The usage of a workspace is written about once a second, with a look at its quotas.
  expect(sum(counts, "find workspaces")).toBeLessThanOrEqual(2 + sum(counts, "findAndModify usages"));
  expect(sum(counts, "insert executions")).toBe(RUNS);
  expect(sum(counts, "insert journal")).toBeLessThanOrEqual(RUNS * 1.5);
});

test("a run of three calls takes four appends, an insert and an update", async () => {
  const endpoint = await startEndpoint();
  try {
    const call = (id: string) => node(id, "http", { url: `${endpoint.url}/status/200` });
    const workflowId = await newWorkflow(api, space, definition([call("a"), call("b"), call("c")], "a > b", "b > c"));
    counter.take();
    for (let i = 0; i < RUNS; i++) {
      const { body } = await api.post(`${space}/executions`, { workflowId }, { prefer: "wait=30" });
      expect(body.status).toBe("completed");
    }
    const counts = counter.take();
    expect(counts["insert executions"]).toBe(RUNS);
    expect(counts["insert journal"]).toBe(4 * RUNS);
    expect(counts["findAndModify executions"]).toBe(RUNS);
  } finally {
    await endpoint.close();
  }
});

test("a key costs such a run one write, which releases the key", async () => {
  const workflowId = await newWorkflow(api, space, definition([gives("a", 1), gives("b", 2)], "a > b"));
  const run = async () => {
    const body = { workflowId, key: randomUUID() };
    expect((await api.post(`${space}/executions`, body, { prefer: "wait=30" })).body.status).toBe("completed");
  };
  for (let i = 0; i < RUNS; i++) await run();
  counter.take();
  for (let i = 0; i < RUNS; i++) await run();
  const counts = counter.take();
  expect(sum(counts, "insert executions")).toBe(RUNS);
  expect(sum(counts, "insert journal")).toBeLessThanOrEqual(RUNS * 1.5);
  expect(sum(counts, "findAndModify executions", "update executions")).toBeLessThanOrEqual(RUNS * 1.5);
});

test("a step that begins to wait for a signal is written once", async () => {
  const workflowId = await newWorkflow(api, space, definition([node("w", "wait", { event: "never" })]));
  counter.take();
  const begun = await Promise.all(Array.from({ length: RUNS }, () => api.post(`${space}/executions`, { workflowId })));
  const isWaiting = ({ waitsFor }: Json) => waitsFor === "event";
  for (const { body } of begun) {
    const steps = async () => (await api.get(`${space}/executions/${body.id}/steps`)).body as Json[];
    await eventually(async () => (await steps()).some(isWaiting), "the step waits");
  }
  expect(sum(counter.take(), "insert waits")).toBe(RUNS);
});
