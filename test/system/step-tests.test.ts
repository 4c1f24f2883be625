import { type Api, newWorkflow, newWorkspace, type Json } from "../support/api.ts";
import { definition, gives, node } from "../support/definition.ts";
import type { Server } from "../support/server.ts";
import { sharedServer } from "../support/shared.ts";

let server: Server;
let api: Api;
let space: string;
let path: string;
beforeAll(async () => {
  server = await sharedServer();
  ({ api, space } = await newWorkspace(server.url));
  const inside = (made: object) => ({ ...made, parentId: "each" });
  const what = definition(
    [
      gives("first", "{{ input.a }}"),
      gives("second", "{{ steps.first & item }}"),
      node("js", "code", { code: "console.log('hi'); return steps.first + 1" }),
      node("broken", "code", { code: "console.warn('well'); throw new Error('no')" }),
      node("choose", "condition", { if: "{{ steps.first = 'x' }}" }),
      node("pass", "merge"),
      node("ask", "human", { prompt: "{{ steps.first }}?" }),
      node("later", "delay", { ms: 5_000 }),
      node("sub", "subworkflow", { workflowId: "01890000-0000-7000-8000-000000000000" }),
      node("tell", "notify", { title: "t", body: "b", role: "viewer" }),
      node("each", "map", { items: "{{ steps.first }}" }),
      inside(gives("inner", "{{ index }}={{ item }}")),
    ],
    "first > pass",
    "second > pass",
  );
  path = `${space}/workflows/${await newWorkflow(api, space, what)}/test`;
});

const tried = async (body: object): Promise<Json> => {
  const answer = await api.post(path, body);
  expect(answer.status).toBe(200);
  return answer.body;
};

test("returns one step's output, handle, log and duration, with the given outputs before it", async () => {
  const done = await tried({ nodeId: "js", steps: { first: 41 } });
  expect(done).toMatchObject({ nodeType: "code", outcome: "completed", output: 42, handle: "out", error: null });
  expect(done.log).toEqual([{ level: "info", message: "hi" }]);
  expect(done.durationMs).toBeGreaterThan(0);
  expect(await tried({ nodeId: "first", input: { a: [1] } })).toMatchObject({ output: [1] });
  expect(await tried({ nodeId: "choose", steps: { first: "x" } })).toMatchObject({ handle: "true" });
  expect(await tried({ nodeId: "pass", steps: { first: 1, other: 2 } })).toMatchObject({ output: { first: 1 } });
  expect(await tried({ nodeId: "inner", item: "i", index: 3 })).toMatchObject({ output: "3=i" });
});

test("reports its failure, and what it would wait for", async () => {
  const failed = await tried({ nodeId: "broken" });
  expect(failed).toMatchObject({ outcome: "failed", output: null, error: { code: "code_error" } });
  expect(failed.log).toEqual([{ level: "warn", message: "well" }]);
  expect(await tried({ nodeId: "ask", steps: { first: "so" } })).toMatchObject({
    outcome: "waits",
    suspension: { prompt: "so?" },
  });
  expect(await tried({ nodeId: "later", input: 1 })).toMatchObject({ outcome: "waits", output: { output: 1 } });
  expect(await tried({ nodeId: "each", steps: { first: [1, 2] } })).toMatchObject({ output: { items: [1, 2] } });
  expect(await tried({ nodeId: "sub" })).toMatchObject({ outcome: "failed", error: { code: "workflow_not_found" } });
});

test("stores nothing and sends nothing", async () => {
  expect(await tried({ nodeId: "tell" })).toMatchObject({ outcome: "completed" });
  expect((await api.get("/v1/notifications")).body).toEqual([]);
  expect((await api.get(`${space}/executions`)).body).toEqual([]);
});

test("rejects a missing step, and a definition that cannot run", async () => {
  expect(await api.post(path, { nodeId: "nowhere" })).toMatchObject({ status: 404 });
  expect(await api.post(path, {})).toMatchObject({ status: 400, body: { code: "validation_failed" } });
  const faulty = await newWorkflow(api, space, { nodes: [{ id: "a", type: "what" }] });
  const refused = await api.post(`${space}/workflows/${faulty}/test`, { nodeId: "a" });
  expect(refused).toMatchObject({ status: 400, body: { errors: [{ path: "/definition/nodes/0/type" }] } });
});
