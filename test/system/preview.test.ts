import { type Api, type Json, newWorkflow, newWorkspace, register, runToEnd } from "../support/api.ts";
import { definition, gives, node } from "../support/definition.ts";
import { addMembers } from "../support/members.ts";
import type { Server } from "../support/server.ts";
import { sharedServer } from "../support/shared.ts";

let server: Server;
let api: Api;
let space: string;
let workflowId: string;
let executionId: string;
const inside = (made: object) => ({ ...made, parentId: "each" });

beforeAll(async () => {
  server = await sharedServer();
  ({ api, space } = await newWorkspace(server.url));
  const what = definition(
    [
      gives("first", { name: "Ada", list: [1, 2, 3] }),
      node("each", "map", { items: "{{ input.items }}" }),
      inside(gives("inner", "{{ item * 10 }}")),
      inside(gives("after", "{{ steps.inner + 1 }}")),
      gives("last", "{{ steps.each }}"),
      gives("large", "{{ $join($map([1..27000], function($n) { 'abcdefghij' })) }}"),
    ],
    "first > each",
    "each > last",
    "inner > after",
  );
  const run = await runToEnd(api, space, what, { items: [5, 6] });
  expect(run).toMatchObject({ status: "completed" });
  ({ id: executionId, workflowId } = run);
  await api.patch(`${space}/variables`, { set: { HOST: "a.example" } });
});

const preview = (values: object, scope?: object, by: Api = api) =>
  by.post(`${space}/workflows/${workflowId}/preview`, { values, ...(scope && { scope }) });
/** What one text gives. */
const of = async (text: string, scope?: object): Promise<Json> => {
  const { status, body } = await preview({ "/a": text }, scope);
  expect({ status, body }).toMatchObject({ status: 200, body: [{ pointer: "/a" }] });
  return body[0];
};
const faultOf = async (text: string, scope?: object): Promise<Json> => {
  const { value, faults } = await of(text, scope);
  expect({ value, count: faults.length }).toEqual({ value: null, count: 1 });
  const [{ message, from, to }] = faults;
  return { message, at: text.slice(from, to) };
};

describe("a preview", () => {
  it("returns the values that a step would get, with their types, in the order of the texts", async () => {
    const scope = { input: { n: 2 }, steps: { a: { b: ["x"] } }, item: "i", index: 3 };
    const { body } = await preview(
      {
        "/n": "{{ input.n * 2 }}",
        "/text": "<{{ steps.a.b[0] }} {{ item }}/{{ index }}>",
        "/none": "{{ steps.nobody }}",
        "/list": "{{ [1, 2] }}",
        "/object": "{{ steps.a }}",
        "/yes": "{{ input.n = 2 }}",
        "/plain": "as it is",
        "/vars": "{{ vars.HOST }}",
        "/flow": "{{ workflow.name }} {{ workflow.version }} {{ trigger.type }} {{ execution.attempt }}",
      },
      scope,
    );
    const shown = (body as Json[]).map(({ pointer, type, value, truncated, faults }) => {
      expect({ truncated, faults }).toEqual({ truncated: false, faults: [] });
      return [pointer, type, value];
    });
    const { name } = (await api.get(`${space}/workflows/${workflowId}`)).body;
    expect(shown).toEqual([
      ["/n", "number", 4],
      ["/text", "string", "<x i/3>"],
      ["/none", "null", null],
      ["/list", "array", [1, 2]],
      ["/object", "object", { b: ["x"] }],
      ["/yes", "boolean", true],
      ["/plain", "string", "as it is"],
      ["/vars", "string", "a.example"],
      ["/flow", "string", `${name} 1 manual 1`],
    ]);
  });

  it("reports the place of a fault in a text, and returns the other values", async () => {
    const { body } = await preview({ "/a": "{{ 1 + }}", "/b": "{{ 1 + 1 }}" });
    expect(body).toMatchObject([{ faults: [{}] }, { value: 2, faults: [] }]);
    expect(await faultOf("to {{ 1 + foo( }}")).toMatchObject({ message: expect.stringContaining("not valid") });
    expect(await faultOf("{{ 1 }} and {{ $number('x') }}")).toMatchObject({ at: "$number(" });
    expect(await faultOf("{{ 1 }} and {{ 2")).toEqual({ message: expect.stringContaining("never closed"), at: "{{ 2" });
    expect(await faultOf("{{ vars.NONE }}")).toEqual({ message: 'The space has no variable "NONE".', at: "vars.NONE" });
  });

  it("stops an endless expression, as a step would", async () => {
    expect(await faultOf("{{ ($f := function($n) { $f($n) }; $f(1)) }}")).toMatchObject({
      message: expect.stringMatching(/longer than 1000 ms|nested too deeply/),
    });
  });

  it("shows no secret", async () => {
    const workspace = space.slice(0, space.indexOf("/spaces/"));
    const made = { name: "shop", type: "bearer", hosts: ["example.com"], data: { token: "t0p-s3cret" } };
    expect((await api.post(`${workspace}/credentials`, made)).status).toBe(201);
    expect(await of("Bearer {{ secrets.shop.token }}")).toMatchObject({ value: "Bearer •••", faults: [] });
    expect(await faultOf("{{ $uppercase(secrets.shop.token) }}")).toMatchObject({
      message: expect.stringContaining("stands alone"),
    });
    expect(await of("{{ $keys($$) }}")).toMatchObject({ value: expect.not.arrayContaining(["secrets"]) });
  });

  it("shows the beginning of a large value", async () => {
    const { value, truncated, type } = await of("{{ $join($map([1..9000], function($n) { 'abcdefghij' })) }}");
    expect({ truncated, type }).toEqual({ truncated: true, type: "string" });
    expect((value as string).length).toBeLessThan(20_000);
    const list = await of("{{ [1..50000] }}");
    expect(list).toMatchObject({ truncated: true, type: "array", value: expect.arrayContaining([1, 2, 3]) });
    expect((list.value as unknown[]).length).toBeLessThan(10_000);
  });

  it("reads the values of a run, also of an item, also large ones", async () => {
    expect(await of("{{ steps.first.name }} {{ input.items[1] }}", { executionId })).toMatchObject({ value: "Ada 6" });
    expect(await of("{{ $length(steps.large) }}", { executionId })).toMatchObject({ value: 270_000 });
    expect(await of("{{ execution.id }}", { executionId })).toMatchObject({ value: executionId });
    const path = [{ nodeId: "each", index: 1 }];
    const text = "{{ item }} {{ index }} {{ steps.inner }} {{ steps.first.name }} {{ steps.each.item }}";
    expect(await of(text, { executionId, path })).toMatchObject({ value: "6 1 60 Ada 6" });
    expect(await of("{{ steps.first.name }}", { executionId, steps: { first: { name: "Bob" } } })).toMatchObject({
      value: "Bob",
    });
  });

  it("sees the same values of a run as the step", async () => {
    const path = [{ nodeId: "each", index: 0 }];
    const seen = (nodeId: string, at: object[] = []) => of("{{ $keys(steps) }}", { executionId, nodeId, path: at });
    expect(await seen("each")).toMatchObject({ value: expect.arrayContaining(["first", "large"]) });
    expect((await seen("each")).value).not.toEqual(expect.arrayContaining(["each"]));
    expect((await seen("each")).value).not.toEqual(expect.arrayContaining(["last"]));
    expect(((await seen("after", path)).value as string[]).sort()).toEqual(["each", "first", "inner", "large"]);
    expect((await seen("a new step")).value).toEqual(expect.arrayContaining(["last", "each"]));
  });

  it("is available to viewers, and limited to the space", async () => {
    const viewer = await register(server.url);
    const [, workspaceId = ""] = /workspaces\/([^/]+)/.exec(space)!;
    await addMembers(server.dataDir, [{ workspaceId, userId: viewer.userId, role: "viewer" }]);
    expect((await preview({ "/a": "{{ 1 }}" }, undefined, viewer)).status).toBe(200);
    const other = await newWorkspace(server.url);
    const foreign = await runToEnd(other.api, other.space, definition([gives("a", 1)]));
    expect((await preview({ "/a": "{{ 1 }}" }, { executionId: foreign.id })).status).toBe(404);
    expect((await preview({ "/a": "{{ 1 }}" }, { executionId, path: [{ nodeId: "each", index: 9 }] })).status).toBe(
      404,
    );
  });

  it.each([
    { values: { a: 1 } },
    { values: Object.fromEntries(Array.from({ length: 201 }, (_, i) => [`/${i}`, "x"])) },
    { values: {}, scope: { unknown: 1 } },
    {},
  ])("rejects %#", async body => {
    expect((await api.post(`${space}/workflows/${workflowId}/preview`, body)).status).toBe(400);
  });
});

describe("the test of a step that is not saved", () => {
  const tried = async (body: object) => (await api.post(`${space}/workflows/${workflowId}/test`, body)).body;
  const typed = definition([gives("first", 1), gives("new", "{{ steps.first.name & input.items[0] }}")], "first > new");

  it("uses the unsaved definition, and the outputs of a run", async () => {
    const scope = { executionId };
    expect(await tried({ nodeId: "new", definition: typed, scope })).toMatchObject({
      outcome: "completed",
      output: "Ada5",
    });
    const given = { steps: { first: { name: "Bob" } }, input: { items: ["!"] } };
    expect(await tried({ nodeId: "new", definition: typed, scope, ...given })).toMatchObject({ output: "Bob!" });
    expect((await api.get(`${space}/workflows/${workflowId}`)).body).toMatchObject({ version: 1 });
  });

  it("gives code all values of the run, and merges the incoming outputs", async () => {
    const code = node("js", "code", { code: "return [steps.first.name, steps.large.length, item, index]" });
    const merging = definition([gives("first", 1), gives("last", 2), node("m", "merge")], "first > m", "last > m");
    const inItem = { executionId, path: [{ nodeId: "each", index: 0 }] };
    expect(await tried({ nodeId: "js", definition: definition([code]), scope: inItem })).toMatchObject({
      output: ["Ada", 270_000, 5, 0],
    });
    expect(await tried({ nodeId: "m", definition: merging, scope: { executionId } })).toMatchObject({
      output: { first: { name: "Ada" }, last: [51, 61] },
    });
  });

  it("reports the faults of the unsaved step", async () => {
    const faulty = definition([node("new", "http", {})]);
    expect(
      await api.post(`${space}/workflows/${workflowId}/test`, { nodeId: "new", definition: faulty }),
    ).toMatchObject({
      status: 400,
      body: { code: "validation_failed", errors: [{ path: "/definition/nodes/0/data/url" }] },
    });
    const large = { ...typed, notes: "x".repeat(600_000) };
    const refused = await api.post(`${space}/workflows/${workflowId}/test`, { nodeId: "new", definition: large });
    expect(refused).toMatchObject({ status: 413, body: { code: "payload_too_large" } });
  });
});

it("uses samples instead of outputs", async () => {
  const id = await newWorkflow(api, space, definition([gives("first", 1)]));
  const samples = `${space}/workflows/${id}/samples`;
  expect((await api.patch(samples, { nodeId: "first", value: { name: "Cy" } })).status).toBe(200);
  const scope = { executionId, samples: true };
  const { body } = await api.post(`${space}/workflows/${id}/preview`, {
    values: { "/a": "{{ steps.first.name }}" },
    scope,
  });
  expect(body).toMatchObject([{ value: "Cy" }]);
  const typed = definition(
    [gives("first", 1), gives("each", []), gives("new", "{{ steps.first.name & steps.each[0] }}")],
    "first > new",
  );
  const tested = await api.post(`${space}/workflows/${id}/test`, { nodeId: "new", definition: typed, scope });
  expect(tested.body).toMatchObject({ output: "Cy51" });
});
