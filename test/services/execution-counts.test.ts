import { v7 as uuid } from "uuid";
import type { Identity } from "../../contracts/entities/user.ts";
import { DAY_MS } from "../../core/stats/days.ts";
import executions from "../../services/executions/executions.service.ts";
import { labelWrites } from "../../services/executions/store/labels.ts";
import type { ExecutionDoc } from "../../services/executions/store/model.ts";
import type { ExecutionsService } from "../../services/executions/upkeep/service.ts";
import pods from "../../services/pods/pods.service.ts";
import workspaces from "../../services/workspaces/workspaces.service.ts";
import { executionDoc, insertRuns } from "../support/finished-runs.ts";
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

const DAY = Math.floor(Date.now() / DAY_MS - 2) * DAY_MS;

let node: ServiceNode;
beforeAll(async () => void (node = await startServices(workspaces, pods, executions)));
afterAll(() => node.stop());

let ada: Identity;
let scope: Scope;
beforeEach(async () => {
  ada = userIdentity();
  scope = await newScope(node, ada);
});

/** A slow store writes these within the time limit of a write. */
const AT_ONCE = 200;
const insert = async (count: number, more: (index: number) => Partial<ExecutionDoc>) => {
  const { store } = node.service<ExecutionsService>("executions");
  const docs = Array.from({ length: count }, (_, index) =>
    executionDoc({ ...scope, workflowId: scope.spaceId, createdAt: new Date(DAY + index), ...more(index) }),
  );
  for (let i = 0; i < count; i += AT_ONCE) await insertRuns(store, docs.slice(i, i + AT_ONCE));
  const labelled = docs.flatMap(doc => labelWrites(store, doc, doc.labels));
  if (labelled.length > 0) await store.write(labelled);
};
const counted = async (filter: object) => {
  const { workspaceId } = scope;
  const lists = await Promise.all([
    node.act(ada, "executions.list", { ...scope, ...filter, count: true, limit: 1 }),
    node.act(ada, "executions.listAll", { workspaceId, ...filter, count: true, limit: 1 }),
  ]);
  const totals = lists.map(({ total, totalIsMin }) => ({ total, totalIsMin }));
  expect(totals[0]).toEqual(totals[1]);
  return totals[0];
};

test("each filter counts as many executions as it lists", async () => {
  const { userId } = userIdentity();
  await insert(40, index => ({
    status: index % 2 === 0 ? "failed" : "completed",
    ...(index % 2 === 0 && {
      error: { code: index % 4 === 0 ? "step_timeout" : "http_status", message: `Shop ${index}` },
    }),
    ...(index < 10 && { key: "A-7", labels: { customer: "ada", region: index < 5 ? "eu" : "us" } }),
    ...(index < 3 && { startedBy: userId }),
  }));
  const is = async (filter: object, total: number) =>
    expect({ filter, ...(await counted(filter)) }).toEqual({ filter, total, totalIsMin: false });
  await is({}, 40);
  await is({ status: ["failed", "completed"] }, 40);
  await is({ status: ["failed", "running"] }, 20);
  await is({ error: "step_timeout" }, 10);
  await is({ q: "shop 1" }, 5);
  await is({ startedBy: userId }, 3);
  await is({ key: "A-7" }, 10);
  await is({ key: "A-7", status: "failed" }, 5);
  await is({ label: { customer: "ada" } }, 10);
  await is({ label: { customer: "ada", region: "us" } }, 5);
  await is({ label: { customer: "bob" } }, 0);
  await is({ from: new Date(DAY + 10).toISOString(), to: new Date(DAY + 30).toISOString() }, 20);
  await is({ error: "http_status", sort: "createdAt" }, 10);
});

test("filters by label and key also list the oldest first, page by page", async () => {
  await insert(25, index => ({ key: "A", labels: { n: index % 2 === 0 ? "even" : "odd" } }));
  for (const filter of [{ key: "A" }, { label: { n: "even" } }]) {
    const times: string[] = [];
    for (let cursor: string | undefined; ;) {
      const page = await node.act(ada, "executions.list", { ...scope, ...filter, sort: "createdAt", limit: 4, cursor });
      times.push(...page.items.map(({ createdAt }) => createdAt));
      if (page.next === null) break;
      cursor = page.next;
    }
    expect(times).toHaveLength("key" in filter ? 25 : 13);
    expect(times).toEqual(times.toSorted());
  }
});

test("says beyond 10,000 that there may be more, and stops counting", async () => {
  await insert(10_050, index => ({
    status: index < 20 ? "failed" : "completed",
    ...(index < 20 && { error: { code: "step_timeout", message: "Late" } }),
  }));
  expect(await counted({})).toEqual({ total: 10_000, totalIsMin: true });
  expect(await counted({ status: "completed" })).toEqual({ total: 10_000, totalIsMin: true });
  expect(await counted({ status: "failed" })).toEqual({ total: 20, totalIsMin: false });
  // The oldest are behind the 10,000 that are looked through, unless the list begins with them.
  const late = await counted({ error: "step_timeout" });
  expect(late).toMatchObject({ totalIsMin: true });
  expect(late!.total).toBeLessThan(20);
  expect(await counted({ error: "step_timeout", sort: "createdAt" })).toEqual({ total: 20, totalIsMin: true });
});

test("a count covers one workspace, and only its members may read it", async () => {
  await insert(3, () => ({}));
  const own = scope;
  const eve = userIdentity();
  const { id } = await node.act(eve, "workspaces.create", { name: "Other" });
  scope = { workspaceId: id, spaceId: id };
  await insert(2, () => ({ workflowId: uuid() }));
  expect(await node.act(eve, "executions.list", { ...scope, count: true })).toMatchObject({ total: 2 });
  await expect(node.act(eve, "executions.list", { ...own, count: true })).rejects.toEqual(refusal("not_found"));
});
