import { type Api, type Json, newWorkflow, newWorkspace } from "../support/api.ts";
import { definition, gives, node } from "../support/definition.ts";
import { sharedServer } from "../support/shared.ts";

let api: Api;
let space: string;
beforeAll(async () => {
  const server = await sharedServer();
  ({ api, space } = await newWorkspace(server.url));
});

const run = async (what: object, input: unknown = null): Promise<Json> => {
  const workflowId = await newWorkflow(api, space, what);
  const answer = await api.post(`${space}/executions`, { workflowId, input }, { prefer: "wait=30" });
  expect(answer.status).toBe(201);
  return answer.body;
};

const faulty = definition([
  node("call", "http", { url: "https://example.com", json: {} }),
  gives("b", "{{ steps.typo }}"),
]);

test("deploys a definition with faults only with force", async () => {
  const path = `${space}/workflows/${await newWorkflow(api, space, faulty)}`;
  const told = [
    { nodeId: "call", path: "/nodes/0/data/json" },
    { nodeId: "b", path: "/nodes/1/data/value" },
  ];
  expect((await api.post(`${path}/validate`)).body).toMatchObject({ valid: false, faults: told });
  const refused = await api.post(`${path}/deploy`);
  expect(refused).toMatchObject({
    status: 422,
    body: {
      code: "invalid_definition",
      errors: told.map(({ nodeId, path: at }) => ({ nodeId, path: `/definition${at}` })),
    },
  });
  expect((await api.get(path)).body).toMatchObject({ deployedAt: null, deployedVersion: null });
  expect(await api.post(`${path}/deploy`, { force: true })).toMatchObject({
    status: 200,
    body: { deployedVersion: 1 },
  });
  expect((await api.post(`${path}/deploy`, { forse: true })).body.errors).toEqual([
    { path: "/forse", message: "Unknown field" },
  ]);
});

test("still runs a deployed version whose definition breaks a newer rule", async () => {
  const what = { ...definition([node("a", "transform", { value: "{{ input.n + 1 }}", unknown: 1 })]), extra: {} };
  const path = `${space}/workflows/${await newWorkflow(api, space, what)}`;
  expect((await api.post(`${path}/deploy`)).body.code).toBe("invalid_definition");
  expect((await api.post(`${path}/deploy`, { force: true })).body.deployedVersion).toBe(1);
  const workflowId = path.split("/").at(-1);
  const caller = definition([node("sub", "subworkflow", { workflowId, version: "deployed", input: { n: 41 } })]);
  expect(await run(caller)).toMatchObject({ status: "completed", output: 42 });
  const [ran] = (await api.get(`${space}/executions?workflowId=${workflowId}`)).body;
  expect(ran).toMatchObject({ status: "completed", workflowVersion: 1, error: null });
});

test("runs a definition whose faults are in parts that the run skips", async () => {
  const what = definition([node("a", "transform", { value: "{{ steps.typo }}", unknown: 1 })]);
  expect(await run(what)).toMatchObject({ status: "completed", output: null });
});

test("tests a step although other steps have faults, and rejects it for its own faults only", async () => {
  const what = definition(
    [
      gives("good", "{{ input.a }}"),
      node("bad", "http", { url: 7 }),
      { id: "worse", type: 3 },
      gives("typo", "{{ steps.x }}"),
    ],
    "good > bad",
    "bad > nowhere",
  );
  const path = `${space}/workflows/${await newWorkflow(api, space, what)}/test`;
  expect(await api.post(path, { nodeId: "good", input: { a: 1 } })).toMatchObject({ status: 200, body: { output: 1 } });
  const paths = async (nodeId: string) => {
    const { status, body } = await api.post(path, { nodeId });
    return [status, ...(body.errors as { path: string }[]).map(fault => fault.path)];
  };
  expect(await paths("bad")).toEqual([400, "/definition/nodes/1/data/url"]);
  expect(await paths("worse")).toEqual([400, "/definition/nodes/2/type"]);
  expect(await paths("typo")).toEqual([400, "/definition/nodes/3/data/value"]);
  expect((await api.post(path, { nodeId: "nowhere" })).status).toBe(404);
});

test("refuses to deploy a version with a credential that the space does not have", async () => {
  const other = await newWorkspace(api.url);
  const made = await other.api.post(`/v1/workspaces/${other.workspaceId}/credentials`, {
    ...{ name: "Shop", type: "bearer", data: { token: "t" }, hosts: ["example.com"] },
  });
  expect(made.status).toBe(201);
  const call = node("call", "http", { url: "https://example.com", credential: made.body.id as string });
  const path = `${space}/workflows/${await newWorkflow(api, space, definition([call]))}`;
  expect((await api.post(`${path}/deploy`)).body.errors).toEqual([
    {
      nodeId: "call",
      path: "/definition/nodes/0/data/credential",
      message: "There is no such credential, or this space may not use it.",
    },
  ]);
});

describe("a disabled node", () => {
  const off = (id: string, type: string, data: object = {}) => ({ ...node(id, type, data), disabled: true });

  it("passes its input on without being performed", async () => {
    const what = definition(
      [gives("a", { n: 1 }), off("b", "fail"), off("c", "code", { code: "throw 1" }), gives("d", "{{ steps.c.n }}")],
      "a > c",
      "c > d",
    );
    expect(await run(what, "in")).toMatchObject({ status: "completed", output: { b: "in", d: 1 } });
  });

  it("takes the first handle of a choice, and skips the items of a map", async () => {
    const what = definition(
      [
        off("if", "condition", { if: false }),
        gives("yes", "y"),
        gives("no", "n"),
        off("each", "map", { items: [1, 2] }),
        { ...gives("inside", 1), parentId: "each" },
      ],
      "if:true > yes",
      "if:false > no",
    );
    expect(await run(what, 5)).toMatchObject({ status: "completed", output: { yes: "y", each: 5 } });
  });

  it("starts no run if it is a trigger", async () => {
    const what = definition([off("hook", "trigger"), gives("after", 1), gives("other", 2)], "hook > after");
    expect(await run(what)).toMatchObject({ status: "completed", output: 2 });
  });

  it("is logged as disabled, with its type", async () => {
    const { id } = await run(definition([off("a", "notify")]));
    const { body } = await api.get(`${space}/executions/${id}/logs`);
    expect(body).toContainEqual(
      expect.objectContaining({ nodeId: "a", nodeType: "notify", message: expect.stringContaining("disabled") }),
    );
  });
});
