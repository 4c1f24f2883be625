import { v7 as uuid } from "uuid";
import { hint } from "../../contracts/call.ts";
import { vectorOf } from "../../core/embedding/vector-text.ts";
import models from "../../services/models/models.service.ts";
import { FakeModels } from "../support/fake-models.ts";
import { ownDataDir, refusal, type ServiceNode, startServices, until } from "../support/service-node.ts";

ownDataDir();

let fake: FakeModels;
let node: ServiceNode;
beforeAll(async () => {
  fake = await FakeModels.open({ apiKey: "secret-key", dimensions: 24, say: () => '{"name":"Ada"}' });
  const { baseUrl } = fake;
  Object.assign(process.env, { LLM_BASE_URL: baseUrl, LLM_API_KEY: "secret-key", LLM_MODEL: "big" });
  Object.assign(process.env, {
    EMBEDDINGS_BASE_URL: baseUrl,
    EMBEDDINGS_API_KEY: "secret-key",
    EMBEDDINGS_MODEL: "small",
  });
  node = await startServices(models);
});
afterAll(async () => {
  await node.stop();
  await fake.close();
});

const messages = [{ role: "user" as const, content: "Who?" }];

describe("the models service", () => {
  it("reports what is configured, without keys and addresses", async () => {
    const found = await node.act(null, "models.describe", {});
    expect(found).toEqual({
      embedder: { id: "openai/small", dimensions: 24, semantic: true },
      chat: { model: "big" },
    });
    const published = JSON.stringify(node.broker.registry.getLocalNodeInfo(true));
    expect(published).toContain("models.chat");
    expect(published).not.toMatch(/secret-key|127\.0\.0\.1:\d+\/v1/);
  });

  it("embeds the maximum number of texts of a call, in a form that survives JSON", async () => {
    const texts = Array.from({ length: 256 }, (_, at) => `text number ${at}`);
    const { vectors, ...rest } = await node.act(null, "models.embed", { texts });
    expect(rest).toEqual({ id: "openai/small", dimensions: 24, inputTokens: expect.any(Number) as number });
    expect(vectors).toHaveLength(256);
    expect(Math.hypot(...vectorOf(vectors[255]!))).toBeCloseTo(1);
    await expect(node.act(null, "models.embed", { texts: [...texts, "x"] })).rejects.toEqual(
      refusal("validation_failed"),
    );
  });

  it("chats, and answers by a schema", async () => {
    const schema = { type: "object", required: ["name"], properties: { name: { type: "string", pattern: "^A" } } };
    expect(await node.act(null, "models.chat", { messages, schema })).toMatchObject({ json: { name: "Ada" } });
    const broken = { type: "object", properties: { name: { pattern: "(" } } };
    const refused = node.act(null, "models.chat", { messages, schema: broken });
    await expect(refused).rejects.toMatchObject({ type: "validation_failed", data: { errors: [{ path: "/schema" }] } });
  });

  it("gives the slot of a call to the next one as soon as its callers give up", async () => {
    const places = 8;
    fake.faults.push(...Array.from({ length: places }, () => "hang" as const));
    const ask = (timeout?: number) => node.broker.call("models.chat", { messages }, { timeout });
    const hurried = await Promise.allSettled(Array.from({ length: places }, () => ask(200)));
    expect(hurried.map(({ status }) => status)).toEqual(Array(places).fill("rejected"));
    expect(await ask()).toMatchObject({ text: '{"name":"Ada"}' });
  });

  it("aborts only the calls whose callers gave up", async () => {
    fake.faults.push("hang", "hang");
    const [mine, other] = [uuid(), uuid()];
    const ask = (workspaceId: string) =>
      node.broker.call("models.chat", { workspaceId, messages }, { meta: { callId } });
    const callId = uuid();
    const asked = [mine, other].map(ask);
    await until(() => fake.underWay === 2);
    hint(node.broker, "all", "models.call.cancelled", { workspaceId: mine, callId });
    await expect(asked[0]).rejects.toEqual(refusal("model_unavailable"));
    await until(() => fake.underWay === 1);
    hint(node.broker, "all", "models.call.cancelled", { workspaceId: other, callId });
    await expect(asked[1]).rejects.toEqual(refusal("model_unavailable"));
  });

  it("fails with error codes of the API", async () => {
    fake.faults.push({ status: 403, body: { error: { message: "Not for you" } } });
    const refused = node.act(null, "models.chat", { messages });
    await expect(refused).rejects.toMatchObject({ type: "model_refused", code: 502 });
    fake.faults.push({ status: 429, headers: { "retry-after": "600" } });
    const later = node.act(null, "models.embed", { texts: ["a"] });
    await expect(later).rejects.toMatchObject({ type: "model_unavailable", data: { retryAfterSeconds: 600 } });
  });
});
