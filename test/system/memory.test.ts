import { type Api, newWorkflow, newWorkspace, register, runToEnd, type Json } from "../support/api.ts";
import { definition, node } from "../support/definition.ts";
import { eventually } from "../support/executions.ts";
import { addMembers } from "../support/members.ts";
import { removeServer, restarted, startServer, type Server } from "../support/server.ts";

let server: Server;
let api: Awaited<ReturnType<typeof newWorkspace>>["api"];
let space: string;
let workspaceId: string;
let base: string;
beforeAll(async () => (server = await startServer()));
afterAll(() => removeServer(server));
beforeEach(async () => {
  ({ api, space, workspaceId } = await newWorkspace(server.url));
  base = `/v1/workspaces/${workspaceId}/memories`;
});

const ingest = async (content: string, by: Api = api): Promise<Json> => {
  const { status, body } = await by.post(`${base}/ingest`, { content, scope: "user" });
  expect({ status, code: body.code }).toEqual({ status: 201, code: undefined });
  return body;
};
const read = async (path: string, by: Api = api): Promise<Json[]> => {
  const { status, body } = await by.get(`${base}${path}`);
  expect(status).toBe(200);
  return body as Json[];
};
const search = async (question: object, by: Api = api): Promise<Json[]> => {
  const { status, body } = await by.post(`${base}/search`, question);
  expect(status).toBe(200);
  return body as Json[];
};
const contents = (all: Json[]) => all.map(({ content }) => content as string).sort();

test("ingests, finds, supersedes, restores and deletes a memory", async () => {
  const { memories, memoriesCreated, memoriesUpdated } = await ingest(
    "My mother lives in Lyon. My brother lives in Oslo.",
  );
  expect([memoriesCreated, memoriesUpdated]).toEqual([2, 0]);
  const [lyon] = memories;
  expect(Object.keys(lyon)).toEqual(
    expect.arrayContaining(["id", "workspaceId", "userId", "threadId", "workflowId", "scope"]),
  );
  expect(await ingest("My mother moved to Nice.")).toMatchObject({ memoriesCreated: 1, memoriesUpdated: 1 });
  expect(await search({ query: "Where does the brother live?", limit: 1 })).toMatchObject([
    { content: "The user's brother lives in Oslo", score: expect.any(Number) },
  ]);
  expect(contents(await read(""))).not.toContain(lyon.content);
  expect((await read(`/${lyon.id}/history`)).map(({ event }: Json) => event)).toEqual(["superseded", "created"]);
  expect((await api.post(`${base}/${lyon.id}/restore`)).body).toMatchObject({ id: lyon.id, supersededById: null });
  expect((await api.post(`${base}/${lyon.id}/restore`)).body.code).toBe("memory_current");
  expect(contents(await read(`?asOf=${encodeURIComponent(lyon.createdAt)}`))).toEqual(contents(memories));
  expect((await api.get(`${base}/profile`)).body.profile).not.toHaveLength(0);
  const packed = await api.post(`${base}/context`, { query: "family", tokens: 200 });
  expect(packed).toMatchObject({ status: 200, body: { truncated: false } });
  expect(packed.body.text).toContain(lyon.content);
  expect((await api.delete(`${base}/${lyon.id}`)).status).toBe(204);
  expect((await api.delete(`${base}/${lyon.id}`)).status).toBe(404);
  expect(contents(await search({ query: "mother Lyon" }))).not.toContain(lyon.content);
});

test("stores a statement once for a key, and continues a list at its cursor", async () => {
  const key = { "idempotency-key": "a" };
  const body = { content: "Prefers tea", factType: "preference", confidence: 0.5 };
  const [first, again] = [await api.post(base, body, key), await api.post(base, body, key)];
  expect(first).toMatchObject({ status: 201, body: { ...body, source: "manual", eventDate: null, metadata: {} } });
  expect(first.headers.get("location")).toBe(`${base}/${first.body.id}`);
  expect(again.body).toEqual(first.body);
  await api.post(base, { content: "Prefers coffee" });
  const page = await api.get(`${base}?limit=1`);
  expect(page.body).toMatchObject([{ content: "Prefers coffee" }]);
  const [, next = ""] = /<([^>]+)>/.exec(page.headers.get("link") ?? "") ?? [];
  expect((await api.get(next)).body).toEqual([
    { ...first.body, embeddingStatus: expect.any(String) as string, updatedAt: expect.any(String) as string },
  ]);
});

test.each([
  ["ingest", "/ingest", { content: " " }, "content"],
  ["ingest", "/ingest", { content: "x", scope: "thread" }, "threadId"],
  ["create", "", { content: "x", scope: "workflow" }, "workflowId"],
  ["create", "", { content: "x", confidence: 2 }, "confidence"],
  ["search", "/search", { limit: 5 }, "query"],
  ["search", "/search", { query: "x", limit: 101 }, "limit"],
  ["search", "/search", { query: "x", threadId: "\ud800" }, "threadId"],
  ["search", "/search", { query: "x", scop: "user" }, "scop"],
])("%s at %j rejects %j", async (_name, path, body, field) => {
  const answer = await api.post(`${base}${path}`, body);
  expect(answer).toMatchObject({ status: 400, body: { code: "validation_failed", errors: [{ path: `/${field}` }] } });
});

test("lets members see memories about each other, hides them from others, and lets API keys act for their creators", async () => {
  const ben = await register(server.url);
  await addMembers(server.dataDir, [{ workspaceId, userId: ben.userId, role: "editor" }]);
  await ingest("I live in Paris.");
  await ingest("I live in Rome.", ben);
  expect(contents(await read("", ben))).toEqual(["The user lives in Rome"]);
  expect(contents(await search({ query: "lives", userId: api.userId }, ben))).toEqual(["The user lives in Paris"]);
  const { body: key } = await api.post(`/v1/workspaces/${workspaceId}/api-keys`, { name: "k" });
  const { memories } = await ingest("I like tea.", api.as(key.key));
  expect(memories).toMatchObject([{ userId: api.userId }]);
  const stranger = await register(server.url);
  for (const path of ["", "/profile", `/${memories[0].id}`]) {
    expect((await stranger.get(`${base}${path}`)).status).toBe(404);
  }
});

test("remembers and searches in the steps of a run, once however often they are retried", async () => {
  const remember = node("in", "memory", { action: "ingest", content: "{{ input.text }}" });
  const add = node("add", "memory", { action: "add", content: "Likes {{ input.drink }}", factType: "preference" });
  const find = node("find", "memory", { action: "search", query: "Berlin", limit: 1 });
  const given = definition([remember, add, find], "in > add", "add > find");
  const run = await runToEnd(api, space, given, { text: "I live in Berlin.", drink: "tea" });
  expect(run).toMatchObject({
    status: "completed",
    output: [{ content: "The user lives in Berlin", source: "workflow" }],
  });
  expect(await read("")).toMatchObject([
    { content: "Likes tea", factType: "preference", source: "workflow", userId: api.userId },
    { content: "The user lives in Berlin", source: "workflow" },
  ]);
  const asks = definition([node("a", "llm", { prompt: "Hello" })]);
  expect(await runToEnd(api, space, asks)).toMatchObject({ status: "failed", error: { code: "model_not_configured" } });
});

test("accepts any text as a subject within its workspace", async () => {
  const userId = "customer 4711 / Zoë";
  const of = `userId=${encodeURIComponent(userId)}`;
  const made = await api.post(`${base}/ingest`, { content: "I live in Ulm.", userId });
  expect(made).toMatchObject({ status: 201, body: { memories: [{ userId, content: "The user lives in Ulm" }] } });
  expect(await api.post(base, { content: "Likes tea", userId })).toMatchObject({ status: 201, body: { userId } });
  const known = ["Likes tea", "The user lives in Ulm"];
  expect(contents(await read(`?${of}`))).toEqual(known);
  expect(contents(await search({ query: "Ulm or tea", userId }))).toEqual(known);
  expect((await api.get(`${base}/profile?${of}`)).body.facts).toHaveLength(1);
  expect((await api.post(`${base}/context`, { query: "tea", userId })).body.text).toContain("Likes tea");
  expect(await read("")).toEqual([]);
  const moved = await api.post(`${base}/ingest`, { content: "I moved to Bonn.", userId });
  expect(moved.body).toMatchObject({ memoriesCreated: 1, memoriesUpdated: 1 });
  const other = await newWorkspace(server.url);
  const theirs = `/v1/workspaces/${other.workspaceId}/memories`;
  expect((await other.api.get(`${theirs}?${of}`)).body).toEqual([]);
  expect((await other.api.post(`${theirs}/search`, { query: "Bonn", userId })).body).toEqual([]);
  for (const bad of ["", "x".repeat(201), "\ud800"]) {
    const answer = await api.post(`${base}/search`, { query: "x", userId: bad });
    expect(answer).toMatchObject({ status: 400, body: { errors: [{ path: "/userId" }] } });
  }
  const run = (userId: unknown) =>
    runToEnd(api, space, definition([node("a", "memory", { action: "search", query: "Bonn", userId })]), {
      id: userId,
    });
  expect(await run(userId)).toMatchObject({ status: "completed", output: [{ userId }] });
  const long = "é".repeat(200);
  expect(await api.post(base, { content: "Likes tea", userId: long })).toMatchObject({ status: 201 });
  expect(await run(long)).toMatchObject({ status: "completed", output: [] });
  const strange = await run("x".repeat(201));
  expect(strange).toMatchObject({ status: "failed", error: { code: "invalid_definition" } });
});

test("remembers about the subject that a webhook's run names, never about the webhook's creator", async () => {
  await ingest("I live in Rome.");
  const remember = node("in", "memory", {
    action: "ingest",
    content: "I live in Bern.",
    userId: "{{ input.customer }}",
  });
  const find = node("find", "memory", { action: "search", query: "lives", userId: "{{ input.customer }}" });
  const inner = await newWorkflow(api, space, definition([find]));
  const below = node("below", "subworkflow", { workflowId: inner });
  const workflowId = await newWorkflow(api, space, definition([remember, below], "in > below"));
  const hook = (await api.post(`${space}/webhooks`, { workflowId })).body;
  const lone = (await api.post(`${space}/webhooks`, { workflowId: inner })).body;
  const deliver = async ({ id, secret }: Json, input: Json) => {
    const headers = { "x-webhook-secret": secret as string, prefer: "wait=30" };
    return (await api.post(`/v1/webhooks/${id}/trigger`, input, headers)).body;
  };
  // A step's output passes on; the search is below it, so it takes its customer from what it is given.
  const named = await deliver(lone, { customer: "c-1" });
  expect(named).toMatchObject({ status: "completed", output: [] });
  for (const made of [await deliver(hook, {}), await deliver(lone, {})]) {
    expect(made).toMatchObject({ status: "failed", error: { code: "invalid_data" } });
    expect(made.error.message).toMatch(/^\/data\/userId: Required: this run was started by a schedule or webhook/);
  }
  expect(contents(await read(""))).toEqual(["The user lives in Rome"]);
  const child = await deliver(hook, { customer: "c-2" });
  expect(child.error.message).toMatch(/\/data\/userId: Required/);
  expect(contents(await read("?userId=c-2"))).toEqual(["The user lives in Bern"]);
  const [memory] = await read("?userId=c-2");
  expect((await read(`/${memory.id}/history`))[0].actorId).toBe(api.userId);
});

test("leaves neither partial nor duplicate memories after a kill", async () => {
  const count = 20;
  const texts = Array.from({ length: count }, (_, at) => `I like thing${at}. I live in Town${at}.`);
  const send = (content: string, at: number) =>
    api.post(`${base}/ingest`, { content }, { "idempotency-key": `ingest-${at}` });
  const first = texts.map((text, at) => send(text, at).catch(() => undefined));
  await Promise.race(first);
  await server.stop("SIGKILL");
  await Promise.all(first);
  server = await restarted(server);
  // A key that the killed process held is free again after seconds.
  const again = texts.map((text, at) =>
    eventually(async () => {
      const { status } = await send(text, at);
      expect([201, 409]).toContain(status);
      return status === 201;
    }, "it is remembered"),
  );
  await Promise.all(again);
  const current = contents(await read("?limit=200"));
  expect(current.filter(one => one.includes("likes"))).toHaveLength(count);
  expect(current.filter(one => one.includes("lives"))).toHaveLength(1);
  const past = await read("?limit=200&superseded=true");
  expect(past).toHaveLength(count - 1);
  expect(new Set(past.map((one: Json) => one.supersededById)).size).toBe(count - 1);
  await eventually(async () => {
    const all = await read("?limit=200");
    return all.every((one: Json) => one.embeddingStatus === "ready");
  }, "all have vectors");
});
