import { v7 as uuid } from "uuid";
import type { ActionName } from "../../contracts/actions.ts";
import type { Meta } from "../../contracts/call.ts";
import type { AuditEntry } from "../../contracts/entities/audit-entry.ts";
import type { Identity } from "../../contracts/entities/user.ts";
import audit from "../../services/audit/audit.service.ts";
import { auditEntries } from "../../services/audit/model.ts";
import pods from "../../services/pods/pods.service.ts";
import workspaces from "../../services/workspaces/workspaces.service.ts";
import type { WithStore } from "../../service-kit/store.mixin.ts";
import type { WithSweep } from "../../service-kit/sweep.mixin.ts";
import { ownDataDir, type ServiceNode, userIdentity, startServices, until } from "../support/service-node.ts";

ownDataDir();

let node: ServiceNode;
let ada: Identity;
let workspaceId: string;
beforeAll(async () => (node = await startServices(workspaces, pods, audit)));
afterAll(() => node.stop());
beforeEach(async () => {
  ada = userIdentity();
  ({ id: workspaceId } = await node.act(ada, "workspaces.create", { name: "Acme" }));
});
afterEach(() => jest.restoreAllMocks());

/** Calls as the gateway does for a request. */
const ask = (action: ActionName, params: object) => {
  const meta: Meta = { identity: ada };
  return node.broker.call<unknown, object>(action, params, { meta, headers: { address: "192.0.2.1" } });
};
const newPod = () => ask("pods.create", { workspaceId, name: "Pod" });
const entries = async (): Promise<AuditEntry[]> => (await node.act(ada, "audit.list", { workspaceId })).items;
const store = () => node.service<WithStore>("audit").store;

/** Makes the log's writes fail from here on. */
function brokenLog(method: "insert" | "updateOne"): void {
  const { store: real } = node.service<WithStore>("audit");
  const tenant = real.tenant.bind(real);
  jest.spyOn(real, "tenant").mockImplementation((spec, id) => {
    const collection = tenant(spec, id);
    if (spec.name === auditEntries.name)
      collection[method] = () => Promise.reject<never>(new Error("the disk is full"));
    return collection;
  });
}

test("actions of other services create no entry", async () => {
  await node.act(ada, "pods.create", { workspaceId, name: "Pod" });
  expect(await entries()).toEqual([]);
});

test("when the entry cannot be written, the action changes nothing", async () => {
  brokenLog("insert");
  await expect(newPod()).rejects.toThrow();
  jest.restoreAllMocks();
  expect((await node.act(ada, "pods.list", { workspaceId })).items).toEqual([]);
});

test("when the outcome cannot be written, the entry says that it is unknown", async () => {
  brokenLog("updateOne");
  await newPod();
  jest.restoreAllMocks();
  expect(await entries()).toMatchObject([{ action: "pods.create", outcome: "unknown", error: null, resourceId: null }]);
});

test("the entry exists while the action runs, and an internal error leaves its outcome unknown", async () => {
  const during: AuditEntry[][] = [];
  jest.spyOn(node.service<WithStore>("pods").store, "write").mockImplementation(async () => {
    during.push(await entries());
    throw new Error("the disk is full");
  });
  await expect(newPod()).rejects.toThrow();
  expect(during).toMatchObject([[{ action: "pods.create", outcome: "unknown", error: null }]]);
  expect(await entries()).toMatchObject([{ outcome: "unknown", error: "internal_error", address: "192.0.2.1" }]);
});

test("an outcome is written once", async () => {
  await newPod();
  const [{ id }] = (await entries()) as [AuditEntry];
  const end = { outcome: "denied" as const, error: "role_too_low", resourceId: null };
  await node.act(null, "audit.conclude", { workspaceId, id, ...end });
  expect(await entries()).toMatchObject([{ id, outcome: "succeeded", error: null }]);
});

test("old entries are removed, and deleting a workspace removes its entries", async () => {
  await newPod();
  const [{ id }] = (await entries()) as [AuditEntry];
  const all = store().acrossTenants(auditEntries);
  const entry = (await all.get({ id }))!;
  const old = uuid({ msecs: Date.now() - 366 * 24 * 3_600_000 });
  const young = uuid({ msecs: Date.now() - 364 * 24 * 3_600_000 });
  for (const other of [old, young]) await all.insert({ ...entry, id: other });
  node.service<WithSweep>("audit").sweeper.soon();
  await until(async () => (await all.get({ id: old })) === null);
  expect((await entries()).map(one => one.id)).toEqual([id, young]);

  const mine = workspaceId;
  ({ id: workspaceId } = await node.act(ada, "workspaces.create", { name: "Other" }));
  await newPod();
  await node.act(null, "audit.purge", { workspaceId: mine });
  expect(await store().tenant(auditEntries, mine).count({})).toBe(0);
  expect(await entries()).toHaveLength(1);
});
