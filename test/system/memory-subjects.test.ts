import { v7 as uuid } from "uuid";
import { newWorkflow, newWorkspace, type Json } from "../support/api.ts";
import { definition, node } from "../support/definition.ts";
import type { Server } from "../support/server.ts";
import { sharedServer } from "../support/shared.ts";

let server: Server;
let api: Awaited<ReturnType<typeof newWorkspace>>["api"];
let space: string;
let base: string;
let me: string;
beforeAll(async () => (server = await sharedServer()));
beforeEach(async () => {
  const made = await newWorkspace(server.url);
  ({ api, space } = made);
  base = `/v1/workspaces/${made.workspaceId}/memories`;
  me = (await api.get("/v1/auth/me")).body.id as string;
});

const remember = async (content: string, more: object = {}) => {
  const { status, body } = await api.post(base, { content, ...more });
  expect({ status, code: body.code }).toEqual({ status: 201, code: undefined });
};
const ingest = async (content: string) => {
  const { status, body } = await api.post(`${base}/ingest`, { content });
  expect(status).toBe(201);
  return body;
};
const preview = async (body: object): Promise<Json> => {
  const answer = await api.post(`${base}/ingest/preview`, body);
  expect(answer.status).toBe(200);
  return answer.body;
};
const list = async (query = ""): Promise<Json[]> => {
  const { status, body } = await api.get(`${base}/subjects${query}`);
  expect(status).toBe(200);
  return body as Json[];
};

it("lists all subjects of memories, with the number of current ones", async () => {
  expect(await list()).toEqual([]);
  await ingest("I live in Paris. I like tea.");
  const { memories } = await ingest("I moved to Berlin.");
  await remember("Pays late", { userId: "Zoë 客户" });
  const found = await list();
  expect(found).toEqual(
    [
      { id: me, name: null, memories: 2, newestAt: memories[0].createdAt as string },
      { id: "Zoë 客户", name: null, memories: 1, newestAt: expect.any(String) as string },
    ].sort((a, b) => (a.id < b.id ? -1 : 1)),
  );
  // Who has only superseded memories is listed too, because their history is there.
  expect(await list(`?by=thread`)).toEqual([]);
});

it("lists the threads and the workflows of one person, and of no one else", async () => {
  const workflowId = await newWorkflow(api, space, definition([node("start", "trigger")]));
  const gone = uuid();
  await remember("Asked about bells", { scope: "thread", threadId: "t-2" });
  await remember("Asked about ropes", { scope: "thread", threadId: "t-1" });
  await remember("Asked about nets", { scope: "thread", threadId: "t-1" });
  await remember("Asked about oars", { scope: "thread", threadId: "t-3", userId: "c-1" });
  await remember("Wants a summary", { scope: "workflow", workflowId });
  await remember("Wants a table", { scope: "workflow", workflowId: gone });
  expect(await list("?by=thread")).toMatchObject([
    { id: "t-1", name: null, memories: 2 },
    { id: "t-2", memories: 1 },
  ]);
  expect(await list("?by=thread&userId=c-1")).toMatchObject([{ id: "t-3", memories: 1 }]);
  const { body: workflow } = await api.get(`${space}/workflows/${workflowId}`);
  const workflows = await list("?by=workflow");
  expect(workflows).toHaveLength(2);
  expect(workflows).toContainEqual(expect.objectContaining({ id: workflowId, name: workflow.name as string }));
  expect(workflows).toContainEqual(expect.objectContaining({ id: gone, name: null }));
});

it("pages through subjects, each once, whatever characters their ids have", async () => {
  const ids = ["a", "a b", "A", "é", "😀", "z/1", ...Array.from({ length: 6 }, (_, n) => `customer ${n}`)];
  for (const userId of ids) await remember("Pays late", { userId });
  const seen: string[] = [];
  let path: string | undefined = `${base}/subjects?limit=5`;
  while (path !== undefined) {
    const page = await api.get(path);
    expect(page.status).toBe(200);
    seen.push(...(page.body as Json[]).map(({ id }) => id as string));
    path = /<([^>]+)>/.exec(page.headers.get("link") ?? "")?.[1];
  }
  expect(seen.toSorted()).toEqual(ids.toSorted());
  expect((await api.get(`${base}/subjects?cursor=a`)).body).toMatchObject({ code: "invalid_cursor" });
});

it("previews what an ingest would add, supersede and leave out, and stores nothing", async () => {
  const { memories } = await ingest("My mother lives in Lyon. I like tea.");
  const text = "Hello. My mother moved to Nice. I like tea. I own a boat.";
  const shown = await preview({ content: text });
  expect(shown).toMatchObject({
    memories: [
      {
        content: "The user's mother moved to Nice",
        factType: "profile",
        span: { start: 7, end: 31, text: "My mother moved to Nice." },
        decision: expect.stringContaining("newer"),
        supersedes: [{ id: memories[0].id, content: "The user's mother lives in Lyon" }],
      },
      { decision: expect.stringContaining("new"), supersedes: [] },
    ],
    skipped: [{ content: "The user likes tea", span: { text: "I like tea." } }],
    extraction: { by: "rules/4", fallback: null },
  });
  const current = (await api.get(base)).body as Json[];
  expect(current.map(({ id }) => id as string).toSorted()).toEqual(
    (memories as Json[]).map(({ id }) => id as string).toSorted(),
  );
  expect(await ingest(text)).toMatchObject({
    memoriesCreated: 2,
    memoriesUpdated: 1,
    memories: (shown.memories as Json[]).map(({ content }) => ({ content: content as string })),
  });
  expect(await preview({ content: text })).toMatchObject({ memories: [] });
});

it("previews for one scope, and rejects what an ingest rejects", async () => {
  await remember("The user likes tea", { scope: "thread", threadId: "t-1" });
  expect((await preview({ content: "I like tea." })).memories).toHaveLength(1);
  const place = { scope: "thread", threadId: "t-2" };
  expect((await preview({ content: "I like tea.", ...place })).memories).toHaveLength(1);
  const lacking = await api.post(`${base}/ingest/preview`, { content: "I like tea.", scope: "thread" });
  expect(lacking).toMatchObject({ status: 400, body: { errors: [{ path: "/threadId" }] } });
  const content = Array.from({ length: 600 }, (_, at) => `I like thing number ${at}.`).join(" ");
  expect((await api.post(`${base}/ingest/preview`, { content })).body).toMatchObject({ code: "validation_failed" });
});
