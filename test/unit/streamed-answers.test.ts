import { createModels } from "../../adapters/models/index.ts";
import type { ChatAnswer, ChatModel } from "../../adapters/models/port.ts";
import { StreamedCompletion } from "../../adapters/models/streamed-completion.ts";
import { StreamedContent } from "../../adapters/models/streamed-content.ts";
import { StreamedMessage } from "../../adapters/models/streamed-message.ts";
import { FollowerRegistry } from "../../services/executions/engine/follower-registry.ts";
import { StreamedAnswers } from "../../services/executions/engine/streamed-answers.ts";
import { FakeModels, type FakeModelsOptions, callTools } from "../support/fake-models.ts";

const open: { close(): Promise<void> }[] = [];
afterEach(async () => void (await Promise.all(open.splice(0).map(one => one.close()))));

const messages = [{ role: "user" as const, content: "Who?" }];
const tools = [{ name: "weather", description: "Tells the weather.", parameters: { type: "object" } }];

/** A model that streams, and what is heard of its answers. */
async function stage(options: FakeModelsOptions) {
  const fake = await FakeModels.open(options);
  const models = createModels({ llm: { baseUrl: fake.baseUrl, model: "big" }, limits: { backoffMs: 1 } });
  open.push(models, fake);
  const heard: [number, string][] = [];
  const ask = (more: Partial<Parameters<ChatModel["chat"]>[0]> = {}): Promise<ChatAnswer> =>
    models.chat!.chat({ messages, onWords: (at, words) => heard.push([at, words]), ...more });
  return { fake, ask, heard };
}

describe("an answer that is streamed", () => {
  it("arrives in parts, and equals the answer in one piece", async () => {
    const { fake, ask, heard } = await stage({ say: () => "Ada wrote it." });
    const streamed = await ask();
    expect(heard).toEqual([
      [0, "Ada "],
      [4, "wrote "],
      [10, "it."],
    ]);
    expect(fake.calls[0]!.body).toMatchObject({ stream: true, stream_options: { include_usage: true } });
    expect(await ask({ onWords: undefined })).toEqual(streamed);
    expect(fake.calls[1]!.body.stream).toBe(false);
  });

  it("contains the calls of tools", async () => {
    const { ask } = await stage({ say: () => callTools(["weather", { city: "Graz" }], ["weather", { city: "Linz" }]) });
    const { toolCalls } = await ask({ tools });
    expect(toolCalls?.map(call => call.arguments)).toEqual([{ city: "Graz" }, { city: "Linz" }]);
  });

  it("starts again after a lost connection", async () => {
    const { fake, ask, heard } = await stage({ say: () => "One two three four." });
    fake.faults.push("half");
    expect((await ask()).text).toBe("One two three four.");
    expect(heard.filter(([at]) => at === 0)).toHaveLength(2);
  });

  it("is a rejection when the model rejects the request", async () => {
    const { ask } = await stage({ say: () => ({ content: null, refusal: "I will not." }) });
    await expect(ask()).rejects.toMatchObject({ code: "model_refused", message: /I will not/ });
  });

  it.each([
    ["answers in one piece", { streams: false } as const, [true, true]],
    [
      "refuses to stream",
      { unsupported: { stream_options: "Unknown parameter: stream_options" } },
      [true, false, false],
    ],
    ["does not say what it costs", { streams: "uncounted" } as const, [true, false]],
  ])("is not requested from a server that %s", async (_what, options, asked) => {
    const { fake, ask } = await stage({ say: () => "Ada.", ...options });
    for (let n = 0; n < 2; n++) expect((await ask()).text).toBe("Ada.");
    expect(fake.calls.map(({ body }) => body.stream as boolean)).toEqual(asked);
  });

  it.each(["data: {\n\n", "data: null\n\n", 'data: {"error":{"message":"no"}}\n\n', `data: ${"x".repeat(1_100_000)}`])(
    "is rejected if it contains %.30j",
    text => {
      const reader = new StreamedCompletion(() => undefined);
      expect(() => reader.push(Buffer.from(text))).toThrow(/model/);
    },
  );

  it("is parsed alike wherever the stream is cut", () => {
    const whole = ["Grüße", ", ", "Ada 🙂"].map(content => ({ choices: [{ delta: { content } }] }));
    const text = [...whole, { choices: [{ delta: {}, finish_reason: "stop" }] }]
      .map(part => `data: ${JSON.stringify(part)}\r\n\r\n`)
      .join("");
    const bytes = Buffer.from(`${text}data: [DONE]\n\n`);
    let heard = "";
    const reader = new StreamedCompletion(words => (heard += words));
    for (const byte of bytes) reader.push(Uint8Array.of(byte));
    expect(heard).toBe("Grüße, Ada 🙂");
    expect(reader.whole()).toMatchObject({ choices: [{ message: { content: heard }, finish_reason: "stop" }] });
  });
});

/** Streams as the servers of these protocols send them, with parts that are no words, and what they say. */
const RECORDED = {
  anthropic: {
    reader: StreamedMessage,
    events: [
      {
        type: "message_start",
        message: { id: "msg_1", type: "message", role: "assistant", content: [], usage: { input_tokens: 25 } },
      },
      { type: "content_block_start", index: 0, content_block: { type: "thinking", thinking: "", signature: "" } },
      { type: "content_block_delta", index: 0, delta: { type: "thinking_delta", thinking: "Hm, " } },
      { type: "content_block_delta", index: 0, delta: { type: "thinking_delta", thinking: "easy." } },
      { type: "content_block_delta", index: 0, delta: { type: "signature_delta", signature: "EqQB" } },
      { type: "content_block_stop", index: 0 },
      { type: "content_block_start", index: 1, content_block: { type: "text", text: "" } },
      { type: "content_block_delta", index: 1, delta: { type: "text_delta", text: "Grüße, " } },
      { type: "content_block_delta", index: 1, delta: { type: "constructor", text: "no" } },
      { type: "content_block_delta", index: 1, delta: { type: "text_delta", text: "Ada 🙂" } },
      { type: "content_block_start", index: 2, content_block: { type: "tool_use", id: "t", name: "look", input: {} } },
      { type: "content_block_delta", index: 2, delta: { type: "input_json_delta", partial_json: '{"ci' } },
      { type: "content_block_delta", index: 2, delta: { type: "input_json_delta", partial_json: 'ty":"Graz"}' } },
      { type: "content_block_start", index: 3, content_block: { type: "tool_use", id: "u", name: "look", input: {} } },
      { type: "content_block_delta", index: 3, delta: { type: "input_json_delta", partial_json: '{"ci' } },
      { type: "message_delta", delta: { stop_reason: "tool_use" }, usage: { output_tokens: 15 } },
      { type: "message_stop" },
    ],
    error: { type: "error", error: { type: "overloaded_error", message: "Overloaded" } },
    whole: {
      ...{ id: "msg_1", stop_reason: "tool_use", usage: { input_tokens: 25, output_tokens: 15 } },
      content: [
        { type: "thinking", thinking: "Hm, easy.", signature: "EqQB" },
        { type: "text", text: "Grüße, Ada 🙂" },
        { type: "tool_use", id: "t", name: "look", input: { city: "Graz" } },
        { type: "tool_use", id: "u", name: "look", input: '{"ci' },
      ],
    },
  },
  google: {
    reader: StreamedContent,
    events: [
      { candidates: [{ content: { parts: [{ text: "Hm.", thought: true }], role: "model" }, index: 0 }] },
      { candidates: [{ content: { parts: [{ text: "Grüße, " }], role: "model" }, index: 0 }] },
      { candidates: [{ content: { parts: [{ text: "Ada 🙂" }], role: "model" }, index: 0 }], usageMetadata: {} },
      {
        candidates: [{ content: { parts: [{ functionCall: { name: "look", args: {} }, thoughtSignature: "EqQB" }] } }],
      },
      {
        candidates: [{ content: { parts: [{ text: "", thoughtSignature: "EqQC" }] }, finishReason: "STOP", index: 0 }],
        usageMetadata: { promptTokenCount: 25, candidatesTokenCount: 15 },
      },
    ],
    error: { error: { code: 503, message: "Overloaded" } },
    whole: {
      usageMetadata: { promptTokenCount: 25, candidatesTokenCount: 15 },
      candidates: [
        {
          ...{ finishReason: "STOP", index: 0 },
          content: {
            role: "model",
            parts: [
              { text: "Hm.", thought: true },
              { text: "Grüße, Ada 🙂" },
              { functionCall: { name: "look", args: {} }, thoughtSignature: "EqQB" },
              { text: "", thoughtSignature: "EqQC" },
            ],
          },
        },
      ],
    },
  },
};

describe.each(["anthropic", "google"] as const)("a stream of %s", name => {
  const { reader: Reader, events, error, whole } = RECORDED[name];
  const bytesOf = (all: readonly object[]) =>
    Buffer.from(all.map(event => `event: x\r\ndata: ${JSON.stringify(event)}\r\n\r\n`).join(""));

  it("equals the answer in one piece, wherever it is cut", () => {
    let heard = "";
    const reader = new Reader(words => (heard += words));
    for (const byte of bytesOf(events)) reader.push(Uint8Array.of(byte));
    expect(heard).toBe("Grüße, Ada 🙂");
    expect(reader.whole()).toMatchObject(whole);
  });

  it("is rejected without its end, with an error inside, or if it never ends", () => {
    const begun = new Reader(() => undefined);
    begun.push(bytesOf(events.slice(0, -1)));
    expect(() => begun.whole()).toThrow(/broke off/);
    expect(() => begun.push(bytesOf([error]))).toThrow(/failed while it answered/);
    for (const data of ["{", "null", "1"])
      expect(() => begun.push(Buffer.from(`data: ${data}\n`))).toThrow(/not a JSON object/);
    const endless = new Reader(() => undefined);
    const long = JSON.stringify(events).replaceAll("Grüße", "x".repeat(500_000));
    const again = bytesOf(JSON.parse(long) as object[]);
    expect(() => Array.from({ length: 10 }, () => endless.push(again))).toThrow(/too large/);
  });
});

describe("the streamed text of an answer", () => {
  const told: unknown[] = [];
  const broker = {
    broadcast: (_name: string, data: { words?: unknown }) => void (data.words && told.push(data.words)),
  };
  beforeEach(() => void told.splice(0));
  const secret = "s3cret";
  const begin = (longest = 0) => {
    const watch = new FollowerRegistry(broker as never);
    const words = new StreamedAnswers(watch);
    const secrets = { longest, mask: <T>(value: T) => (value as string).replaceAll(secret, "•••") as T };
    const place = { nodeId: "a", turn: 1 };
    const { callId, end } = words.await({ doc: { id: "run" }, place, secrets });
    const hear = (at: number, text: string) => words.heard({ workspaceId: "w", callId, at, words: text });
    const follow = () => {
      watch.add("run", 60_000, "node");
      words.followed("run");
    };
    return { hear, follow, end, place };
  };

  it("are sent to followers only, also to later ones", () => {
    const { hear, follow, end, place } = begin();
    hear(0, "One ");
    expect(told).toEqual([]);
    follow();
    hear(4, "two ");
    follow();
    end();
    hear(8, "three");
    expect(told).toEqual([
      { ...place, at: 0, text: "One " },
      { ...place, at: 4, text: "two " },
      { ...place, at: 0, text: "One two " },
    ]);
  });

  it("start again with another attempt, and leave out text after a gap", () => {
    const { hear, follow, place } = begin();
    follow();
    hear(0, "Wrong");
    hear(0, "Right");
    hear(99, "lost");
    expect(told).toEqual([
      { ...place, at: 0, text: "Wrong" },
      { ...place, at: 0, text: "Right" },
    ]);
  });

  it("hold back what may be the beginning of a secret", () => {
    const { hear, follow } = begin(secret.length);
    follow();
    let at = 0;
    for (const part of ["The key is s3", "cret, and the rest of the answer is long enough", " to be told."]) {
      hear(at, part);
      at += part.length;
    }
    const shown = (told as { text: string }[]).map(({ text }) => text).join("");
    expect(shown).toContain("The key is •••, and the rest");
    expect(JSON.stringify(told)).not.toContain("s3");
  });
});
