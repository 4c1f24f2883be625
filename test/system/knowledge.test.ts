import { type Api, newWorkspace, runToEnd } from "../support/api.ts";
import { definition, node } from "../support/definition.ts";
import { FakeModels } from "../support/fake-models.ts";
import { pdfWith } from "../support/pdf.ts";
import { removeServer, type Server, startServer } from "../support/server.ts";
import { until } from "../support/service-node.ts";

let server: Server;
let fake: FakeModels;
let api: Api;
let space: string;
let workspace: string;
let own: string;
let other: string;
const start = (dataDir?: string) =>
  startServer({
    ...(dataDir && { dataDir }),
    env: { EMBEDDINGS_BASE_URL: fake.baseUrl, EMBEDDINGS_MODEL: "small" },
  });
beforeAll(async () => {
  fake = await FakeModels.open({ dimensions: 256 });
  server = await start();
  const made = await newWorkspace(server.url);
  ({ api, space } = made);
  workspace = `/workspaces/${made.workspaceId}`;
  own = `/v1${workspace}/knowledge-bases`;
  other = `${workspace}/knowledge`;
});
afterAll(async () => {
  await removeServer(server);
  await fake.close();
});

async function newBase(...contents: string[]): Promise<string> {
  const { body } = await api.post(own, { name: "Handbook" });
  for (const content of contents) await api.post(`${own}/${body.id}/entries`, { content });
  return body.id as string;
}

const readyAt = (path: string) => until(async () => (await api.get(path)).body.embeddingStatus === "ready");

it("serves the same bases at both forms of paths", async () => {
  const created = await api.post(other, { name: "Rules", description: "Of the house" }, { "idempotency-key": "once" });
  expect(created.status).toBe(201);
  const { id } = created.body;
  expect(created.headers.get("location")).toBe(`${other}/${id}`);
  const again = await api.post(other, { name: "Rules", description: "Of the house" }, { "idempotency-key": "once" });
  expect(again.body).toEqual(created.body);
  expect((await api.get(`${own}/${id}`)).body).toEqual(created.body);
  expect((await api.patch(`${own}/${id}`, { name: "Laws" })).body).toMatchObject({ name: "Laws" });
  expect((await api.get(`${other}/${id}`)).body).toMatchObject({ name: "Laws", description: "Of the house" });
  const entry = await api.post(`${own}/${id}/entries`, { content: "No shoes", metadata: { lang: "en", deep: [1] } });
  expect(entry.body).toMatchObject({ knowledgeBaseId: id, content: "No shoes", metadata: { lang: "en", deep: [1] } });
  expect(entry.headers.get("location")).toBe(`${own}/${id}/entries/${entry.body.id}`);
  expect((await api.get(`${other}/${id}/entries/${entry.body.id}`)).body.content).toBe("No shoes");
  for (const bases of [own, other]) {
    const sizes = { entryCount: 1, entryBytes: Buffer.byteLength('No shoes{"lang":"en","deep":[1]}') };
    const listed = { ...created.body, name: "Laws", updatedAt: expect.any(String) as string, ...sizes };
    expect((await api.get(bases)).body).toContainEqual(listed);
    expect((await api.get(`${bases}/${id}/entries`)).body).toHaveLength(1);
  }
  expect((await api.delete(`${other}/${id}/entries/${entry.body.id}`)).status).toBe(204);
  expect((await api.get(`${own}/${id}/entries`)).body).toEqual([]);
  expect((await api.delete(`${other}/${id}`)).status).toBe(204);
  expect((await api.get(`${own}/${id}`)).status).toBe(404);
});

it("lists entries page by page, newest first, and rejects invalid parameters", async () => {
  const id = await newBase("one", "two", "three");
  const first = await api.get(`${other}/${id}/entries?limit=2`);
  expect(first.body).toMatchObject([{ content: "three" }, { content: "two" }]);
  const [, next] = /<([^>]+)>; rel="next"/.exec(first.headers.get("link")!)!;
  expect((await api.get(next!)).body).toMatchObject([{ content: "one" }]);
  for (const body of [
    {},
    { content: "  " },
    { content: 5 },
    { content: "x", metadata: [] },
    { content: "x", meta: {} },
  ]) {
    const answer = await api.post(`${own}/${id}/entries`, body);
    expect(answer).toMatchObject({ status: 400, body: { code: "validation_failed" } });
  }
});

it("searches by meaning in one form, and by words in the other", async () => {
  const id = await newBase("Refunds are paid within two weeks", "The kitchen closes at nine");
  const { body } = await api.get(`${own}/${id}/entries`);
  for (const entry of body as { id: string }[]) await readyAt(`${own}/${id}/entries/${entry.id}`);
  const byWords = await api.post(`${other}/${id}/search`, { query: "refunds", limit: 1 });
  expect(byWords.body).toMatchObject([
    { content: "Refunds are paid within two weeks", score: 0.2, matched: "keyword" },
  ]);
  const byMeaning = await api.post(`${own}/${id}/search`, { query: "refund paid" });
  expect(byMeaning.body[0]).toMatchObject({ content: "Refunds are paid within two weeks", matched: "hybrid" });
  expect(byMeaning.body[0].score).toBeGreaterThan(0.4);
  expect(await api.post(`${own}/${id}/search`, { query: "refund", filter: { lang: "en" } })).toMatchObject({
    status: 400,
    body: { code: "validation_failed" },
  });
});

it("turns a file into entries in the background", async () => {
  const id = await newBase();
  const file = { name: "plan.pdf", contentBase64: pdfWith("The plan of the harbour").toString("base64") };
  const begun = await api.post(`${own}/${id}/entries/import`, file);
  expect(begun).toMatchObject({ status: 201, body: { status: "pending", contentType: "application/pdf" } });
  const path = begun.headers.get("location")!;
  expect(path).toBe(`${own}/${id}/entries/import/${begun.body.id}`);
  await until(async () => (await api.get(path)).body.status === "completed");
  expect((await api.get(path)).body).toMatchObject({ entriesTotal: 1, entriesDone: 1, error: null });
  expect((await api.get(`${own}/${id}/entries/import`)).body).toHaveLength(1);
  const found = await api.post(`${other}/${id}/search`, { query: "harbour" });
  expect(found.body).toMatchObject([{ metadata: { source: "plan.pdf", page: 1 } }]);
});

it("answers the search of a run", async () => {
  const id = await newBase("The gate opens at seven", "The cat sleeps all day");
  const asks = (data: object) => definition([node("find", "retriever", data)]);
  const found = await runToEnd(
    api,
    space,
    asks({ knowledgeBaseId: id, query: "When does the {{ input.what }} open?", topK: 1 }),
    { what: "gate" },
  );
  expect(found).toMatchObject({
    status: "completed",
    output: { matches: [{ content: "The gate opens at seven", metadata: {}, score: expect.any(Number) as number }] },
  });
  expect(found.output.matches).toHaveLength(1);
  const nowhere = await runToEnd(api, space, asks({ knowledgeBaseId: found.id, query: "x" }));
  expect(nowhere).toMatchObject({ status: "failed", error: { code: "knowledge_base_not_found", nodeId: "find" } });
  const broken = await runToEnd(api, space, asks({ knowledgeBaseId: id, query: "x", filter: { lang: "en" } }));
  expect(broken).toMatchObject({ status: "failed", error: { code: "invalid_definition" } });
});

it("computes the vectors of entries that were written before a kill", async () => {
  const id = await newBase();
  const letGo = fake.hold();
  const called = fake.called();
  const { body } = await api.post(`${own}/${id}/entries`, { content: "Written just in time" });
  await called;
  await server.stop("SIGKILL");
  letGo();
  server = await start(server.dataDir);
  api = api.at(server.url);
  const [entry] = (await api.post(`${other}/${id}/search`, { query: "written" })).body;
  expect(entry).toMatchObject({ id: body.id });
  await readyAt(`${own}/${id}/entries/${body.id}`);
  const found = await api.post(`${own}/${id}/search`, { query: "written in time" });
  expect(found.body).toMatchObject([{ id: body.id, matched: "hybrid" }]);
});
