import { setTimeout as sleep } from "node:timers/promises";
import { openStore } from "../../adapters/store/open-store.ts";
import type { CollectionSpec, Store } from "../../adapters/store/port.ts";
import { auditEntries } from "../../services/audit/model.ts";
import { Executions, Journal } from "../../services/executions/store/model.ts";
import { apiKeys } from "../../services/identity/model.ts";
import { spaces } from "../../services/pods/model.ts";
import { schedules } from "../../services/schedules/model.ts";
import { webhooks } from "../../services/webhooks/model.ts";
import { versions, workflows } from "../../services/workflows/model.ts";
import { invites, members } from "../../services/workspaces/model.ts";
import { type Api, register } from "../support/api.ts";
import { eventually } from "../support/executions.ts";
import { executionDoc, insertJournal, insertRuns } from "../support/finished-runs.ts";
import { removeServer, type Server, startServer } from "../support/server.ts";
import { newTenant, type Tenant } from "../support/tenant.ts";
import { storeAt } from "../support/real-servers.ts";

const RUNS = 800;
const WITH_JOURNALS = 100;

/** What a space holds, and what a workspace holds beside its spaces. */
const IN_SPACE = [workflows, versions, schedules, webhooks] as CollectionSpec[];
const IN_WORKSPACE = [...IN_SPACE, spaces, members, invites, apiKeys, auditEntries] as CollectionSpec[];

const DELETIONS: [string, (tenant: Tenant) => string, CollectionSpec[]][] = [
  ["space", ({ spaceId }) => `/spaces/${spaceId}`, IN_SPACE],
  ["pod", ({ podId }) => `/pods/${podId}`, IN_SPACE],
  ["workspace", () => "", IN_WORKSPACE],
];

let server: Server;
let store: Store;
let api: Api;
beforeAll(async () => {
  server = await startServer();
  api = await register(server.url);
  store = await openStore({
    ...storeAt(server.dataDir),
    collections: [Executions, Journal, ...IN_WORKSPACE] as CollectionSpec[],
  });
});
afterAll(async () => {
  await store.close();
  await removeServer(server);
});

async function manyRuns({ workspaceId, spaceId, workflowId }: Tenant): Promise<void> {
  const docs = Array.from({ length: RUNS }, () => executionDoc({ workspaceId, spaceId, workflowId }));
  await insertRuns(store, docs);
  await Promise.all(docs.slice(0, WITH_JOURNALS).map(doc => insertJournal(store, doc, 3)));
}

test.each(DELETIONS)(
  "the next process completes the deletion of a %s that a kill interrupted",
  async (what, pathOf, holds) => {
    const tenant = await newTenant(api.at(server.url), what);
    const { workspaceId } = tenant;
    await manyRuns(tenant);
    const runs = () => store.tenant(Executions, workspaceId).count({});
    const path = `/v1/workspaces/${workspaceId}${pathOf(tenant)}`;
    expect((await api.at(server.url).delete(path)).status).toBe(204);
    while ((await runs()) > RUNS - 50) await sleep(1);
    await server.stop("SIGKILL");
    expect(await runs()).toBeGreaterThan(1);

    server = await startServer({ dataDir: server.dataDir });
    expect((await api.at(server.url).get(path)).status).toBe(404);
    // What had not finished is cancelled, is counted, and goes with the second purge.
    const { executionId } = tenant;
    const others = async () => ({
      runs: await store.tenant(Executions, workspaceId).count({ id: { $ne: executionId } }),
      entries: await store.tenant(Journal, workspaceId).count({ executionId: { $ne: executionId } }),
      rest: (await Promise.all(holds.map(spec => store.tenant(spec, workspaceId).count({})))).filter(
        count => count > 0,
      ),
    });
    const none = JSON.stringify({ runs: 0, entries: 0, rest: [] });
    await eventually(async () => JSON.stringify(await others()) === none, "nothing is left");
    expect(await store.tenant(Executions, workspaceId).get({ id: executionId })).toMatchObject({ status: "cancelled" });
  },
);
