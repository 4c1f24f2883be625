import { type Api, newWorkspace, runToEnd } from "../support/api.ts";
import { definition, node } from "../support/definition.ts";
import { FakeQdrant } from "../support/fake-qdrant.ts";
import { removeServer, type Server, startServer } from "../support/server.ts";
import { until } from "../support/service-node.ts";

let qdrant: FakeQdrant;
let server: Server;
let api: Api;
let space: string;
let workspace: string;
let base: string;
beforeAll(async () => {
  qdrant = new FakeQdrant();
  server = await startServer({ env: { QDRANT_URL: await qdrant.listen() } });
  const made = await newWorkspace(server.url);
  ({ api, space } = made);
  workspace = `/v1/workspaces/${made.workspaceId}`;
  const { body } = await api.post(`${workspace}/knowledge-bases`, { name: "Handbook" });
  base = body.id as string;
});
afterAll(async () => {
  await removeServer(server);
  await qdrant.close();
});

const entries = () => `${workspace}/knowledge-bases/${base}/entries`;
const add = async (content: string) => (await api.post(entries(), { content })).body.id as string;
const ready = (path: string) => until(async () => (await api.get(path)).body.embeddingStatus === "ready");

/** Every search there is: its path, and what is looked for. */
const SEARCHES = (words: string): [string, object][] => [
  [`${workspace}/knowledge-bases/${base}/search`, { query: words }],
  [`${workspace.replace("/v1", "")}/knowledge/${base}/search`, { query: words }],
  [`${workspace}/memories/search`, { query: words }],
  [`${workspace}/memories/context`, { query: words }],
];

it("searches by meaning, without a note, while all parts are available", async () => {
  const id = await add("The harbour opens at seven");
  const { body: memory } = await api.post(`${workspace}/memories`, { content: "The user sails into the harbour" });
  await ready(`${entries()}/${id}`);
  await ready(`${workspace}/memories/${memory.id}`);
  for (const [path, question] of SEARCHES("harbour")) {
    // A new index is known to be whole once it was compared with the store.
    await until(async () => (await api.post(path, question)).headers.get("search-degraded") === null);
    const answer = await api.post(path, question);
    expect(answer).toMatchObject({ status: 200 });
    expect(JSON.stringify(answer.body)).toContain("harbour");
    expect([path, answer.headers.get("search-degraded")]).toEqual([path, null]);
  }
  const [match] = (await api.post(SEARCHES("harbour")[0]![0], { query: "harbour" })).body;
  expect(match).toMatchObject({ matched: "hybrid" });
});

it("searches by words while Qdrant does not answer, says so, and finds new entries", async () => {
  qdrant.behaviour = "unavailable";
  await add("The lighthouse blinks");
  const said = await api.post(`${workspace}/memories/ingest`, { content: "I painted a lighthouse." });
  expect(said.status).toBe(201);
  for (const word of ["harbour", "lighthouse"]) {
    for (const [path, question] of SEARCHES(word)) {
      const answer = await api.post(path, question);
      expect([path, answer.status, answer.headers.get("search-degraded")]).toEqual([path, 200, "true"]);
      expect(JSON.stringify(answer.body)).toContain(word);
    }
  }
  const found = await runToEnd(
    api,
    space,
    definition([
      node("known", "memory", { action: "search", query: "lighthouse" }),
      node("read", "retriever", { knowledgeBaseId: base, query: "lighthouse" }),
      node("learn", "memory", { action: "ingest", content: "I own a lighthouse." }),
    ]),
  );
  expect(found).toMatchObject({ status: "completed", output: { learn: { memoriesCreated: 1 } } });
  expect(JSON.stringify(found.output.known)).toContain("painted");
  expect(found.output.read.matches).toMatchObject([{ content: "The lighthouse blinks" }]);
});

it("searches by meaning again when Qdrant is back", async () => {
  qdrant.behaviour = "well";
  const [path, question] = SEARCHES("lighthouse")[0]!;
  await until(async () => (await api.post(path, question)).headers.get("search-degraded") === null);
});

const readiness = async () => {
  const { status, body } = await api.get("/health/ready");
  return [status, body.status, body.dependencies.search] as const;
};
const isDegraded = async () => (await readiness()).join() === "200,degraded,degraded";
const isWell = async () => (await readiness()).join() === "200,ok,ok";

it("reports in readiness that Qdrant has no space for writes, and continues with what it has", async () => {
  await until(isWell);
  qdrant.behaviour = "full";
  await add("The anchor rusts");
  await until(isDegraded);
  const [path, question] = SEARCHES("harbour")[0]!;
  expect((await api.post(path, question)).headers.get("search-degraded")).toBeNull();
  qdrant.behaviour = "well";
  await until(isWell);
  // The first write that succeeds ends the degradation. What was refused before is written by a later try.
  await until(async () => (await api.post(path, { query: "anchor" })).body[0]?.content === "The anchor rusts");
});

it("reports in readiness that collections were lost, until they are complete again", async () => {
  await until(isWell);
  // Nothing can be made anew yet.
  qdrant.behaviour = "full";
  qdrant.aliases.clear();
  qdrant.collections.clear();
  await until(isDegraded);
  const [path, question] = SEARCHES("harbour")[0]!;
  expect((await api.post(path, question)).headers.get("search-degraded")).toBe("true");
  qdrant.behaviour = "well";
  await until(isWell);
  const answer = await api.post(path, question);
  expect([answer.headers.get("search-degraded"), answer.body[0]?.matched]).toEqual([null, "hybrid"]);
});

it("answers readiness without waiting for a Qdrant that hangs", async () => {
  qdrant.behaviour = "hang";
  await until(async () => {
    const { body } = await api.get("/health/ready");
    expect(["ok", "degraded", "down"]).toContain(body.dependencies.search);
    return body.status === "degraded" && body.dependencies.search === "down";
  });
});
