import { readdirSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import audit from "../../services/audit/audit.service.ts";
import idempotency from "../../services/idempotency/idempotency.service.ts";
import identity from "../../services/identity/identity.service.ts";
import notifications from "../../services/notifications/notifications.service.ts";
import pods from "../../services/pods/pods.service.ts";
import workflows from "../../services/workflows/workflows.service.ts";
import workspaces from "../../services/workspaces/workspaces.service.ts";
import type { WithOutbox } from "../../mixins/outbox.mixin.ts";
import type { WithSweep } from "../../mixins/sweep.mixin.ts";
import { ownDataDir, somebody, startServices, until } from "../support/service-node.ts";

ownDataDir();

test("no read of these services goes through a whole collection", async () => {
  const queries = new Set<string>();
  const prepare = jest.spyOn(DatabaseSync.prototype, "prepare");
  const selects = () => prepare.mock.calls.map(([sql]) => sql).filter(sql => sql.startsWith("SELECT doc"));

  const services = [identity, workspaces, pods, workflows, notifications, audit, idempotency];
  const node = await startServices(...services);
  const ada = somebody();
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
  const to = { userIds: [ada.userId], role: "viewer" } as const;
  await node.act(null, "notifications.notify", { key: id, workspaceId, type: "message", title: "t", to });
  await node.act(null, "notifications.notify", { key: id, workspaceId, type: "message", title: "t", to });
  const { items: notices } = await node.act(ada, "notifications.list", { unread: true });
  await node.act(ada, "notifications.read", { id: notices[0]!.id });
  await node.act(ada, "notifications.since", { after: 0 });
  await node.act(ada, "notifications.since", { after: 9 });
  await node.act(null, "notifications.purge", { workspaceId });
  for (const { name } of [workspaces, pods, workflows, notifications]) node.service<WithSweep>(name).sweeper.soon();
  node.service<WithOutbox>("workspaces").outbox.soon();
  const sorted = (by: string) => selects().filter(sql => sql.includes(`ORDER BY "${by}"`)).length;
  await until(() => sorted("purgeAt") >= 4 && sorted("tellAt") >= 2 && sorted("expiresAt") >= 1);
  for (const sql of selects()) queries.add(sql);
  await node.stop();
  prepare.mockRestore();

  const dir = process.env.DATA_DIR!;
  const database = new DatabaseSync(
    join(
      dir,
      readdirSync(dir).find(file => /\.(db|sqlite)$/.test(file))!,
    ),
  );
  const plans = [...queries].map(sql => {
    const values = new Array<number>(sql.split("?").length - 1).fill(0);
    const steps = database.prepare(`EXPLAIN QUERY PLAN ${sql}`).all(...values);
    return { sql, steps: steps.map(step => String(step.detail)) };
  });
  database.close();
  expect(plans.length).toBeGreaterThan(15);
  const scans = plans.filter(({ steps }) => steps.some(step => step.startsWith("SCAN") && !step.includes("json_each")));
  expect(scans).toEqual([]);
});
