import { createGuardedFetch } from "../../adapters/net/guarded-fetch.ts";
import { OwnModels } from "../../adapters/models/own-models.ts";
import type { ChatMessage, ChatModel } from "../../adapters/models/port.ts";
import type { ServerLimits } from "../../adapters/models/model-server.ts";
import { MODEL_PROVIDER_NAMES, type ModelProviderName } from "../../contracts/credentials/model-providers.ts";
import { FakeProvider, REFUSES, resultsOf, SIGNATURE } from "../support/fake-providers.ts";

const KEY = "sk-conspicuous-0123456789/abc";
const open: { close(): Promise<void> }[] = [];
afterEach(async () => void (await Promise.all(open.splice(0).map(one => one.close()))));

interface Options {
  limits?: Partial<ServerLimits>;
  allow?: string[];
  data?: object;
}

async function stage(provider: ModelProviderName, { limits, allow = ["127.0.0.1"], data }: Options = {}) {
  const fake = await FakeProvider.open(provider, KEY);
  const net = createGuardedFetch({ allow });
  const own = new OwnModels({
    fetch: request => net.fetch(request),
    stream: request => net.stream(request),
    limits: { backoffMs: 1, ...limits },
  });
  open.push(fake, net, own);
  const host = new URL(fake.baseUrl).host;
  const chat: ChatModel = own.of("w", {
    ...{ id: "c", name: "Mine", type: "model", hosts: [host] },
    data: { provider, baseUrl: fake.baseUrl, apiKey: KEY, model: "big", ...data },
  });
  return { fake, chat, own, host };
}

const messages: ChatMessage[] = [{ role: "user", content: "Who?" }];
const usage = { inputTokens: 11, outputTokens: 7 };
const failure = (code: string, message: RegExp) =>
  expect.objectContaining({ name: "ModelError", code, message: expect.stringMatching(message) as string }) as Error;
const weather = {
  name: "weather",
  description: "Tells the weather.",
  parameters: { type: "object", properties: { city: { type: "string" } }, required: ["city"] },
};

/** Fails where the platform's own fetch is called, by which a library could go past the guard. */
const platform = globalThis.fetch;
beforeAll(() => {
  globalThis.fetch = () => Promise.reject(new Error("past the guard"));
  process.env.ANTHROPIC_API_KEY = process.env.GOOGLE_GENERATIVE_AI_API_KEY = "of the operator";
  process.env.ANTHROPIC_BASE_URL = "http://127.0.0.1:9";
});
afterAll(() => {
  globalThis.fetch = platform;
  for (const name of ["ANTHROPIC_API_KEY", "GOOGLE_GENERATIVE_AI_API_KEY", "ANTHROPIC_BASE_URL"])
    delete process.env[name];
});

describe.each(MODEL_PROVIDER_NAMES)("a workspace's own provider: %s", provider => {
  it("answers with its usage, and gets the key and the instructions once", async () => {
    const { fake, chat } = await stage(provider);
    const talk: ChatMessage[] = [
      { role: "system", content: "Be kind." },
      ...messages,
      { role: "assistant", content: "Me." },
      { role: "system", content: "Be exact." },
      { role: "user", content: "And who else?" },
    ];
    const answer = await chat.chat({ messages: talk, system: "Be brief.", temperature: 0, maxTokens: 9 });
    expect(answer).toEqual({ text: "Ada.", usage });
    const [call] = fake.calls;
    const sent = JSON.stringify(call!.body);
    for (const part of ["Be brief.", "Be kind.", "Be exact.", "And who else?"])
      expect(sent.split(part)).toHaveLength(2);
    expect(sent).not.toContain(KEY);
    expect(JSON.stringify(call!.headers).split(KEY)).toHaveLength(2);
    expect(JSON.stringify(call!.headers)).not.toMatch(/of the operator|not given/);
  });

  it("calls tools, and gets their results", async () => {
    const { fake, chat } = await stage(provider);
    fake.say = body =>
      resultsOf(body).length === 0
        ? {
            calls: [
              ["weather", { city: "Graz" }],
              ["weather", { city: "Linz" }],
            ],
          }
        : "Rain.";
    const asks = await chat.chat({ messages, tools: [weather], toolChoice: "auto" });
    expect(asks.toolCalls).toMatchObject([
      { name: "weather", arguments: { city: "Graz" } },
      { name: "weather", arguments: { city: "Linz" } },
    ]);
    const { toolCalls = [] } = asks;
    expect(new Set(toolCalls.map(({ id }) => id)).size).toBe(2);
    const told: ChatMessage[] = [
      ...messages,
      { role: "assistant", content: asks.text, toolCalls },
      ...toolCalls.map(({ id }, at) => ({ role: "tool" as const, toolCallId: id, content: `result ${at}` })),
    ];
    expect(await chat.chat({ messages: told, tools: [weather], toolChoice: "none" })).toEqual({ text: "Rain.", usage });
    const last = fake.asked.at(-1)!;
    expect(resultsOf(last).join()).toMatch(/result 0.*result 1/);
    // One turn of the model is answered by one turn.
    const turns = (last.contents ?? last.messages) as { role: string }[];
    if (provider === "google" || provider === "anthropic") expect(turns).toHaveLength(3);
    expect(JSON.stringify(last).includes(SIGNATURE)).toBe(provider === "google");
  });

  it("answers by a schema, also on the second request", async () => {
    const { fake, chat } = await stage(provider);
    const schema = {
      ...{ type: "object", properties: { name: { type: "string" } } },
      ...{ required: ["name"], additionalProperties: false },
    };
    fake.say = () => (fake.asked.length === 1 ? '{"nam":1}' : '{"name":"Ada"}');
    const answer = await chat.chat({ messages, schema });
    expect(answer).toEqual({
      ...{ text: '{"name":"Ada"}', json: { name: "Ada" } },
      usage: { inputTokens: 22, outputTokens: 14 },
    });
  });

  it("receives files", async () => {
    const { fake, chat } = await stage(provider);
    const files = [
      { name: "a.png", type: "image/png", bytes: Buffer.from("a picture") },
      { name: "b.txt", type: "text/plain; charset=utf-8", bytes: Buffer.from("a text") },
    ];
    await chat.chat({ messages: [{ role: "user", content: "What?", files }] });
    const sent = JSON.stringify(fake.asked[0]);
    expect(sent).toContain(Buffer.from("a picture").toString("base64"));
    expect(sent).toContain("a text");
  });

  it("masks a key that the server repeats", async () => {
    const { fake, chat } = await stage(provider, { data: { apiKey: `${KEY}x` } });
    const error = (await chat.chat({ messages }).catch((thrown: unknown) => thrown)) as Error;
    expect(error).toEqual(failure("model_refused", /401: Incorrect API key provided: •••/));
    expect(JSON.stringify([error, String(error.stack), error.cause])).not.toContain(KEY);
    fake.faults.push({ status: 400, body: { error: { message: `${"xy ".repeat(95)} ${KEY}x` } } });
    // A key across the end of what is shown is masked before the rest is cut off.
    await expect(chat.chat({ messages })).rejects.toEqual(failure("model_refused", /xy •••$/));
  });

  it.each([
    ["a page", "page", "model_bad_output", /not JSON/],
    ["another form than the protocol's", "strange", "model_bad_output", /./],
    ["too much", "huge", "model_bad_output", /larger than/],
    ["a redirect", { status: 307, headers: { location: "http://127.0.0.1:9/" } }, "model_refused", /307/],
    ["a used-up quota", { status: 429, headers: { "retry-after": "600" } }, "model_unavailable", /too many calls/],
    ["an error", { status: 503 }, "model_unavailable", /503/],
    ["a broken connection", "reset", "model_unavailable", /cannot be reached/],
    ["nothing", "hang", "model_timeout", /longer than/],
    ["a byte now and then", "drip", "model_timeout", /longer than/],
  ] as const)("fails after %s", async (_name, fault, code, message) => {
    const waits = fault === "hang" || fault === "drip";
    const { fake, chat } = await stage(provider, {
      limits: { maxTries: 2, ...(waits && { totalMs: 300, tryMs: 250 }) },
    });
    fake.faults.push(fault, fault);
    await expect(chat.chat({ messages })).rejects.toEqual(failure(code, message));
  });

  it("is called again after the wait that it asks for, unless that is too long", async () => {
    const { fake, chat } = await stage(provider);
    fake.faults.push({ status: 429, headers: { "retry-after": "0" } }, { status: 529 }, "reset");
    expect(await chat.chat({ messages })).toEqual({ text: "Ada.", usage });
    expect(fake.asked).toHaveLength(4);
    fake.faults.push({ status: 429, headers: { "retry-after": "900" } });
    await expect(chat.chat({ messages })).rejects.toMatchObject({ retryAfterSeconds: 900 });
    expect(fake.asked).toHaveLength(5);
  });

  it("fails if the model refuses, or if its address is forbidden", async () => {
    const { fake, chat } = await stage(provider);
    fake.say = () => REFUSES;
    await expect(chat.chat({ messages })).rejects.toEqual(failure("model_refused", /refused to answer/));
    const guarded = await stage(provider, { allow: [] });
    await expect(guarded.chat.chat({ messages })).rejects.toEqual(failure("model_refused", /rule: loopback/));
    expect(guarded.fake.calls).toEqual([]);
  });

  it("ends with its caller", async () => {
    const { fake, chat } = await stage(provider);
    const caller = new AbortController();
    fake.say = () => {
      caller.abort();
      return new Promise(() => undefined);
    };
    await expect(chat.chat({ messages, signal: caller.signal })).rejects.toEqual(failure("model_aborted", /./));
  });
});

describe.each(["anthropic", "google"] as const)("a streamed answer of %s", provider => {
  async function heardFrom(options?: Options) {
    const { fake, chat } = await stage(provider, options);
    const heard: [number, string][] = [];
    const ask = (more: Partial<Parameters<ChatModel["chat"]>[0]> = {}) =>
      chat.chat({ messages, onWords: (at, words) => heard.push([at, words]), ...more });
    const isStreamed = ({ path, body }: (typeof fake.calls)[number]) =>
      body.stream === true || path.includes(":streamGenerateContent");
    return { fake, ask, heard, asked: () => fake.calls.map(isStreamed) };
  }

  it("arrives word by word, and equals the answer in one piece", async () => {
    const { fake, ask, heard, asked } = await heardFrom();
    fake.say = () => "Ada  wrote it.";
    const streamed = await ask();
    expect(heard).toEqual([
      [0, "Ada  "],
      [5, "wrote "],
      [11, "it."],
    ]);
    expect(streamed).toEqual({ text: "Ada  wrote it.", usage });
    expect(await ask({ onWords: undefined })).toEqual(streamed);
    expect(asked()).toEqual([true, false]);
  });

  it("contains tool calls, with the data that must be sent back with them", async () => {
    const { fake, ask } = await heardFrom();
    fake.say = () => ({ calls: [["weather", { city: "Graz", days: [1, 2] }] as [string, object], ["weather", {}]] });
    const streamed = await ask({ tools: [weather] });
    expect(streamed.toolCalls?.map(call => call.arguments)).toEqual([{ city: "Graz", days: [1, 2] }, {}]);
    const { toolCalls, ...whole } = await ask({ tools: [weather], onWords: undefined });
    expect(streamed).toMatchObject(whole);
    expect(streamed.toolCalls?.map(({ signature }) => signature)).toEqual(toolCalls?.map(call => call.signature));
  });

  it("starts again after a break, and is not requested from a server that answers in one piece", async () => {
    const { fake, ask, heard, asked } = await heardFrom();
    fake.say = () => "One two three four.";
    fake.faults.push("half", "whole", { status: 404 });
    expect((await ask()).text).toBe("One two three four.");
    expect(heard.map(([at]) => at).filter(at => at === 0)).toHaveLength(1);
    expect((await ask()).text).toBe("One two three four.");
    expect(asked()).toEqual([true, true, true, false]);
  });

  it("is a refusal if the model refuses", async () => {
    const { fake, ask } = await heardFrom();
    fake.say = () => REFUSES;
    await expect(ask()).rejects.toEqual(failure("model_refused", /refused to answer/));
  });
});

describe("the models of workspaces", () => {
  it("limit the parts of an answer that never ends", async () => {
    const { fake, chat } = await stage("google");
    const part = {
      candidates: [{ content: { parts: [{ text: "x" }] }, finishReason: "CONTINUATION", continuationToken: "more" }],
    };
    fake.faults.push(...Array.from({ length: 50 }, () => ({ status: 200, body: part })));
    await expect(chat.chat({ messages })).rejects.toEqual(failure("model_bad_output", /never ends/));
    expect(fake.asked).toHaveLength(4);
  });

  it("name the files that a provider does not accept", async () => {
    const { chat } = await stage("anthropic");
    const files = [{ name: "a.mp3", type: "audio/mpeg", bytes: Buffer.from("a sound") }];
    const asked = chat.chat({ messages: [{ role: "user", content: "What?", files }] });
    await expect(asked).rejects.toEqual(failure("model_refused", /does not accept this: .*audio\/mpeg/));
  });

  it("remember what they learned until the credential changes", async () => {
    const { own, chat, host, fake } = await stage("openai");
    const data = { provider: "openai", baseUrl: fake.baseUrl, apiKey: KEY, model: "big" };
    const credential = { id: "c", name: "Renamed", type: "model" as const, hosts: [host], data };
    expect(own.of("w", credential)).toBe(chat);
    expect(own.of("w", { ...credential, data: { ...data, apiKey: "another" } })).not.toBe(chat);
    expect(own.of("w", { ...credential, hosts: ["other.example.com"] })).not.toBe(chat);
    const elsewhere = own.of("w", { ...credential, hosts: ["other.example.com"] });
    await expect(elsewhere.chat({ messages })).rejects.toEqual(failure("model_refused", /may not be sent to/));
    expect(fake.calls).toEqual([]);
  });

  it("read credentials that were stored before there were providers", async () => {
    const { own, host, fake } = await stage("openai");
    const data = { baseUrl: fake.baseUrl, apiKey: KEY, model: "big" };
    const old = own.of("w", { id: "old", name: "Old", type: "model", hosts: [host], data });
    expect(await old.chat({ messages })).toEqual({ text: "Ada.", usage });
  });

  it("do not block other workspaces while the providers of one workspace do not answer", async () => {
    const underWay = new Map<string, number>();
    const silent = Promise.withResolvers<never>();
    const own = new OwnModels({
      fetch: ({ url }) => {
        const { host } = new URL(url);
        underWay.set(host, (underWay.get(host) ?? 0) + 1);
        if (host.startsWith("slow")) return silent.promise;
        const answer = { choices: [{ message: { content: "Ada." } }], usage: {} };
        return Promise.resolve({ status: 200, headers: {}, url, body: Buffer.from(JSON.stringify(answer)) });
      },
    });
    const model = (workspace: string, host: string) =>
      own.of(workspace, {
        ...{ id: `${workspace} ${host}`, name: host, type: "model", hosts: [host] },
        data: { provider: "openai", baseUrl: `https://${host}/v1`, apiKey: KEY, model: "big" },
      });
    const stop = new AbortController();
    const stuck = Array.from({ length: 100 }, (_, n) => model("a", `slow${n % 50}.example`)).flatMap(chat =>
      Array.from({ length: 4 }, () => chat.chat({ messages, signal: stop.signal, group: "a" })),
    );
    const all = Promise.allSettled(stuck);
    await new Promise(setImmediate);
    expect([...underWay.values()].reduce((sum, one) => sum + one, 0)).toBe(50);
    expect(await model("b", "quick.example").chat({ messages, group: "b" })).toMatchObject({ text: "Ada." });
    stop.abort();
    silent.reject(new Error("aborted"));
    expect((await all).every(({ status }) => status === "rejected")).toBe(true);
  });
});
