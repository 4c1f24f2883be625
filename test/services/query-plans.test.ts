import { readdirSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import audit from "../../services/audit/audit.service.ts";
import idempotency from "../../services/idempotency/idempotency.service.ts";
import identity from "../../services/identity/identity.service.ts";
import pods from "../../services/pods/pods.service.ts";
import workflows from "../../services/workflows/workflows.service.ts";
import workspaces from "../../services/workspaces/workspaces.service.ts";
import type { WithSweep } from "../../mixins/sweep.mixin.ts";
import { ownDataDir, somebody, startServices, until } from "../support/service-node.ts";

ownDataDir();

test("no read of these services goes through a whole collection", async () => {
  const queries = new Set<string>();
  const prepare = jest.spyOn(DatabaseSync.prototype, "prepare");
  const selects = () => prepare.mock.calls.map(([sql]) => sql).filter(sql => sql.startsWith("SELECT doc"));

  const services = [identity, workspaces, pods, workflows, audit, idempotency];
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
  await node.act(null, "workflows.snapshot", { workspaceId, workflowId: id, version: 1 });
  for (const { name } of [workspaces, pods, workflows]) node.service<WithSweep>(name).sweeper.soon();
  await until(() => selects().filter(sql => sql.includes('ORDER BY "purgeAt"')).length >= 4);
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
