import { v7 as uuid } from "uuid";
import type { Identity } from "../../contracts/entities/user.ts";
import { ExecutionJournal } from "../../services/executions/store/journal.ts";
import executions from "../../services/executions/executions.service.ts";
import type { ExecutionsService } from "../../services/executions/upkeep/service.ts";
import pods from "../../services/pods/pods.service.ts";
import workflows from "../../services/workflows/workflows.service.ts";
import workspaces from "../../services/workspaces/workspaces.service.ts";
import { definition, gives, node as step } from "../support/definition.ts";
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

const ada: Identity = userIdentity();
let nodes: ServiceNode[];
let node: ServiceNode;
let scope: Scope;
beforeAll(async () => {
  nodes = [];
  for (let i = 0; i < 2; i++) nodes.push(await startServices(workspaces, pods, workflows, executions));
  node = nodes[0]!;
  scope = await newScope(node, ada);
});
afterAll(() => Promise.all(nodes.map(one => one.stop())));

const create = async (wanted: unknown) =>
  (await node.act(ada, "workflows.create", { ...scope, name: "w", definition: wanted })).id;
const started = (workflowId: string) => ({
  ...scope,
  workflowId,
  startedBy: ada.userId,
  trigger: { type: "webhook" as const, id: "hook" },
});
const launch = (workflowId: string, more: object = {}, on = node) =>
  on.act(null, "executions.launch", { ...started(workflowId), ...more });

test("launches with one id start one execution, however many nodes launch it at once", async () => {
  const workflowId = await create(null);
  const id = uuid();
  const all = await Promise.all(Array.from({ length: 30 }, (_, i) => launch(workflowId, { id }, nodes[i % 2])));
  expect(all.filter(({ replayed }) => !replayed)).toHaveLength(1);
  expect(new Set(all.map(({ execution }) => execution.id))).toEqual(new Set([id]));
  await until(async () => (await node.act(ada, "executions.get", { ...scope, id })).status === "completed");
  const again = await launch(workflowId, { id, input: "another" });
  expect(again).toMatchObject({ replayed: true, execution: { status: "completed", input: null } });
  expect((await node.act(ada, "executions.list", { ...scope, workflowId })).items).toHaveLength(1);
});

test("a start that was interrupted between its two writes is found and continues", async () => {
  const workflowId = await create(definition([gives("a", "{{ input }}")]));
  const id = uuid();
  const { store } = node.service<ExecutionsService>("executions");
  const created = { seq: 0, event: "execution.created", at: new Date().toISOString() } as const;
  const entry = { ...created, input: "kept", trigger: started(workflowId).trigger };
  await store.write([new ExecutionJournal(store, scope.workspaceId, id).append(entry)]);
  const { replayed, execution } = await launch(workflowId, { id, input: "lost", waitMs: 10_000 });
  expect({ replayed, output: execution.output }).toEqual({ replayed: true, output: "kept" });
});

test("runs the deployed version, or the newest if none is deployed", async () => {
  const id = await create(definition([gives("a", 1)]));
  const output = async () => (await launch(id, { version: "deployed", waitMs: 10_000 })).execution.output;
  const change = (value: number) =>
    node.act(ada, "workflows.update", { ...scope, id, definition: definition([gives("a", value)]) });
  await change(2);
  expect(await output()).toBe(2);
  await node.act(ada, "workflows.deploy", { ...scope, id });
  await change(3);
  expect(await output()).toBe(2);
});

test("passes what came with the trigger to expressions", async () => {
  const workflowId = await create(definition([gives("a", "{{ trigger }}")]));
  const context = { headers: { "x-a": "b" }, query: { q: ["1", "2"] }, type: "forged", id: "forged" };
  const { execution } = await launch(workflowId, { context, waitMs: 10_000 });
  expect(execution.output).toEqual({ type: "webhook", id: "hook", headers: { "x-a": "b" }, query: { q: ["1", "2"] } });
  expect(execution.trigger).toEqual({ type: "webhook", id: "hook" });
});

test("a waiting caller is answered by the respond step, also while the run continues", async () => {
  const data = { status: 202, headers: { "x-n": "{{ $string(input) }}" }, body: { got: "{{ input }}" } };
  const steps = [step("r", "respond", data), step("d", "delay", { ms: 600_000 })];
  const workflowId = await create(definition(steps, "r > d"));
  const { execution, response } = await launch(workflowId, { input: 7, waitMs: 30_000 });
  expect(response).toEqual({ status: 202, headers: { "x-n": "7" }, body: { got: 7 } });
  expect(execution.status).toBe("running");
  const unanswered = await launch(await create(definition([gives("a", 1)])), { waitMs: 10_000 });
  expect(unanswered).toMatchObject({ response: null, execution: { status: "completed", output: 1 } });
});

test("a start is rejected for a workflow in the trash, a missing workflow or a deleted space", async () => {
  const workflowId = await create(null);
  await expect(launch(uuid())).rejects.toEqual(refusal("not_found"));
  await expect(launch(workflowId, { spaceId: uuid() })).rejects.toEqual(refusal("not_found"));
  await node.act(ada, "workflows.trash", { ...scope, id: workflowId });
  await expect(launch(workflowId)).rejects.toEqual(refusal("workflow_trashed"));
});
