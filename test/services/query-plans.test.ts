import { readdirSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { Worker } from "node:worker_threads";
import { v7 as uuid } from "uuid";
import { unpacked } from "../../adapters/store/sqlite/packed-writes.ts";
import type { PackedWrite } from "../../adapters/store/sqlite/protocol.ts";
import audit from "../../services/audit/audit.service.ts";
import executions from "../../services/executions/executions.service.ts";
import type { ExecutionsService } from "../../services/executions/upkeep/service.ts";
import { insertWrites } from "../../services/executions/store/labels.ts";
import { removeOld } from "../../services/executions/upkeep/sweep.ts";
import idempotency from "../../services/idempotency/idempotency.service.ts";
import identity from "../../services/identity/identity.service.ts";
import mcp from "../../services/mcp/mcp.service.ts";
import type { Self as McpSelf } from "../../services/mcp/service.ts";
import { tick } from "../../services/mcp/tick.ts";
import memory from "../../services/memory/memory.service.ts";
import type { MemoryService } from "../../services/memory/service.ts";
import { sweepMemories } from "../../services/memory/sweep.ts";
import models from "../../services/models/models.service.ts";
import notifications from "../../services/notifications/notifications.service.ts";
import pods from "../../services/pods/pods.service.ts";
import workflows from "../../services/workflows/workflows.service.ts";
import workspaces from "../../services/workspaces/workspaces.service.ts";
import type { WithOutbox } from "../../service-kit/outbox.mixin.ts";
import type { WithSweep } from "../../service-kit/sweep.mixin.ts";
import { executionDoc, insertRuns } from "../support/finished-runs.ts";
import { FakeMcpClients, fakeTool } from "../support/fake-mcp-clients.ts";
import { ownDataDir, userIdentity, startServices, until } from "../support/service-node.ts";

ownDataDir();

/** How the embedded store would carry out these statements. */
function plansOf(queries: Iterable<string>): { sql: string; steps: string[] }[] {
  const dir = process.env.DATA_DIR!;
  const file = readdirSync(dir).find(name => /\.(db|sqlite)$/.test(name))!;
  const database = new DatabaseSync(join(dir, file));
  const plans = [...new Set(queries)].map(sql => {
    const values = new Array<number>(sql.split("?").length - 1).fill(0);
    const steps = database.prepare(`EXPLAIN QUERY PLAN ${sql}`).all(...values);
    return { sql, steps: steps.map(step => String(step.detail)) };
  });
  database.close();
  return plans;
}

/** Without a condition, and in the order of the ids, a read ends with its page. */
const isPage = / WHERE 1 ORDER BY _id LIMIT \?$/;

test("no read of these services scans a whole collection", async () => {
  const queries = new Set<string>();
  const prepare = jest.spyOn(DatabaseSync.prototype, "prepare");
  const selects = () => prepare.mock.calls.map(([sql]) => sql).filter(sql => sql.startsWith("SELECT doc"));

  const services = [identity, workspaces, pods, workflows, notifications, audit, idempotency];
  const node = await startServices(...services);
  const ada = userIdentity();
  const { id: workspaceId } = await node.act(ada, "workspaces.create", { name: "Acme" });
  await node.act(ada, "workspaces.create", { name: "Other" });
  const pod = await node.act(ada, "pods.create", { workspaceId, name: "Pod" });
  const scope = { workspaceId, spaceId: workspaceId };
  const { id } = await node.act(ada, "workflows.create", { ...scope, name: "w" });
  await node.act(ada, "workflows.create", { ...scope, name: "w" });
  await node.act(ada, "workflows.update", { ...scope, id, name: "w2" });
  const lists = (cursors: (string | null)[] = []) =>
    Promise.all([
      node.act(ada, "workspaces.list", { limit: 1, cursor: cursors[0] ?? undefined }),
      node.act(ada, "workflows.list", { ...scope, limit: 1, cursor: cursors[1] ?? undefined }),
      node.act(ada, "workflows.versions", { ...scope, id, limit: 1, cursor: cursors[2] ?? undefined }),
      node.act(ada, "pods.spaces.list", { workspaceId, limit: 1, cursor: cursors[3] ?? undefined }),
      node.act(ada, "workflows.list", { ...scope, starred: true }),
      node.act(ada, "pods.list", { workspaceId }),
      node.act(ada, "pods.spaces.list", { workspaceId, podId: pod.id }),
      node.act(ada, "workspaces.members", { workspaceId }),
    ]);
  await lists((await lists()).map(page => page.next));
  const from = "2026-01-01T00:00:00Z";
  for (const filter of [
    { from, to: from },
    { actorId: id },
    { action: "a" },
    { resourceType: "a" },
    { resourceId: id },
  ]) {
    await node.act(ada, "audit.list", { workspaceId, ...filter });
  }
  const digest = "0".repeat(64);
  await node.act(null, "idempotency.reserve", { scope: digest, fingerprint: digest, workspaceId });
  await node.act(null, "identity.users", { ids: [ada.userId] });
  for (const name of ["a", "b"]) {
    const { key } = await node.act(ada, "identity.apiKeys.create", { workspaceId, name });
    await node.act(null, "identity.verify", { token: key });
    await node.act(ada, "workspaces.invites.create", { workspaceId, email: `${name}@example.com` });
  }
  for (const list of ["identity.apiKeys.list", "workspaces.invites.list"] as const) {
    const { next } = await node.act(ada, list, { workspaceId, limit: 1 });
    await node.act(ada, list, { workspaceId, limit: 1, cursor: next ?? undefined });
  }
  await node.act(null, "identity.apiKeys.purge", { workspaceId, userId: ada.userId });
  await node.act(null, "workflows.snapshot", { workspaceId, workflowId: id, version: 1 });
  const to = { userIds: [ada.userId], role: "viewer" as const };
  await node.act(null, "notifications.notify", { key: id, workspaceId, type: "message", title: "t", to });
  await node.act(null, "notifications.notify", { key: id, workspaceId, type: "message", title: "t", to });
  const { items: notices } = await node.act(ada, "notifications.list", { unread: true });
  await node.act(ada, "notifications.read", { id: notices[0]!.id });
  await node.act(ada, "notifications.since", { after: 0 });
  await node.act(ada, "notifications.since", { after: 9 });
  await node.act(null, "notifications.purge", { workspaceId });
  for (const { name } of [identity, workspaces, pods, workflows, notifications])
    node.service<WithSweep>(name).sweeper.soon();
  node.service<WithOutbox>("workspaces").outbox.soon();
  const sorted = (by: string) => selects().filter(sql => sql.includes(`ORDER BY "${by}"`)).length;
  // The sweep of API keys reads them page by page. Otherwise it depends on the clock whether it comes before the end.
  const sweptKeys = () => selects().some(sql => sql.includes('"apiKeys"') && isPage.test(sql));
  await until(sweptKeys);
  await until(() => sorted("purgeAt") >= 4 && sorted("tellAt") >= 2 && sorted("expiresAt") >= 1);
  for (const sql of selects()) queries.add(sql);
  await node.stop();
  prepare.mockRestore();

  const plans = plansOf(queries);
  expect(plans.length).toBeGreaterThan(15);
  // The requests for links are a queue: a sweep reads all of it, and may run meanwhile.
  const isScan = (step: string) => step.startsWith("SCAN") && !/json_each|^SCAN resetRequests\b/.test(step);
  expect(plans.filter(({ sql, steps }) => steps.some(isScan) && !isPage.test(sql))).toEqual([]);
});

test("executions are listed, counted and removed by indexes that have them in order", async () => {
  const prepare = jest.spyOn(DatabaseSync.prototype, "prepare");
  const post = jest.spyOn(Worker.prototype, "postMessage");
  const node = await startServices(workspaces, pods, executions);
  const ada = userIdentity();
  const { id: workspaceId } = await node.act(ada, "workspaces.create", { name: "Acme" });
  const scope = { workspaceId, spaceId: workspaceId };
  const workflowId = workspaceId;
  const status = "completed";
  const range = { from: "2026-01-01T00:00:00Z", to: "2026-02-01T00:00:00Z" };
  const { store } = node.service<ExecutionsService>("executions");
  const createdAt = new Date("2026-01-02");
  const runs = Array.from({ length: 5 }, () => executionDoc({ ...scope, workflowId, createdAt, parentId: workflowId }));
  prepare.mockClear();
  post.mockClear();

  for (const filter of [{}, { workflowId }, { status }, { workflowId, status }] as const) {
    for (const trigger of [undefined, "manual"] as const) {
      await insertRuns(
        store,
        runs.map(run => ({ ...run, id: uuid() })),
      );
      const page = await node.act(ada, "executions.list", { ...scope, ...filter, trigger, limit: 2 });
      const cursor = page.next!;
      await node.act(ada, "executions.list", { ...scope, ...filter, trigger, ...range, limit: 2 });
      await node.act(ada, "executions.list", { ...scope, ...filter, trigger, ...range, limit: 2, cursor });
      for (const sort of ["finishedAt", "-finishedAt", "durationMs", "-durationMs"] as const) {
        const ended = await node.act(ada, "executions.list", { ...scope, ...filter, trigger, sort, limit: 2 });
        await node.act(ada, "executions.list", { ...scope, ...filter, trigger, sort, limit: 2, cursor: ended.next! });
      }
    }
  }
  for (const filter of [{}, { spaceId: workspaceId }, { workflowId }, { answeredBy: ada.userId }])
    for (const time of [{}, range]) await node.act(ada, "executions.answers", { workspaceId, ...filter, ...time });
  await node.act(ada, "executions.stats", { ...scope, ...range });
  await node.act(ada, "executions.stats", { ...scope, ...range, workflowId });
  await removeOld({ store }, new Date(), 1);
  await insertRuns(store, runs);
  await store.write(insertWrites(store, executionDoc({ ...scope, workflowId }), "a key"));
  await node.act(null, "executions.purge", scope);
  await node.act(null, "executions.purge", { workspaceId });
  const about = /"execution(s|DayStats|WorkflowStats)"|"journal"|"answers"|"waits"|"runLabels"/;
  const written = post.mock.calls
    .flat(2)
    .flatMap(request => (Array.isArray(request) ? unpacked(request as PackedWrite) : []));
  const statements = [
    ...prepare.mock.calls.map(([sql]) => sql),
    ...written.map(op => (op.kind === "update" ? op.select.text : op.kind === "remove" ? op.remove.text : "")),
    ...written.flatMap(op => (op.kind === "insert" ? op.taken.map(({ text }) => text) : [])),
  ].filter(sql => /^(SELECT|DELETE)/.test(sql) && about.test(sql));
  await node.stop();
  prepare.mockRestore();
  post.mockRestore();

  const plans = plansOf(statements);
  const of = (kind: RegExp) => plans.filter(({ sql }) => kind.test(sql));
  // The engine's queues are small indexes of their own, which it reads from their beginning.
  const ofQueue = /USING (COVERING )?INDEX executions:(order|workerId|workspaceId_1_order|wakeAt|tellAt)/;
  const scans = plans.filter(({ steps }) =>
    steps.some(step => step.startsWith("SCAN") && !/json_each|\(subquery/.test(step) && !ofQueue.test(step)),
  );
  expect(scans).toEqual([]);
  const lists = of(/^SELECT doc.* FROM "executions" .*ORDER BY "createdAt" DESC/);
  const counts = of(/^SELECT count.* FROM "executions" .*"createdAt"/);
  expect([lists.length, counts.length]).toEqual([12, 2]);
  const EQUAL = ["workspaceId", "spaceId", "workflowId", "status", "trigger.type"];
  for (const { sql, steps } of [...lists, ...counts]) {
    const prefix = EQUAL.filter(field => sql.includes(`"${field}" = ?`)).map(field => `${field}=?`);
    const bounded = /"createdAt" <=? \?/.test(sql) ? [...prefix, "createdAt<?"] : prefix;
    const plan = counts.some(count => count.sql === sql) ? [...prefix, "createdAt>?", "createdAt<?"] : bounded;
    expect(steps).toContainEqual(expect.stringContaining(` (${plan.join(" AND ")})`));
    expect(steps.join()).not.toContain("TEMP B-TREE");
  }
  for (const field of ["finishedAt", "durationMs"]) {
    const ended = of(/^SELECT doc.* FROM "executions" /).filter(
      ({ sql }) => sql.includes(`ORDER BY "${field}"`) && sql.includes('"spaceId" = ?'),
    );
    // From either side, the first page and a later one.
    expect(ended).toHaveLength(4);
    const indexed = new RegExp(`\\(workspaceId=\\? AND spaceId=\\? AND status=\\?( AND ${field}[<>]\\?)?\\)`);
    for (const { steps } of ended) {
      expect(steps.join()).toMatch(indexed);
      expect(steps.join()).not.toContain("TEMP B-TREE");
    }
  }
  const answers = of(/^SELECT doc.* FROM "answers" .*ORDER BY "answeredAt" DESC/);
  expect(answers).toHaveLength(8);
  expect(answers.flatMap(({ steps }) => steps).filter(step => step.includes("TEMP B-TREE"))).toEqual([]);
  const taken = of(/^SELECT 1 FROM "executions" .*"openKey" = /);
  expect(taken.map(({ steps }) => steps.join())).toEqual([
    expect.stringMatching(/SEARCH .* \(workspaceId=\? AND workflowId=\? AND openKey=\?\)$/),
  ]);
  const removals = of(/^DELETE FROM "executions"/);
  expect(removals.length).toBeGreaterThan(0);
  for (const { steps } of removals) expect(steps[0]).toContain("(_id=?)");
  // What an execution leaves elsewhere has ids that begin with its own.
  const below = of(/(DELETE|count).* FROM "(journal|answers|runLabels)".*_id >/);
  expect(below.length).toBeGreaterThan(2);
  for (const { steps } of below) expect(steps.join()).toContain("(_id>? AND _id<?)");
});

test("memories are found by their keys, and listed from the newest on, by indexes", async () => {
  const prepare = jest.spyOn(DatabaseSync.prototype, "prepare");
  const node = await startServices(workspaces, pods, models, memory);
  const ada = userIdentity();
  const { id: workspaceId } = await node.act(ada, "workspaces.create", { name: "Acme" });
  await node.act(ada, "memory.ingest", { workspaceId, content: "I live in Paris. I like tea." });
  const { memories } = await node.act(ada, "memory.ingest", { workspaceId, content: "I moved to Berlin." });
  const asOf = new Date().toISOString();
  for (const more of [{}, { asOf }, { superseded: true }, { scope: "user" as const }]) {
    const { next } = await node.act(ada, "memory.list", { workspaceId, limit: 1, ...more });
    if (next) await node.act(ada, "memory.list", { workspaceId, limit: 1, cursor: next, ...more });
  }
  await node.act(ada, "memory.profile", { workspaceId });
  for (const by of ["person", "thread", "workflow"] as const)
    await node.act(ada, "memory.subjects", { workspaceId, by });
  await node.act(ada, "memory.context", { workspaceId, query: "tea" });
  await node.act(ada, "memory.history", { workspaceId, id: memories[0]!.id });
  const step = { workspaceId, userId: ada.userId, sessionId: workspaceId };
  await node.act(null, "memory.steps.ingest", { ...step, content: "I like coffee." });
  await sweepMemories.call(node.service<MemoryService>("memory"), new Date());
  const about = /^SELECT (doc|count).* FROM "(memories|memoryEvents|memoryTurns)"/;
  // Where this takes a second, the index is being compared with all documents, page by page.
  const isCompared = / WHERE 1 ORDER BY _id LIMIT \?$/;
  const queries = prepare.mock.calls.map(([sql]) => sql).filter(sql => about.test(sql) && !isCompared.test(sql));
  await node.stop();
  prepare.mockRestore();

  const plans = plansOf(queries);
  expect(plans.length).toBeGreaterThan(10);
  const slow = plans.filter(({ sql, steps }) =>
    steps.some(
      one =>
        (/TEMP B-TREE/.test(one) && !sql.includes("json_each")) ||
        (one.startsWith("SCAN") && !/json_each|\(subquery/.test(one)),
    ),
  );
  expect(slow).toEqual([]);
  const byIds = plans.filter(({ sql }) => sql.includes("_id IN"));
  expect(byIds).not.toEqual([]);
  for (const { steps } of byIds) expect(steps[0]).toContain("(workspaceId=? AND _id=?)");
});

test("tool servers, their tools and changes are found by indexes", async () => {
  const prepare = jest.spyOn(DatabaseSync.prototype, "prepare");
  const node = await startServices(workspaces, pods, workflows, models, mcp);
  const clients = new FakeMcpClients();
  const url = "https://tools.example/mcp";
  clients.servers.set(url, { tools: [fakeTool("a"), fakeTool("b")] });
  const service = node.service<McpSelf>("mcp");
  service.clients = clients;
  const ada = userIdentity();
  const { id: workspaceId } = await node.act(ada, "workspaces.create", { name: "Acme" });
  const { id } = await node.act(ada, "mcp.create", { workspaceId, name: "Tools", url });
  await node.act(ada, "mcp.sync", { workspaceId, id });
  clients.servers.get(url)!.tools.pop();
  await node.act(ada, "mcp.sync", { workspaceId, id });
  await node.act(ada, "mcp.update", { workspaceId, id, name: "Renamed" });
  const page = { workspaceId, limit: 1 };
  const { next: cursor } = await node.act(ada, "mcp.list", page);
  await node.act(ada, "mcp.list", { ...page, cursor: cursor ?? undefined });
  await node.act(ada, "mcp.tools.list", { ...page, id });
  await node.act(ada, "mcp.changes", { ...page, id });
  await node.act(ada, "mcp.workflows", { ...page, id });
  const [tool] = await node.act(ada, "mcp.tools.search", { workspaceId, query: "a" });
  await node.act(null, "mcp.tools.describe", { workspaceId, toolIds: [tool!.id] });
  await tick(service, new Date(Date.now() + 86_400_000), new AbortController().signal);
  const about = /^SELECT (doc|count).* FROM "mcp(Servers|Tools|ToolChanges)"/;
  // Reconciling goes through all documents, a page at a time; that is what it is for.
  const queries = prepare.mock.calls
    .map(([sql]) => sql)
    .filter(sql => about.test(sql) && !sql.includes("WHERE 1 ORDER BY _id"));
  await node.stop();
  prepare.mockRestore();

  const plans = plansOf(queries);
  expect(plans.length).toBeGreaterThan(8);
  const slow = plans.filter(({ sql, steps }) =>
    steps.some(
      one =>
        (one.startsWith("SCAN") && !/json_each|\(subquery/.test(one)) || (/TEMP B-TREE/.test(one) && !/ IN /.test(sql)),
    ),
  );
  expect(slow).toEqual([]);
});
