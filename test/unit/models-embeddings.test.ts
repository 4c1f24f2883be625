import { createModels, type ModelsOptions } from "../../adapters/models/index.ts";
import { builtInEmbedder } from "../../adapters/models/built-in-embedder.ts";
import { LocalEmbedder, type Transformers } from "../../adapters/models/local-embedder.ts";
import type { Embedder, Models } from "../../adapters/models/port.ts";
import { hashEmbedding } from "../../core/embedding/hash-embedding.ts";
import { vectorOf, vectorText } from "../../core/embedding/vector-text.ts";
import { FakeModels, type FakeModelsOptions } from "../support/fake-models.ts";

const open: { close(): Promise<void> }[] = [];
afterEach(async () => void (await Promise.all(open.splice(0).map(one => one.close()))));

async function serverAndClient(options: FakeModelsOptions = {}, limits: ModelsOptions["limits"] = {}) {
  const fake = await FakeModels.open(options);
  const embeddings = { baseUrl: fake.baseUrl, apiKey: options.apiKey, model: "small" };
  const models: Models = createModels({ embeddings, limits: { backoffMs: 1, ...limits } });
  open.push(models, fake);
  return { fake, embedder: models.embedder };
}

const dot = (a: Float32Array, b: Float32Array) => a.reduce((sum, value, at) => sum + value * b[at]!, 0);
const error = (code: string, message: RegExp | string = "") =>
  expect.objectContaining({ name: "ModelError", code, message: expect.stringMatching(message) as string }) as Error;
const texts = (count: number) => Array.from({ length: count }, (_, at) => `text number ${at}`);
const vectors = async (embedder: Embedder, all: string[]) => (await embedder.embed(all)).vectors;

describe("embeddings of a server", () => {
  it("are vectors of length 1 in the order of the texts, with their usage", async () => {
    const { fake, embedder } = await serverAndClient({ apiKey: "k", dimensions: 16 });
    expect(embedder).toMatchObject({ id: "openai/small", dimensions: undefined, semantic: true });
    const { vectors: found, inputTokens } = await embedder.embed(["red wine", "a boat", ""]);
    expect(embedder.dimensions).toBe(16);
    expect(inputTokens).toBeGreaterThan(0);
    expect(dot(found[0]!, found[0]!)).toBeCloseTo(1);
    expect(found[1]).toEqual((await vectors(embedder, ["a boat"]))[0]);
    expect(fake.calls[0]).toMatchObject({
      path: "/v1/embeddings",
      headers: { authorization: "Bearer k" },
      body: { model: "small", input: ["red wine", "a boat", " "], encoding_format: "float" },
    });
  });

  it("are requested in batches of a size that the server accepts", async () => {
    const { fake, embedder } = await serverAndClient({ maxBatch: 10 });
    const found = await vectors(embedder, texts(40));
    expect(found).toHaveLength(40);
    expect(found[33]).toEqual((await vectors(embedder, ["text number 33"]))[0]);
    const before = fake.calls.length;
    await vectors(embedder, texts(16));
    expect(fake.calls.slice(before).map(call => (call.body.input as string[]).length)).toEqual([8, 8]);
  });

  it("cover the beginning of texts that are too long", async () => {
    const { fake, embedder } = await serverAndClient({ maxChars: 1_000 });
    const long = "word ".repeat(1_000);
    const found = await vectors(embedder, ["short", long, "short as well"]);
    expect(found.map(vector => vector.length)).toEqual([32, 32, 32]);
    expect(Math.max(...(fake.calls.at(-1)!.body.input as string[]).map(one => one.length))).toBeLessThanOrEqual(1_000);
  });

  it("survive transient failures", async () => {
    const { fake, embedder } = await serverAndClient({}, { maxTries: 7 });
    fake.faults.push({ status: 429, headers: { "retry-after": "0" } }, { status: 500 }, { status: 503 });
    fake.faults.push("reset", "half", "page");
    expect(await vectors(embedder, ["a"])).toHaveLength(1);
    expect(fake.calls).toHaveLength(7);
  });

  it("wait as long as the server says", async () => {
    const { fake, embedder } = await serverAndClient({}, { totalMs: 5_000 });
    fake.faults.push({ status: 429, headers: { "retry-after": "3600" } });
    await expect(embedder.embed(["a"])).rejects.toEqual(error("model_unavailable", /too many calls/));
    fake.faults.push({ status: 503, headers: { "retry-after": new Date(Date.now() + 3_600_000).toUTCString() } });
    // The header has whole seconds, and one of them may have begun.
    const refused = (await embedder.embed(["a"]).catch((reason: unknown) => reason)) as { retryAfterSeconds?: number };
    expect([3_599, 3_600]).toContain(refused.retryAfterSeconds);
    expect(fake.calls).toHaveLength(2);
  });

  it.each([
    ["model_unavailable", Array(4).fill({ status: 500 })],
    ["model_unavailable", Array(4).fill("reset")],
    ["model_bad_output", Array(4).fill("page")],
    ["model_bad_output", ["fewer"]],
    ["model_refused", [{ status: 401, body: { error: { message: "Incorrect API key" } } }]],
    ["model_refused", [{ status: 429, body: { error: { code: "insufficient_quota" } } }]],
  ] as const)("fail with %s after %j", async (code, faults) => {
    const { fake, embedder } = await serverAndClient();
    fake.faults.push(...(faults as unknown as FakeModels["faults"]));
    await expect(embedder.embed(["a"])).rejects.toEqual(error(code));
    expect(fake.calls).toHaveLength(faults.length);
    expect(await vectors(embedder, ["a"])).toHaveLength(1);
  });

  it("never change their dimensions", async () => {
    const { fake, embedder } = await serverAndClient();
    await embedder.embed(["a"]);
    fake.faults.push("wider");
    await expect(embedder.embed(["a"])).rejects.toEqual(error("model_bad_output", /33 dimensions/));
    expect(embedder.dimensions).toBe(32);
  });

  it("fail if one attempt, or all together, take too long", async () => {
    // The second try succeeds, so that its limit is long enough for a busy machine.
    const patient = await serverAndClient({}, { tryMs: 2_000, maxTries: 2 });
    patient.fake.faults.push("hang");
    expect(await vectors(patient.embedder, ["a"])).toHaveLength(1);
    const { fake, embedder } = await serverAndClient({}, { tryMs: 30, maxTries: 2 });
    fake.faults.push("hang", "hang");
    await expect(embedder.embed(["a"])).rejects.toEqual(error("model_timeout"));
    const hurried = await serverAndClient({}, { totalMs: 30 });
    hurried.fake.faults.push("hang");
    await expect(hurried.embedder.embed(["a"])).rejects.toEqual(error("model_timeout"));
  });

  it("end when the caller or the service stops", async () => {
    const { fake, embedder } = await serverAndClient();
    fake.faults.push("hang", "hang");
    const controller = new AbortController();
    const called = fake.called();
    const cancelled = embedder.embed(["a"], { signal: controller.signal });
    const wasCancelled = expect(cancelled).rejects.toEqual(error("model_aborted"));
    await called;
    controller.abort();
    await wasCancelled;

    const again = fake.called();
    const stopped = expect(embedder.embed(["a"])).rejects.toEqual(error("model_unavailable"));
    await again;
    await open[0]!.close();
    await stopped;
  });

  it("take turns within a limit", async () => {
    const { fake, embedder } = await serverAndClient({}, { concurrency: 2, maxQueue: 8 });
    const release = fake.hold();
    const calls = ["a", "a", "a", "a", "a", "b"].map(group => embedder.embed(["x"], { group }));
    const all = Promise.allSettled(calls);
    while (fake.calls.length < 2) await fake.called();
    release();
    const settled = await all;
    // Two run, two of the group wait, the next of it is refused, and another group still has its turn.
    expect(settled.map(({ status }) => status)).toEqual([
      ...Array<string>(4).fill("fulfilled"),
      "rejected",
      "fulfilled",
    ]);
    expect(fake.together).toBe(2);
  });
});

describe("the built-in embedder", () => {
  it("gives the same unit vector for the same text", async () => {
    const embedder = builtInEmbedder();
    expect(embedder).toMatchObject({ dimensions: 1_024, semantic: false });
    const [a, b, none] = await vectors(embedder, ["Two cats", "Two cats", " …"]);
    expect(a).toEqual(b);
    expect(dot(a!, a!)).toBeCloseTo(1);
    expect(none).toEqual(new Float32Array(1_024));
  });

  it("gives a higher similarity to texts that share words, stems and spelling", () => {
    const near = (a: string, b: string) => dot(hashEmbedding(a), hashEmbedding(b));
    const question = "How do I reset my password?";
    expect(near(question, "Passwords are reset from the sign-in page")).toBeGreaterThan(
      near(question, "How do I invite a colleague?") + 0.1,
    );
    expect(near("organisation", "organization")).toBeGreaterThan(0.3);
    expect(near("Müller", "muller")).toBeCloseTo(1);
    expect(near("東京に住んでいます", "東京に住む")).toBeGreaterThan(0.2);
  });

  it("yields to others within a batch", async () => {
    let turns = 0;
    const turn = () => void (turns++, (again = setImmediate(turn)));
    let again = setImmediate(turn);
    await vectors(
      builtInEmbedder(),
      texts(400).map(text => text.repeat(40)),
    );
    clearImmediate(again);
    expect(turns).toBeGreaterThan(2);
  });

  it("ends when the caller stops", async () => {
    await expect(builtInEmbedder().embed(["a"], { signal: AbortSignal.abort() })).rejects.toEqual(
      error("model_aborted"),
    );
  });
});

describe("a local model", () => {
  const fakePackage = () => {
    const env = { allowRemoteModels: true, allowLocalModels: false, localModelPath: "" };
    const extract = (all: string[]) =>
      Promise.resolve({ dims: [all.length, 2], data: Float32Array.from(all.flatMap(text => [1, text.length])) });
    const opened: string[] = [];
    const pipeline = (_: string, model: string) => Promise.resolve(void opened.push(model)).then(() => extract);
    return { env, opened, pipeline } as Transformers & { opened: string[] };
  };

  it("is loaded once, and only from its folder", async () => {
    const loaded = fakePackage();
    const embedder = new LocalEmbedder("file:/models/mini", () => Promise.resolve(loaded));
    expect(await vectors(embedder, texts(20))).toHaveLength(20);
    expect(await vectors(embedder, ["abc"])).toEqual([Float32Array.of(1, 3)]);
    expect(embedder).toMatchObject({ id: "local/mini", dimensions: 2, semantic: true });
    expect(loaded.opened).toEqual(["mini"]);
    expect(loaded.env).toEqual({ allowRemoteModels: false, allowLocalModels: true, localModelPath: "/models" });
  });

  it("takes turns between groups, a batch at a time", async () => {
    const order: string[] = [];
    const pipeline = () =>
      Promise.resolve(async (all: string[]) => {
        order.push(all[0]!);
        await new Promise(setImmediate);
        return { dims: [all.length, 1], data: new Float32Array(all.length).fill(1) };
      });
    const loaded = { ...fakePackage(), pipeline } as unknown as Transformers;
    const embedder = new LocalEmbedder("file:/models/mini", () => Promise.resolve(loaded));
    const many = Array.from({ length: 6 }, () => embedder.embed(Array<string>(40).fill("many"), { group: "a" }));
    const one = embedder.embed(["one"], { group: "b" });
    const gone = expect(embedder.embed(["gone"], { group: "b", signal: AbortSignal.abort() }));
    await gone.rejects.toEqual(error("model_aborted"));
    await Promise.all([...many, one]);
    expect(order).toHaveLength(19);
    expect(order.indexOf("one")).toBeLessThan(4);
    expect(order).not.toContain("gone");
  });

  it("says which package is missing", async () => {
    const { embedder } = createModels({ embeddings: { model: "file:/models/mini" } });
    await expect(embedder.embed(["a"])).rejects.toEqual(error("model_unavailable", /npm install @huggingface/));
  });
});

describe("a vector as text", () => {
  it("is the same vector again", () => {
    const vector = hashEmbedding("Two cats");
    expect(vectorOf(vectorText(vector))).toEqual(vector);
    expect(vectorText(vector).length).toBeLessThan(5_500);
    expect(() => vectorOf("abc")).toThrow(RangeError);
  });
});
