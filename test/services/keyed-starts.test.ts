import type { Identity } from "../../contracts/entities/user.ts";
import type { WriteOp } from "../../adapters/store/port.ts";
import executions from "../../services/executions/executions.service.ts";
import { Executions } from "../../services/executions/store/model.ts";
import type { ExecutionsService } from "../../services/executions/upkeep/service.ts";
import pods from "../../services/pods/pods.service.ts";
import workflows from "../../services/workflows/workflows.service.ts";
import workspaces from "../../services/workspaces/workspaces.service.ts";
import { definition, gives } from "../support/definition.ts";
import {
  newScope,
  ownDataDir,
  type Scope,
  type ServiceNode,
  userIdentity,
  startServices,
} from "../support/service-node.ts";

ownDataDir();

let node: ServiceNode;
let ada: Identity;
let scope: Scope;
let workflowId: string;
beforeAll(async () => {
  node = await startServices(workspaces, pods, workflows, executions);
  ada = userIdentity();
  scope = await newScope(node, ada);
  const wanted = { ...scope, name: "w", definition: definition([gives("a", 1)]) };
  workflowId = (await node.act(ada, "workflows.create", wanted)).id;
});
afterAll(() => node.stop());
afterEach(() => void jest.restoreAllMocks());

const service = () => node.service<ExecutionsService>("executions");
const docs = () => service().store.tenant(Executions, scope.workspaceId);
const start = (key: string, onConflict: "return" | "reject" | "cancel") =>
  node.act(ada, "executions.start", { ...scope, workflowId, key, onConflict, waitMs: 0 });
const storesRun = (op: WriteOp) => op.kind === "insert" && op.layout.name === "executions";

/** The next write that stores a run takes place only after this. */
function storedAfter(work: () => Promise<unknown>): void {
  const { store } = service();
  const write = store.write.bind(store);
  const spy = jest.spyOn(store, "write").mockImplementation(async ops => {
    if (!ops.some(storesRun)) return write(ops);
    spy.mockRestore();
    await work();
    return write(ops);
  });
}

/** A start that comes while another one with its key is being stored. */
function startMeanwhile<T>(begin: () => Promise<T>): () => Promise<T> {
  let second: Promise<T> | undefined;
  storedAfter(async () => {
    const looked = Promise.withResolvers<void>();
    const { keyed } = service();
    const get = keyed.get.bind(keyed);
    jest.spyOn(keyed, "get").mockImplementation(place => (looked.resolve(), get(place)));
    second = begin();
    second.catch(() => undefined);
    await looked.promise;
  });
  return () => second!;
}

test("returns the existing run with the key, even if the new run would end at once", async () => {
  const second = startMeanwhile(() => start("k", "return"));
  const first = await start("k", "return");
  expect(await second()).toMatchObject({ id: first.id, status: "completed" });
  expect(await docs().count({ key: "k" })).toBe(1);
  expect((await start("k", "return")).id).not.toBe(first.id);
});

test("rejects a start with onConflict reject while a run with its key is open", async () => {
  const second = startMeanwhile(() => start("l", "reject"));
  await start("l", "reject");
  await expect(second()).rejects.toMatchObject({ type: "execution_key_taken" });
  expect(await docs().count({ key: "l" })).toBe(1);
});

test("creates the run with the second start if the first one fails", async () => {
  let second: Promise<{ id: string }> | undefined;
  storedAfter(() => {
    second = start("m", "return");
    return Promise.reject(new Error("cut off"));
  });
  await expect(start("m", "return")).rejects.toThrow();
  expect(await docs().get({ id: (await second!).id })).toMatchObject({ key: "m", status: "completed" });
});

test("frees the key of an ended run that a killed node left taken", async () => {
  const { id } = await start("n", "reject");
  await docs().updateOne({ id }, { $set: { openKey: "n" } });
  const next = await start("n", "reject");
  expect(next.id).not.toBe(id);
  expect((await docs().get({ id }))?.openKey).toBeUndefined();
});
