import { v7 as uuid } from "uuid";
import type { Identity } from "../../contracts/entities/user.ts";
import executions from "../../services/executions/executions.service.ts";
import memory from "../../services/memory/memory.service.ts";
import models from "../../services/models/models.service.ts";
import pods from "../../services/pods/pods.service.ts";
import workflows from "../../services/workflows/workflows.service.ts";
import workspaces from "../../services/workspaces/workspaces.service.ts";
import type { Json } from "../support/api.ts";
import { definition, node as step } from "../support/definition.ts";
import { FakeModels } from "../support/fake-models.ts";
import { ownDataDir, type ServiceNode, userIdentity, startServices, until } from "../support/service-node.ts";

ownDataDir();

const ada: Identity = userIdentity();
let fake: FakeModels;
let node: ServiceNode;
let workspaceId: string;
/** What the model says to what it is asked, by what stands in the question. */
let says: (question: string) => unknown;
beforeAll(async () => {
  const say = (body: Json) => JSON.stringify(says((body.messages as { content: string }[]).at(-1)!.content));
  fake = await FakeModels.open({ dimensions: 24, say });
  const { baseUrl } = fake;
  Object.assign(process.env, { LLM_BASE_URL: baseUrl, LLM_MODEL: "big" });
  Object.assign(process.env, { EMBEDDINGS_BASE_URL: baseUrl, EMBEDDINGS_MODEL: "small" });
  node = await startServices(workspaces, pods, workflows, executions, models, memory);
});
afterAll(async () => {
  await node.stop();
  await fake.close();
});
beforeEach(async () => {
  ({ id: workspaceId } = await node.act(ada, "workspaces.create", { name: "Acme" }));
});

const ingest = (content: string) => node.act(ada, "memory.ingest", { workspaceId, content });
const contents = async () =>
  (await node.act(ada, "memory.list", { workspaceId })).items.map(({ content }) => content).sort();
const history = async (id: string) => (await node.act(ada, "memory.history", { workspaceId, id })).items;
const BY_MODEL = { by: "big prompts/1", fallback: null };

const fact = (content: string, quote: string, more: object = {}) => ({
  ...{ content, type: "fact", eventDate: null, confidence: 0.8, quote },
  ...more,
});
const isExtraction = (question: string) => !question.startsWith("[{");

test("extracts facts with their positions by a language model", async () => {
  const quote = "moved house on the 3rd";
  says = () => ({ facts: [fact("The user moved house", quote, { type: "event", eventDate: "2026-11-03" })] });
  const text = `Oh well. I ${quote}, and that was that.`;
  const { memories, extraction } = await ingest(text);
  expect(extraction).toEqual(BY_MODEL);
  const drawn = { content: "The user moved house", factType: "event", confidence: 0.8 };
  expect(memories).toMatchObject([{ ...drawn, eventDate: expect.stringMatching(/^2026-11-03/) }]);
  const span = { start: text.indexOf(quote), end: text.indexOf(quote) + quote.length, text: quote };
  expect(await history(memories[0]!.id)).toMatchObject([{ event: "created", ...BY_MODEL, span }]);
});

test("finds contradictions that the rules miss, and changes only memories that the model was shown", async () => {
  says = () => ({ facts: [fact("Der Nutzer wohnt in Wien", "Wien"), fact("Der Nutzer mag Tee", "Tee")] });
  const { memories } = await ingest("Ich wohne in Wien und mag Tee.");
  says = question => {
    if (isExtraction(question)) return { facts: [fact("Der Nutzer wohnt in Graz", "Graz")] };
    const [asked] = JSON.parse(question) as { remembered: { id: string; content: string }[] }[];
    const { id } = asked!.remembered.find(one => one.content.includes("Wien"))!;
    const stranger = "01980000-0000-7000-8000-000000000003";
    const other = { fact: 7, decision: "same", ids: [id] };
    return { decisions: [{ fact: 0, decision: "supersede", ids: [id, stranger] }, other] };
  };
  expect(await ingest("Ich wohne jetzt in Graz.")).toMatchObject({ memoriesCreated: 1, memoriesUpdated: 1 });
  expect(await contents()).toEqual(["Der Nutzer mag Tee", "Der Nutzer wohnt in Graz"]);
  const wien = memories.find(({ content }) => content.includes("Wien"))!;
  expect((await history(wien.id))[0]).toMatchObject({ event: "superseded", ...BY_MODEL });
});

test.each([
  ["it refuses", { status: 403 }, "model_refused"],
  ["its server is gone for long", { status: 429, headers: { "retry-after": "600" } }, "model_unavailable"],
])("uses the rules if %s, and says so", async (_what, fault, fallback) => {
  says = () => ({ facts: [] });
  fake.faults.push(fault);
  const { memories, extraction } = await ingest("I live in Paris.");
  expect(extraction).toEqual({ by: "rules/4", fallback });
  expect(memories).toMatchObject([{ content: "The user lives in Paris" }]);
  expect((await history(memories[0]!.id))[0]).toMatchObject({ by: "rules/4", fallback });
});

test.each([
  ["is not JSON", () => "nonsense"],
  ["has facts of another shape", () => ({ facts: [{ content: "", type: "gossip" }] })],
])("uses the rules if the model's answer %s", async (_what, answer) => {
  says = answer;
  const { memories, extraction } = await ingest("I live in Paris.");
  expect(extraction).toEqual({ by: "rules/4", fallback: "model_bad_output" });
  expect(memories).toMatchObject([{ content: "The user lives in Paris" }]);
});

test("compares by the rules if the model extracts facts but cannot compare them", async () => {
  says = () => ({ facts: [fact("The user lives in Paris", "Paris"), fact("The user likes tea", "tea")] });
  await ingest("I live in Paris and like tea.");
  says = question =>
    isExtraction(question)
      ? { facts: [fact("The user moved to Berlin", "Berlin"), fact("The user has tea plants", "tea")] }
      : "nonsense";
  const { extraction, memoriesUpdated } = await ingest("I moved to Berlin and have tea plants.");
  expect(extraction).toEqual({ ...BY_MODEL, fallback: "model_bad_output" });
  expect(memoriesUpdated).toBe(1);
});

test("adds vectors later if they are unavailable, and finds the memory by keywords until then", async () => {
  says = () => {
    // The next call is the one for the vectors.
    fake.faults.push({ status: 400 });
    return { facts: [fact("The user owns a zeppelin", "zeppelin")] };
  };
  await ingest("I own a zeppelin.");
  expect(fake.faults).toEqual([]);
  const search = async () => (await node.act(ada, "memory.search", { workspaceId, query: "zeppelin" }))[0]!;
  expect((await search()).score).toBeGreaterThanOrEqual(0.2);
  await until(async () => (await search()).score > 0.3);
});

describe("steps", () => {
  const run = async (steps: object[], ...edges: string[]) => {
    const scope = { workspaceId, spaceId: workspaceId };
    const given = definition(steps, ...edges);
    const { id: workflowId } = await node.act(ada, "workflows.create", { ...scope, name: "w", definition: given });
    return node.act(ada, "executions.start", { ...scope, workflowId, waitMs: 20_000 });
  };

  it("ask the language model for text or by a schema, and report the usage", async () => {
    says = () => ({ city: "Paris" });
    const schema = { type: "object", required: ["city"], properties: { city: { type: "string" } } };
    const asked = await run([step("a", "llm", { prompt: "Where?", system: "Be brief", schema })]);
    const usage = { inputTokens: expect.any(Number) as number, outputTokens: expect.any(Number) as number };
    expect(asked).toMatchObject({ status: "completed", output: { json: { city: "Paris" }, usage } });
    const { body } = fake.calls.at(-1)!;
    expect(body.messages).toMatchObject([{ role: "system" }, { role: "user", content: "Where?" }]);
    const talked = await run([step("a", "llm", { messages: [{ role: "user", content: "Hi" }], temperature: 0 })]);
    expect(talked).toMatchObject({ status: "completed", output: { text: '{"city":"Paris"}', usage } });
  });

  it("fail with the model's refusal, and with invalid data", async () => {
    fake.faults.push({ status: 403, body: { error: { message: "Not for you" } } });
    expect(await run([step("a", "llm", { prompt: "x" })])).toMatchObject({ error: { code: "model_refused" } });
    const both = { prompt: "x", messages: [{ role: "user", content: "x" }] };
    expect(await run([step("a", "llm", both)])).toMatchObject({ error: { code: "invalid_definition" } });
    const schema = { type: "object", properties: { name: { pattern: "(" } } };
    expect(await run([step("a", "llm", { prompt: "x", schema })])).toMatchObject({ error: { code: "invalid_data" } });
  });

  it("that are retried after their work was done store no memory twice, whatever the model answers", async () => {
    const session = { workspaceId, userId: ada.userId, sessionId: uuid() };
    says = question => (isExtraction(question) ? { facts: [fact("The user has a boat", "boat")] } : { decisions: [] });
    const first = await node.act(null, "memory.steps.ingest", { ...session, content: "A boat is mine." });
    says = () => ({ facts: [fact("A boat belongs to the user", "boat")] });
    const again = await node.act(null, "memory.steps.ingest", { ...session, content: "A boat is mine." });
    expect(again).toMatchObject({ memoriesCreated: 1, extraction: BY_MODEL });
    expect(again.memories.map(({ id }) => id)).toEqual(first.memories.map(({ id }) => id));
    const added = { ...session, sessionId: uuid(), content: "Likes tea" };
    const one = await node.act(null, "memory.steps.add", added);
    expect(await node.act(null, "memory.steps.add", added)).toMatchObject({ id: one.id });
    expect(await contents()).toEqual(["Likes tea", "The user has a boat"]);
  });
});
