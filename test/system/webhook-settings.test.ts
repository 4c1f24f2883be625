import { definition, gives, node } from "../support/definition.ts";
import { type Api, type Json, newWorkspace, register } from "../support/api.ts";
import { addMembers } from "../support/members.ts";
import type { Server } from "../support/server.ts";
import { sharedServer } from "../support/shared.ts";
import { until } from "../support/until.ts";
import { newHook, runsOf, send } from "../support/webhooks.ts";

let server: Server;
let api: Api;
let space: string;
let workspaceId: string;
beforeAll(async () => {
  server = await sharedServer();
  ({ api, space, workspaceId } = await newWorkspace(server.url));
});

const address = ({ id }: { id: string }) => `${api.url}/v1/webhooks/${id}/trigger`;
const proof = ({ secret }: { secret: string }) => ({ "x-webhook-secret": secret });
const change = (id: string, body: object) => api.patch(`${space}/webhooks/${id}`, body);

test("has default settings, and a change of one keeps the others", async () => {
  const hook = await newHook(api, space);
  const usual = {
    ...{ enabled: true, auth: { type: "header", name: "x-webhook-secret" }, methods: ["POST"], keepRaw: false },
    ...{ respond: { mode: "execution" }, previousSecretUntil: null, name: "Webhook" },
  };
  expect(hook).toMatchObject(usual);
  const renamed = await change(hook.id, { name: "Orders" });
  expect(renamed).toMatchObject({ status: 200, body: { ...usual, name: "Orders" } });
  expect(renamed.body).not.toHaveProperty("secret");
  const more = { methods: ["GET", "PUT", "GET"], keepRaw: true, respond: { mode: "empty" } };
  const changed = { name: "Orders", methods: ["GET", "PUT"], keepRaw: true, respond: { mode: "empty", status: 204 } };
  expect((await change(hook.id, more)).body).toMatchObject({ ...usual, ...changed });
  expect((await api.get(`${space}/webhooks/${hook.id}`)).body).toMatchObject({ ...usual, ...changed });
  expect((await send(address(hook), "{}", proof(hook), "PUT")).status).toBe(204);
  expect((await change(hook.id, {})).status).toBe(200);
  for (const wrong of [
    { methods: [] },
    { methods: ["HEAD"] },
    { respond: { mode: "empty", status: 404 } },
    { secret: "x" },
  ]) {
    expect((await change(hook.id, wrong)).status).toBe(400);
  }
  expect((await change("01980000-0000-7000-8000-000000000003", { name: "x" })).status).toBe(404);
});

test("answers 404 while it is disabled, and works again when it is enabled", async () => {
  const hook = await newHook(api, space);
  await change(hook.id, { enabled: false });
  expect(await send(address(hook), "{}", proof(hook))).toMatchObject({ status: 404, body: { code: "not_found" } });
  expect((await send(address(hook), "{}")).status).toBe(401);
  expect(await runsOf(api, space, hook)).toEqual([]);
  await change(hook.id, { enabled: true });
  expect((await send(address(hook), "{}", proof(hook))).status).toBe(201);
});

test("accepts only its methods, and uses the query as input for GET", async () => {
  const shows = definition([gives("a", '{{ {"input": input, "method": trigger.method} }}')]);
  const hook = await newHook(api, space, { methods: ["GET", "DELETE", "PATCH"] }, shows);
  const by = (method: string, query = "", body?: string) =>
    send(`${address(hook)}${query}`, body, { ...proof(hook), prefer: "wait=30" }, method);
  expect(await by("GET", "?a=1&b=x+y&a=2&token=t")).toMatchObject({
    status: 201,
    body: { output: { method: "GET", input: { a: ["1", "2"], b: "x y", token: "t" } } },
  });
  expect((await by("PATCH", "", '{"n":1}')).body.output).toEqual({ method: "PATCH", input: { n: 1 } });
  expect((await by("DELETE")).body.output).toEqual({ method: "DELETE", input: null });
  for (const method of ["POST", "PUT", "HEAD"]) {
    const answer = await by(method, "", method === "HEAD" ? undefined : "{}");
    expect([answer.status, answer.headers.get("allow")]).toEqual([405, "GET, DELETE, PATCH"]);
  }
  expect((await send(address(hook), undefined, {}, "GET")).status).toBe(401);
  expect(await runsOf(api, space, hook)).toHaveLength(3);
});

test("accepts text, XML and other charsets, and keeps the raw body on request", async () => {
  const shows = definition([gives("a", '{{ {"input": input, "raw": trigger.rawBody} }}')]);
  const hook = await newHook(api, space, { keepRaw: true }, shows);
  const deliver = (type: string, body: Buffer | string) =>
    send(address(hook), body, { ...proof(hook), prefer: "wait=30", "content-type": type });
  const json = '\ufeff{ "n" : 1.0 }\r\n'.slice(1);
  expect((await deliver("application/json", json)).body.output).toEqual({ input: { n: 1 }, raw: json });
  const xml = '<?xml version="1.0"?>\r\n<a>é</a>';
  for (const type of ["application/xml", "text/xml; charset=utf-8", "application/atom+xml"]) {
    expect((await deliver(type, xml)).body.output).toEqual({ input: xml, raw: xml });
  }
  const latin = await deliver("text/plain; charset=iso-8859-1", Buffer.from([0xe9]));
  expect(latin).toMatchObject({ status: 415, body: { code: "unsupported_media_type" } });
  await change(hook.id, { keepRaw: false });
  expect((await deliver("text/plain; charset=iso-8859-1", Buffer.from([0xe9]))).body.output).toEqual({ input: "é" });
  for (const [type, bytes] of [
    ["text/plain", Buffer.from([0xff])],
    ["text/plain; charset=klingon", Buffer.from("a")],
  ] as const) {
    expect((await deliver(type, bytes)).status).toBe(415);
  }
  await change(hook.id, { keepRaw: true });
  expect((await deliver("text/plain", "x".repeat(262_145))).status).toBe(413);
});

describe("the answer to the sender", () => {
  const slow = definition([gives("a", "{{ input }}"), node("wait", "delay", { ms: 600_000 })], "a > wait");
  const fails = definition([node("f", "fail", { message: "a secret reason" })]);
  const answers = definition([node("r", "respond", { status: 418, headers: { "x-own": "yes" }, body: { tea: true } })]);
  const given = definition([gives("a", { of: "{{ input.n }}" })]);

  const deliver = async (respond: object, wanted: unknown, wait?: number) => {
    const hook = await newHook(api, space, { respond }, wanted);
    const more: Record<string, string> = wait === undefined ? {} : { prefer: `wait=${wait}` };
    const answer = await send(address(hook), '{"n":1}', { ...proof(hook), ...more });
    const ids = [workspaceId, hook.workflowId, hook.id];
    const [run] = await runsOf(api, space, hook);
    return { answer, ids: [...ids, run?.id as string], run: run };
  };
  /** No id but that of the request, which says nothing. */
  const leaks = ({ answer, ids }: Awaited<ReturnType<typeof deliver>>) => {
    const told = JSON.stringify([answer.text, ...answer.headers]);
    return ids.filter(id => told.includes(id));
  };

  it("accepted: confirms the delivery with the execution's id", async () => {
    const got = await deliver({ mode: "accepted" }, slow, 5);
    expect(got.answer).toMatchObject({ status: 202, body: { executionId: got.run.id } });
    expect(Object.keys(got.answer.body)).toEqual(["executionId"]);
    expect(got.answer.headers.get("preference-applied")).toBeNull();
    expect(leaks(got)).toEqual([got.run.id]);
  });

  it("empty: has only a status", async () => {
    for (const status of [204, 200]) {
      const got = await deliver({ mode: "empty", status }, slow);
      expect([got.answer.status, got.answer.text, got.answer.headers.get("content-type")]).toEqual([status, "", null]);
      expect(leaks(got)).toEqual([]);
    }
  });

  it("on_respond: is that of the respond step, without a Prefer header", async () => {
    const got = await deliver({ mode: "on_respond" }, answers);
    expect(got.answer).toMatchObject({ status: 418, body: { tea: true } });
    expect(got.answer.headers.get("x-own")).toBe("yes");
    expect(leaks(got)).toEqual([]);
  });

  it("on_respond: has the fallback status if no step answers in time", async () => {
    for (const wanted of [given, fails]) {
      const got = await deliver({ mode: "on_respond", otherwise: 503 }, wanted);
      expect([got.answer.status, got.answer.text]).toEqual([503, ""]);
      expect(leaks(got)).toEqual([]);
    }
    const late = await deliver({ mode: "on_respond", timeoutMs: 50 }, slow);
    expect([late.answer.status, late.answer.text]).toEqual([202, ""]);
    expect(leaks(late)).toEqual([]);
  });

  it("at_end: is the output, even if a respond step answers", async () => {
    const got = await deliver({ mode: "at_end" }, given);
    expect(got.answer).toMatchObject({ status: 200, body: { of: 1 } });
    expect(leaks(got)).toEqual([]);
    const both = definition([node("r", "respond", { status: 418, body: "tea" }), gives("a", "end")], "r > a");
    expect((await deliver({ mode: "at_end" }, both)).answer).toMatchObject({ status: 200, text: '"end"' });
  });

  it("at_end: says that a run has failed, without the reason", async () => {
    const got = await deliver({ mode: "at_end" }, fails);
    expect(got.answer).toMatchObject({ status: 500, body: { title: "The workflow failed" } });
    expect(got.answer.text).not.toContain("reason");
    expect(leaks(got)).toEqual([]);
    const late = await deliver({ mode: "at_end", timeoutMs: 50, otherwise: 204 }, slow);
    expect([late.answer.status, late.answer.text]).toEqual([204, ""]);
  });

  it("execution: has the execution's id and status", async () => {
    const got = await deliver({ mode: "execution" }, given, 30);
    expect(got.answer).toMatchObject({ status: 201, body: { id: got.run.id, output: { of: 1 } } });
    expect(got.answer.headers.get("preference-applied")).toBe("wait=30");
  });
});

test("lists the last hundred deliveries with their statuses, and strangers cannot displace them", async () => {
  const hook = await newHook(api, space);
  const listed = async () => (await api.get(`${space}/webhooks/${hook.id}/deliveries`)).body as Json[];
  expect(await listed()).toEqual([]);
  const first = await send(address(hook), "{}", proof(hook));
  await send(address(hook), "{", proof(hook));
  await send(address(hook), '{"private":"data"}', { "x-webhook-secret": "wrong" });
  await send(address(hook), undefined, proof(hook), "PUT");
  await until(async () => (await listed()).length === 4);
  const all = await listed();
  expect(all.map(({ method, status, reason, executionId }) => [method, status, reason, executionId])).toEqual([
    ["PUT", 405, "method_not_allowed", null],
    ["POST", 401, "secret_wrong", null],
    ["POST", 400, "malformed_json", null],
    ["POST", 201, null, first.body.id],
  ]);
  expect(all[0].address).toMatch(/^(127\.0\.0\.1|::1|::ffff:127\.0\.0\.1)$/);
  expect(JSON.stringify(all)).not.toContain("private");
  expect(all.map(({ at }) => at as string)).toEqual(
    all
      .map(({ at }) => at as string)
      .toSorted()
      .toReversed(),
  );
  for (let i = 0; i < 6; i++)
    await Promise.all(Array.from({ length: 20 }, () => send(address(hook), "{}", { "x-webhook-secret": "wrong" })));
  await until(async () => (await listed()).length >= 53);
  expect((await listed()).map(({ status }) => status as number)).toEqual([...Array(50).fill(401), 405, 400, 201]);
  await api.delete(`${space}/webhooks/${hook.id}`);
  expect((await api.get(`${space}/webhooks/${hook.id}/deliveries`)).status).toBe(404);
});

test("can be tested without its sender, also while it is disabled", async () => {
  const answers = definition([node("r", "respond", { status: 202, headers: { "x-own": "yes" }, body: "{{ input }}" })]);
  const auth = { type: "hmac", preset: "stripe", secret: "whsec_of_the_sender" };
  const settings = { auth, enabled: false, respond: { mode: "on_respond" } };
  const hook = await newHook(api, space, settings, answers);
  const { status, body } = await api.post(`${space}/webhooks/${hook.id}/test`, { input: { n: 1 }, query: { q: "1" } });
  expect({ status, body }).toEqual({
    status: 200,
    body: { executionId: expect.any(String) as string, status: 202, headers: { "x-own": "yes" }, body: { n: 1 } },
  });
  const [run] = await runsOf(api, space, hook);
  expect(run).toMatchObject({ id: body.executionId, trigger: { type: "webhook", id: hook.id } });
});

test("lets only an admin create a webhook without authentication, and audits it", async () => {
  const editor = await register(server.url);
  await addMembers(server.dataDir, [{ workspaceId, userId: editor.userId, role: "editor" }]);
  const hook = await newHook(editor, space);
  const open = { auth: { type: "none" } };
  const refused = { status: 403, body: { code: "role_too_low" } };
  expect(await editor.patch(`${space}/webhooks/${hook.id}`, open)).toMatchObject(refused);
  const { workflowId } = hook;
  expect(await editor.post(`${space}/webhooks`, { workflowId, ...open })).toMatchObject(refused);
  expect((await send(address(hook), "{}")).status).toBe(401);
  const opened = await change(hook.id, open);
  expect(opened).toMatchObject({ status: 200, body: { auth: { type: "none" } } });
  expect(opened.body).not.toHaveProperty("secret");
  expect((await send(address(hook), "{}")).status).toBe(201);
  expect((await api.post(`${space}/webhooks/${hook.id}/rotate-secret`)).status).toBe(400);
  const { body: log } = await api.get(`/v1/workspaces/${workspaceId}/audit`);
  const entries = (log as Json[]).filter(({ resourceId }) => resourceId === hook.id);
  expect(entries.map(({ action, outcome, fields }) => [action, outcome, fields])).toEqual(
    expect.arrayContaining([
      ["webhooks.update", "succeeded", ["auth"]],
      ["webhooks.update", "denied", ["auth"]],
    ]),
  );
});
