import { v7 as uuid } from "uuid";
import type { SearchQuery } from "../../adapters/search/port.ts";
import type { InputOf } from "../../contracts/actions.ts";
import type { Identity } from "../../contracts/entities/user.ts";
import type { WithSearch } from "../../service-kit/search.mixin.ts";
import memory from "../../services/memory/memory.service.ts";
import { memories, memoryTurns } from "../../services/memory/model.ts";
import type { MemoryService } from "../../services/memory/service.ts";
import { sweepMemories } from "../../services/memory/sweep.ts";
import models from "../../services/models/models.service.ts";
import pods from "../../services/pods/pods.service.ts";
import workspaces from "../../services/workspaces/workspaces.service.ts";
import { ownDataDir, refusal, type ServiceNode, userIdentity, startServices, until } from "../support/service-node.ts";

ownDataDir();

const ada: Identity = userIdentity();
let nodes: ServiceNode[];
let node: ServiceNode;
let workspaceId: string;
beforeAll(async () => {
  nodes = [
    await startServices(workspaces, pods, models, memory),
    await startServices(workspaces, pods, models, memory),
  ];
  node = nodes[0]!;
});
afterAll(() => Promise.all(nodes.map(one => one.stop())));
beforeEach(async () => {
  ({ id: workspaceId } = await node.act(ada, "workspaces.create", { name: "Acme" }));
});

const ingest = (content: string, more: Partial<InputOf<"memory.ingest">> = {}, on = node) =>
  on.act(ada, "memory.ingest", { workspaceId, content, ...more });
const create = (content: string, more: Partial<InputOf<"memory.create">> = {}) =>
  node.act(ada, "memory.create", { workspaceId, content, ...more });
const list = async (more: Partial<InputOf<"memory.list">> = {}) =>
  (await node.act(ada, "memory.list", { workspaceId, ...more })).items;
const contents = async (more: Partial<InputOf<"memory.list">> = {}) =>
  (await list(more)).map(({ content }) => content).sort();
const search = (query: string, more: Partial<InputOf<"memory.search">> = {}) =>
  node.act(ada, "memory.search", { workspaceId, query, ...more });
const history = async (id: string) => (await node.act(ada, "memory.history", { workspaceId, id })).items;
const service = (of = node) => of.service<MemoryService>("memory");

test("an ingested text becomes one memory per fact, about the caller", async () => {
  const { memories: made, ...counts } = await ingest(
    "Hi! My mother lives in Lyon. My brother lives in Oslo. How are you?",
  );
  expect(counts).toEqual({
    memoriesCreated: 2,
    memoriesUpdated: 0,
    sessionId: expect.any(String) as string,
    extraction: { by: "rules/4", fallback: null },
  });
  expect(made.map(({ content }) => content)).toEqual([
    "The user's mother lives in Lyon",
    "The user's brother lives in Oslo",
  ]);
  expect(made[0]).toMatchObject({
    ...{ workspaceId, userId: ada.userId, scope: "user", threadId: null, workflowId: null, source: "ingested" },
    ...{ factType: "profile", eventDate: null, supersededById: null, metadata: {} },
  });
  expect(await list()).toEqual([...made].reverse());
});

test("a text with more facts than the limit is rejected, not cut", async () => {
  const content = Array.from({ length: 600 }, (_, at) => `I like thing number ${at}.`).join(" ");
  await expect(ingest(content)).rejects.toMatchObject({ data: { errors: [{ path: "/content" }] } });
  expect(await list()).toEqual([]);
});

test("facts about different relatives do not contradict each other", async () => {
  await ingest("My mother lives in Lyon. My brother lives in Oslo.");
  const moved = await ingest("My mother moved to Nice.");
  expect(moved).toMatchObject({ memoriesCreated: 1, memoriesUpdated: 1 });
  const [newest] = moved.memories;
  expect(await contents()).toEqual([newest!.content, "The user's brother lives in Oslo"].sort());
  expect((await search("Where does my mother live?")).map(({ content }) => content)).not.toContain(
    "The user's mother lives in Lyon",
  );
});

test("a newer value or a negation supersedes a memory, and the history says why", async () => {
  const { memories: first, sessionId: before } = await ingest("I live in Paris. I like tea.");
  const { memories: second, sessionId } = await ingest("Well. I moved to Berlin. I no longer like tea.");
  const [paris] = first;
  const [berlin] = second;
  expect(await node.act(ada, "memory.get", { workspaceId, id: paris!.id })).toMatchObject({
    supersededById: berlin!.id,
  });
  expect(await contents()).toEqual(second.map(({ content }) => content).sort());
  expect(await contents({ superseded: true })).toEqual(["The user likes tea", "The user lives in Paris"]);
  const common = { actorId: ada.userId, by: "rules/4", fallback: null };
  expect(await history(paris!.id)).toMatchObject([
    { ...common, event: "superseded", otherId: berlin!.id, sessionId, decision: expect.stringContaining("newer") },
    { ...common, event: "created", otherId: null, sessionId: before, span: { start: 0, text: "I live in Paris." } },
  ]);
  const text = "I moved to Berlin.";
  expect(await history(berlin!.id)).toMatchObject([
    { event: "created", otherId: paris!.id, sessionId, span: { start: 6, end: 6 + text.length, text } },
  ]);
});

test("a fact that the same text retracts is not stored, and what it superseded stays superseded", async () => {
  await ingest("I live in Paris.");
  const corrected = await ingest("I moved to Rome. I moved to Berlin.");
  expect(corrected).toMatchObject({ memoriesCreated: 1, memoriesUpdated: 1 });
  expect(await contents()).toEqual([corrected.memories[0]!.content]);
});

test("a superseded memory can be restored, and supersedes its successor", async () => {
  const [paris] = (await ingest("I live in Paris.")).memories;
  const [berlin] = (await ingest("I moved to Berlin.")).memories;
  const restore = (id: string) => node.act(ada, "memory.restore", { workspaceId, id });
  const moments = { berlin: new Date().toISOString(), paris: "" };
  await until(() => new Date().toISOString() > moments.berlin);
  expect(await restore(paris!.id)).toMatchObject({ id: paris!.id, supersededById: null });
  await expect(restore(paris!.id)).rejects.toEqual(refusal("memory_current"));
  expect(await contents()).toEqual(["The user lives in Paris"]);
  expect((await search("lives in Paris"))[0]).toMatchObject({ id: paris!.id });
  expect((await history(paris!.id)).map(({ event }) => event)).toEqual(["restored", "superseded", "created"]);
  expect((await history(berlin!.id))[0]).toMatchObject({ event: "superseded", otherId: paris!.id, by: "manual" });
  // It counts again for what comes.
  expect(await ingest("I live in Paris.")).toMatchObject({ memoriesCreated: 0, memoriesUpdated: 0, memories: [] });
  expect(await contents({ asOf: moments.berlin })).toEqual([berlin!.content]);
});

test("a memory that repeats a current one is not restored", async () => {
  const [first] = (await ingest("I like tea.")).memories;
  await ingest("I don't like tea.");
  await ingest("I like tea.");
  const again = node.act(ada, "memory.restore", { workspaceId, id: first!.id });
  await expect(again).rejects.toEqual(refusal("conflict"));
});

test("a list as of a time shows what was known then", async () => {
  const start = new Date().toISOString();
  await until(() => new Date().toISOString() > start);
  await ingest("I live in Paris.");
  const paris = new Date().toISOString();
  await until(() => new Date().toISOString() > paris);
  await ingest("I moved to Berlin.");
  expect(await contents({ asOf: start })).toEqual([]);
  expect(await list({ asOf: paris })).toMatchObject([{ content: "The user lives in Paris", supersededById: null }]);
  expect(await contents({ asOf: new Date().toISOString() })).toEqual(await contents());
});

test("ten identical concurrent ingests leave one memory, and ten values of one attribute leave one current memory", async () => {
  const on = (at: number) => nodes[at % 2];
  const same = await Promise.all(Array.from({ length: 10 }, (_, at) => ingest("I work at Acme.", {}, on(at))));
  expect(same.reduce((sum, one) => sum + one.memoriesCreated, 0)).toBe(1);
  expect(await contents()).toEqual(["The user works at Acme"]);
  const cities = ["Rome", "Oslo", "Lima", "Bern", "Cairo", "Paris", "Tokyo", "Delhi", "Quito", "Sofia"];
  const moves = await Promise.all(cities.map((city, at) => ingest(`I live in ${city}.`, {}, on(at))));
  expect(moves.reduce((sum, one) => sum + one.memoriesUpdated, 0)).toBe(9);
  expect(await list({ factType: moves[0]!.memories[0]!.factType })).toHaveLength(2);
  expect(await list({ superseded: true })).toHaveLength(9);
});

test("keeps memories of a thread or a workflow apart from the user's", async () => {
  const workflowId = uuid();
  await ingest("I live in Paris.");
  await ingest("I live in Rome.", { scope: "thread", threadId: "t1" });
  await ingest("I live in Oslo.", { scope: "thread", threadId: "t2" });
  await ingest("I live in Lima.", { scope: "workflow", workflowId });
  expect(await list()).toHaveLength(4);
  expect(await contents({ scope: "thread" })).toHaveLength(2);
  expect(await contents({ threadId: "t1" })).toEqual(["The user lives in Rome"]);
  expect(await contents({ workflowId })).toEqual(["The user lives in Lima"]);
  expect((await search("lives", { scope: "workflow" })).map(({ content }) => content)).toEqual([
    "The user lives in Lima",
  ]);
  const without = (scope: "thread" | "workflow", path: string) =>
    expect(ingest("I live in Rome.", { scope })).rejects.toMatchObject({
      type: "validation_failed",
      data: { errors: [{ path: `/${path}` }] },
    });
  await without("thread", "threadId");
  await without("workflow", "workflowId");
});

test("users of a workspace do not share their memories", async () => {
  const ben = userIdentity();
  await ingest("I live in Paris.");
  const of = (userId: string) => node.act(ada, "memory.profile", { workspaceId, userId });
  expect(Object.values(await of(ben.userId)).flat()).toEqual([]);
  await ingest("I live in Rome.", { userId: ben.userId });
  const { id } = await node.act(ben, "workspaces.create", { name: "Other" });
  await node.act(ben, "memory.ingest", { workspaceId: id, content: "I live in Paris." });
  expect(await node.act(ben, "memory.list", { workspaceId: id })).toMatchObject({ items: [{ userId: ben.userId }] });
  await expect(node.act(ben, "memory.list", { workspaceId })).rejects.toEqual(refusal("not_found"));
  const [own] = await list();
  for (const name of ["memory.get", "memory.remove", "memory.restore", "memory.history"] as const) {
    await expect(node.act(ben, name, { workspaceId: id, id: own!.id })).rejects.toEqual(refusal("not_found"));
  }
  expect(await node.act(ben, "memory.search", { workspaceId: id, query: "Paris", userId: ada.userId })).toEqual([]);
});

test("a statement is stored unchanged, also with an unknown type", async () => {
  const metadata = { from: "import" };
  const made = await create("Prefers short answers", {
    factType: "style",
    confidence: 0.4,
    metadata,
    eventDate: "2026-01-02",
  });
  expect(made).toMatchObject({
    source: "manual",
    factType: "style",
    confidence: 0.4,
    metadata,
    eventDate: "2026-01-02",
  });
  expect(await create("Prefers short answers")).toMatchObject({ factType: "fact", confidence: 1, eventDate: null });
  expect(await list()).toHaveLength(2);
  await expect(create("x", { metadata: { a: "x".repeat(20_000) } })).rejects.toEqual(refusal("validation_failed"));
});

test("a memory that was written by hand is superseded by a later statement", async () => {
  const { id } = await create("I live in Paris");
  const { memoriesUpdated } = await ingest("I moved to Berlin.");
  expect(memoriesUpdated).toBe(1);
  expect(await list({ superseded: true })).toMatchObject([{ id }]);
});

test("a profile has a group for each type", async () => {
  for (const factType of ["fact", "preference", "event", "profile", "system", "style", "toString"]) {
    await create(`A ${factType}`, { factType });
  }
  const groups = await node.act(ada, "memory.profile", { workspaceId });
  const shown = Object.fromEntries(Object.entries(groups).map(([name, all]) => [name, all.map(one => one.factType)]));
  expect(shown).toEqual({
    facts: ["fact"],
    preferences: ["preference"],
    events: ["event"],
    profile: ["profile"],
    system: ["system"],
    uncategorized: ["toString", "style"],
  });
});

test("keywords find a memory at once, with a score for the match", async () => {
  const { id } = await create("The budget of the zeppelin project is 5000");
  await create("Likes tea");
  const [first] = await search("zeppelin");
  expect(first).toMatchObject({ id });
  expect(first!.score).toBeGreaterThanOrEqual(0.2);
  await until(async () => (await search("zeppelin budget"))[0]!.score > 0.3);
  expect(await search("zeppelin", { limit: 1 })).toHaveLength(1);
});

test("deleting a memory removes its history too", async () => {
  const { id } = (await ingest("I live in Paris.")).memories[0]!;
  await node.act(ada, "memory.remove", { workspaceId, id });
  expect(await search("Paris")).toEqual([]);
  await expect(history(id)).rejects.toEqual(refusal("not_found"));
  await expect(node.act(ada, "memory.remove", { workspaceId, id })).rejects.toEqual(refusal("not_found"));
  expect(await ingest("I live in Paris.")).toMatchObject({ memoriesCreated: 1 });
});

test("hits that the store no longer has are not returned", async () => {
  const { id } = await create("A zeppelin");
  await service().store.tenant(memories, workspaceId).remove({ id });
  expect(await search("zeppelin")).toEqual([]);
});

test("a context contains the relevant memories within its budget, and is not stored as a memory", async () => {
  await create("Answer in French", { factType: "system" });
  await create("The user is a nurse", { factType: "profile" });
  for (let at = 0; at < 20; at++) await create(`The zeppelin number ${at} is ${"very ".repeat(at)}large`);
  const pack = (tokens: number) =>
    node.act(ada, "memory.context", { workspaceId, query: "How large is the zeppelin?", tokens });
  const all = await pack(4_000);
  expect(all).toMatchObject({ truncated: false });
  expect(all.memories).toHaveLength(22);
  const some = await pack(60);
  expect(some.truncated).toBe(true);
  expect(some.tokens).toBeLessThanOrEqual(60);
  expect(some.tokens).toBe(Math.ceil(some.text.length / 4));
  expect(some.text).toContain("Answer in French");
  expect(some.text).toContain("zeppelin number");
  for (const { content } of some.memories) expect(some.text).toContain(content);
  expect(await pack(1)).toMatchObject({ text: "", tokens: 0, memories: [], truncated: true });
  expect(await ingest(all.text)).toMatchObject({ memoriesCreated: 0 });
});

test("writes that a killed process left unfinished are completed", async () => {
  const [paris] = (await ingest("I live in Paris.")).memories;
  const docs = service().store.tenant(memories, workspaceId);
  const berlin = (await ingest("I moved to Berlin.")).memories[0]!;
  await docs.updateOne({ id: paris!.id }, { $unset: { supersededById: true, supersededAt: true } });
  await docs.updateOne({ id: berlin.id }, { $set: { settleAt: new Date() } });
  await sweepMemories.call(service(), new Date(Date.now() + 1));
  expect(await contents()).toEqual([berlin.content]);
  expect((await history(paris!.id)).map(({ event }) => event)).toEqual(["superseded", "created"]);
  expect((await docs.get({ id: berlin.id }))?.settleAt ?? null).toBeNull();
});

test("the turn of a killed process expires", async () => {
  const turns = service().store.tenant(memoryTurns, workspaceId);
  const turn = { id: uuid(), workspaceId, userId: ada.userId, holder: uuid(), until: new Date(Date.now() + 300) };
  await turns.insert(turn);
  expect(await ingest("I live in Paris.")).toMatchObject({ memoriesCreated: 1 });
  expect(await turns.count({})).toBe(0);
});

test("a process that lost its turn writes nothing", async () => {
  const { turns, store } = service();
  const all = store.tenant(memoryTurns, workspaceId);
  let tries = 0;
  await turns.take(workspaceId, ada.userId, async fence => {
    if (++tries === 1) await all.updateOne({ userId: ada.userId }, { $set: { holder: "another", until: new Date(0) } });
    await store.write([fence()]);
  });
  expect(tries).toBe(2);
});

test("deleting a workspace removes its memories", async () => {
  await ingest("I live in Paris.");
  await node.act(null, "memory.purge", { workspaceId });
  expect(await list()).toEqual([]);
  const { hits } = await service().search.tenant("memory", workspaceId).search({ text: "Paris", limit: 10 });
  expect(hits).toEqual([]);
});

test("finds memories by words while another node changes the embedding model", async () => {
  await create("The user sails into the harbour");
  const { search: port } = node.service<WithSearch>("memory");
  const tenant = port.tenant.bind(port);
  const unknown = Object.assign(new Error("the index holds no vectors of it"), { code: "unknown_embedder" });
  const spy = jest.spyOn(port, "tenant").mockImplementation((kind, id) => {
    const index = tenant(kind, id);
    const byWords = (asked: SearchQuery) => (asked.vector ? Promise.reject(unknown) : index.search(asked));
    return Object.assign(Object.create(index) as typeof index, { search: byWords });
  });
  try {
    expect((await search("harbour")).map(({ content }) => content)).toEqual(["The user sails into the harbour"]);
    expect(spy).toHaveBeenCalled();
  } finally {
    spy.mockRestore();
  }
});
