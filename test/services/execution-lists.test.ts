import { v7 as uuid } from "uuid";
import { DAY_MS } from "../../core/stats/days.ts";
import { EXECUTION_STATUSES, type ExecutionSummary, type RunSort } from "../../contracts/entities/execution.ts";
import type { Identity } from "../../contracts/entities/user.ts";
import { Executions, type ExecutionDoc } from "../../services/executions/store/model.ts";
import executions from "../../services/executions/executions.service.ts";
import { DurationFilling } from "../../services/executions/upkeep/fill-durations.ts";
import type { ExecutionsService } from "../../services/executions/upkeep/service.ts";
import { durationOf } from "../../services/executions/store/durations.ts";
import pods from "../../services/pods/pods.service.ts";
import workspaces from "../../services/workspaces/workspaces.service.ts";
import { executionDoc, insertRuns } from "../support/finished-runs.ts";
import { seededRandom } from "../support/random.ts";
import {
  newScope,
  ownDataDir,
  refusal,
  type Scope,
  type ServiceNode,
  userIdentity,
  startServices,
} from "../support/service-node.ts";

ownDataDir();

// Younger than executions are kept, as the node removes older ones while they are listed.
const DAY = Math.floor(Date.now() / DAY_MS - 2) * DAY_MS;
const at = (ms: number) => new Date(DAY + ms).toISOString();
const workflowIds = [uuid(), uuid()];
const TRIGGERS = ["manual", "webhook", "schedule"] as const;

let node: ServiceNode;
let ada: Identity;
let scope: Scope;
let docs: ExecutionDoc[];
beforeAll(async () => {
  node = await startServices(workspaces, pods, executions);
  ada = userIdentity();
  scope = await newScope(node, ada);
  const random = seededRandom(7);
  const pick = <T>(of: readonly T[]) => of[Math.floor(random() * of.length)] as T;
  // Many in the same millisecond, and ids that say nothing of the time.
  docs = Array.from({ length: 150 }, () =>
    executionDoc({
      ...scope,
      workflowId: pick(workflowIds),
      status: pick(EXECUTION_STATUSES),
      trigger: { type: pick(TRIGGERS) },
      createdAt: new Date(DAY + Math.floor(random() * 12)),
    }),
  );
  // What began first does not end first.
  for (const doc of docs) {
    if (!doc.finishedAt) continue;
    doc.finishedAt = new Date(DAY + 1_000 + Math.floor(random() * 40));
    doc.durationMs = durationOf(doc.startedAt, doc.finishedAt);
  }
  const foreign = docs.slice(0, 5).map(doc => ({ ...doc, id: uuid(), workspaceId: uuid() }));
  const elsewhere = docs.slice(0, 5).map(doc => ({ ...doc, id: uuid(), spaceId: uuid() }));
  await insertRuns(node.service<ExecutionsService>("executions").store, [...docs, ...foreign, ...elsewhere]);
});
afterAll(() => node.stop());

interface Filters {
  workflowId?: string | undefined;
  status?: ExecutionDoc["status"] | undefined;
  trigger?: (typeof TRIGGERS)[number] | undefined;
  from?: string;
  to?: string;
}

async function listAll(filters: Filters, limit: number, sort: RunSort = "-createdAt"): Promise<ExecutionSummary[]> {
  const found: ExecutionSummary[] = [];
  for (let cursor: string | undefined; ;) {
    const page = await node.act(ada, "executions.list", { ...scope, ...filters, sort, limit, cursor });
    expect(page.items.length).toBeLessThanOrEqual(limit);
    found.push(...page.items);
    if (page.next === null) return found;
    expect(page.items).toHaveLength(limit);
    cursor = page.next;
  }
}

const matching = ({ workflowId, status, trigger, from, to }: Filters) =>
  docs
    .filter(doc => !workflowId || doc.workflowId === workflowId)
    .filter(doc => !status || doc.status === status)
    .filter(doc => !trigger || doc.trigger.type === trigger)
    .filter(doc => !from || doc.createdAt >= new Date(from))
    .filter(doc => !to || doc.createdAt < new Date(to));

const idsBy = (time: "createdAt" | "finishedAt" | "durationMs", list: ExecutionDoc[]) =>
  list.toSorted((a, b) => Number(b[time]) - Number(a[time]) || (a.id < b.id ? 1 : -1)).map(({ id }) => id);

const expected = (filters: Filters) => idsBy("createdAt", matching(filters));

const RANGES: Filters[] = [{}, { from: at(3) }, { to: at(9) }, { from: at(2), to: at(7) }, { from: at(4), to: at(4) }];
const CASES = [undefined, workflowIds[0]].flatMap(workflowId =>
  [undefined, "failed" as const, "pending" as const].flatMap(status =>
    [undefined, "webhook" as const].flatMap(trigger =>
      RANGES.map((range): Filters => ({ workflowId, status, trigger, ...range })),
    ),
  ),
);

test("executions are listed by every combination of filters, newest first, page by page", async () => {
  for (const filters of CASES) {
    for (const limit of [4, 200]) {
      const found = await listAll(filters, limit);
      expect({ filters, ids: found.map(({ id }) => id) }).toEqual({ filters, ids: expected(filters) });
    }
  }
  expect(expected({})).toHaveLength(150);
});

test("the oldest come first on request, and pages say how many executions match", async () => {
  for (const filters of CASES) {
    const ids = expected(filters).reverse();
    const found = await listAll(filters, 7, "createdAt");
    expect({ filters, ids: found.map(({ id }) => id) }).toEqual({ filters, ids });
    const counted = await node.act(ada, "executions.list", { ...scope, ...filters, count: true, limit: 1 });
    expect({ filters, ...counted }).toMatchObject({ filters, total: ids.length, totalIsMin: false });
  }
  expect(await node.act(ada, "executions.list", { ...scope, limit: 1 })).not.toHaveProperty("total");
});

test.each(["finishedAt", "durationMs"] as const)("lists ended executions by %s, in both directions", async field => {
  for (const filters of CASES) {
    const ids = idsBy(
      field,
      matching(filters).filter(doc => doc.finishedAt),
    );
    for (const sort of [`-${field}`, field] as const) {
      const wanted = sort === field ? ids.toReversed() : ids;
      const found = await listAll(filters, 7, sort);
      expect({ filters, sort, ids: found.map(({ id }) => id) }).toEqual({ filters, sort, ids: wanted });
      const counted = await node.act(ada, "executions.list", { ...scope, ...filters, sort, count: true, limit: 1 });
      expect({ filters, ...counted }).toMatchObject({ filters, total: ids.length, totalIsMin: false });
    }
  }
  expect(idsBy(field, docs)).not.toEqual(idsBy("createdAt", docs));
});

test("times may have an offset and any precision", async () => {
  const page = await node.act(ada, "executions.list", {
    ...scope,
    from: at(4 + 3_600_000).replace("Z", "+01:00"),
    limit: 200,
  });
  expect(page.items.map(({ id }) => id)).toEqual(expected({ from: at(4) }));
});

test.each([
  { from: at(2), to: at(1) },
  { from: "yesterday" },
  { to: "2026-02-30T00:00:00Z" },
  { from: "2026-03-01" },
  { trigger: "magic" },
])("rejects %j", async filters => {
  const asked = node.act(ada, "executions.list", { ...scope, ...filters } as never);
  await expect(asked).rejects.toEqual(refusal("validation_failed"));
});

test.each(["x", "1", "1.x", `-1.${uuid()}`, `1e3.${uuid()}`, "W10"])("rejects the cursor %s", async cursor => {
  await expect(node.act(ada, "executions.list", { ...scope, cursor })).rejects.toEqual(refusal("invalid_cursor"));
});

test("executions that start between two pages neither repeat nor hide others", async () => {
  const first = await node.act(ada, "executions.list", { ...scope, status: "failed", limit: 5 });
  const late = executionDoc({ ...scope, status: "failed", createdAt: new Date(DAY + 60_000) });
  const { store } = node.service<ExecutionsService>("executions");
  await insertRuns(store, [late]);
  const rest = await node.act(ada, "executions.list", { ...scope, status: "failed", limit: 200, cursor: first.next! });
  expect([...first.items, ...rest.items].map(({ id }) => id)).toEqual(expected({ status: "failed" }));
  await store.tenant(Executions, scope.workspaceId).remove({ id: late.id });
});

test("durations that an earlier version left out are filled in, from the newest end to the oldest", async () => {
  const { store } = node.service<ExecutionsService>("executions");
  const older = await newScope(node, ada);
  const begun = Date.now() - 5 * DAY_MS;
  const ended = [5, 1, 3].map(minutes =>
    executionDoc({
      ...older,
      createdAt: new Date(begun),
      finishedAt: new Date(begun + minutes * 60_000),
      durationMs: undefined,
      counted: true,
    }),
  );
  await insertRuns(store, ended);
  const longest = async () =>
    (await node.act(ada, "executions.list", { ...older, sort: "-durationMs", limit: 3 })).items.map(({ id }) => id);
  expect(await longest()).toEqual([]);
  const filling = new DurationFilling(store);
  while (await filling.run());
  expect(await longest()).toEqual([0, 2, 1].map(index => ended[index]!.id));
  expect(await new DurationFilling(store).run()).toBe(false);
});
