import { createModels } from "../../adapters/models/index.ts";
import { jsonIn } from "../../adapters/models/json-answer.ts";
import type { ChatModel } from "../../adapters/models/port.ts";
import type { Json } from "../support/api.ts";
import { FakeModels, type FakeModelsOptions, callTools } from "../support/fake-models.ts";

const open: { close(): Promise<void> }[] = [];
afterEach(async () => void (await Promise.all(open.splice(0).map(one => one.close()))));

async function serverAndClient(options: FakeModelsOptions = {}): Promise<{ fake: FakeModels; chat: ChatModel }> {
  const fake = await FakeModels.open(options);
  const models = createModels({ llm: { baseUrl: `${fake.baseUrl}/`, model: "big" }, limits: { backoffMs: 1 } });
  open.push(models, fake);
  return { fake, chat: models.chat! };
}

const error = (code: string, message: RegExp | string = "") =>
  expect.objectContaining({ name: "ModelError", code, message: expect.stringMatching(message) as string }) as Error;
const messages = [{ role: "user" as const, content: "Who?" }];
const schema = {
  type: "object",
  properties: { name: { type: "string" } },
  required: ["name"],
  additionalProperties: false,
};
const ADA = '{"name":"Ada"}';
const bodies = (fake: FakeModels) => fake.calls.map(({ body }) => body);
const messagesOf = (body: Json) => body.messages as { role: string; content: string }[];

describe("a chat", () => {
  it("returns the text and the usage", async () => {
    const { fake, chat } = await serverAndClient({ say: () => "Ada." });
    const answer = await chat.chat({ messages, system: "Be brief.", temperature: 0, maxTokens: 9, model: "other" });
    expect(answer).toEqual({ text: "Ada.", usage: { inputTokens: expect.any(Number) as number, outputTokens: 1 } });
    expect(bodies(fake)).toEqual([
      {
        model: "other",
        messages: [{ role: "system", content: "Be brief." }, ...messages],
        ...{ stream: false, temperature: 0, max_tokens: 9 },
      },
    ]);
  });

  it("adapts to models with other parameters, and remembers it", async () => {
    const unsupported = {
      max_tokens: "Unsupported parameter: use max_completion_tokens",
      temperature: "temperature does not support 0",
    };
    const { fake, chat } = await serverAndClient({ unsupported });
    await chat.chat({ messages, temperature: 0, maxTokens: 9 });
    await chat.chat({ messages, temperature: 0, maxTokens: 9 });
    expect(bodies(fake)).toHaveLength(4);
    expect(bodies(fake)[3]).toEqual({ model: "big", messages, stream: false, max_completion_tokens: 9 });
  });

  it.each([
    ["model_refused", "missing", undefined],
    ["model_refused", "big", { content: null, refusal: "I will not." }],
    ["model_refused", "big", { content: "", finish_reason: "content_filter" }],
    ["model_bad_output", "big", { content: "", finish_reason: "length" }],
  ])("fails with %s for %s", async (code, model, said) => {
    const { chat } = await serverAndClient({ say: () => said ?? "" });
    await expect(chat.chat({ messages, model })).rejects.toEqual(error(code));
  });
});

describe("an answer by a schema", () => {
  it("is requested by the protocol's own means if the server has them", async () => {
    const { fake, chat } = await serverAndClient({ say: () => ADA });
    expect(await chat.chat({ messages, schema })).toMatchObject({ text: ADA, json: { name: "Ada" } });
    const json_schema = { name: "answer", schema, strict: true };
    expect(bodies(fake)[0]).toMatchObject({ messages, response_format: { type: "json_schema", json_schema } });
    await chat.chat({ messages, schema: { type: "object", properties: { age: { type: "number" } } } });
    expect(bodies(fake)[1].response_format.json_schema.strict).toBe(false);
  });

  it.each([
    [["json_object"], "json_object"],
    [[], undefined],
  ])("is requested by the means of a server that knows %j, which are remembered", async (formats, type) => {
    const { fake, chat } = await serverAndClient({ formats, say: () => `Sure:\n\`\`\`json\n${ADA}\n\`\`\`` });
    await chat.chat({ messages, schema });
    expect((await chat.chat({ messages, schema })).json).toEqual({ name: "Ada" });
    const last = bodies(fake).at(-1);
    expect(last.response_format?.type).toBe(type);
    expect(last.messages[0]).toMatchObject({ role: "system", content: expect.stringContaining('"required":["name"]') });
    expect(fake.calls).toHaveLength(type ? 3 : 4);
  });

  it("does not conclude from one invalid schema that the server lacks schemas", async () => {
    const { fake, chat } = await serverAndClient({ say: () => ADA });
    fake.faults.push({ status: 400, body: { error: { message: "Invalid schema for response_format 'answer'" } } });
    expect((await chat.chat({ messages, schema })).json).toEqual({ name: "Ada" });
    await chat.chat({ messages, schema });
    expect(bodies(fake).map(body => body.response_format.type)).toEqual(["json_schema", "json_object", "json_schema"]);
  });

  it("is repaired once, and its costs are summed", async () => {
    const answers = ['{"name":7}', ADA];
    const { fake, chat } = await serverAndClient({ say: () => answers.shift()! });
    const { json, usage } = await chat.chat({ messages, schema });
    expect(json).toEqual({ name: "Ada" });
    expect(usage.outputTokens).toBeGreaterThan(4);
    const [, answer, repair] = bodies(fake)[1].messages;
    expect(answer).toEqual({ role: "assistant", content: '{"name":7}' });
    expect(repair).toMatchObject({ role: "user", content: expect.stringMatching(/\/data\/name.*JSON Schema/s) });
  });

  it.each(["I would rather not.", '{"name":7}', '{"name":"A'])(
    "fails with model_bad_output after %j twice",
    async said => {
      const { fake, chat } = await serverAndClient({ say: () => said });
      await expect(chat.chat({ messages, schema })).rejects.toEqual(error("model_bad_output", /schema/));
      expect(fake.calls).toHaveLength(2);
    },
  );
});

describe("a chat with tools", () => {
  const parameters = { type: "object", properties: { city: { type: "string" } } };
  const tools = [{ name: "weather", description: "Says how the weather is.", parameters }];
  const called = [
    ...messages,
    {
      role: "assistant" as const,
      content: "",
      toolCalls: [
        { id: "a", name: "weather", arguments: { city: "Graz" } },
        { id: "b", name: "weather", arguments: {} },
      ],
    },
    { role: "tool" as const, toolCallId: "a", content: "rain" },
    { role: "tool" as const, toolCallId: "b", content: "where?" },
  ];

  it("returns the model's calls, several in one answer", async () => {
    const { fake, chat } = await serverAndClient({
      say: () => callTools(["weather", { city: "Graz" }], ["weather", '{"city":"Linz"}']),
    });
    const answer = await chat.chat({ messages, tools, system: "Be brief." });
    expect(answer).toMatchObject({
      text: "",
      toolCalls: [
        { id: "call_0", name: "weather", arguments: { city: "Graz" } },
        { id: "call_1", name: "weather", arguments: { city: "Linz" } },
      ],
    });
    expect(bodies(fake)[0].tools).toEqual([{ type: "function", function: tools[0] }]);
  });

  it("sends their results, and may forbid further calls", async () => {
    const { fake, chat } = await serverAndClient({ say: () => "Rain." });
    const answer = await chat.chat({ messages: called, tools, toolChoice: "none" });
    expect(answer).toEqual({ text: "Rain.", usage: expect.anything() as unknown });
    const [body] = bodies(fake);
    expect(body.tool_choice).toBe("none");
    expect(messagesOf(body).slice(1)).toEqual([
      {
        role: "assistant",
        content: null,
        tool_calls: [
          { id: "a", type: "function", function: { name: "weather", arguments: '{"city":"Graz"}' } },
          { id: "b", type: "function", function: { name: "weather", arguments: "{}" } },
        ],
      },
      { role: "tool", tool_call_id: "a", content: "rain" },
      { role: "tool", tool_call_id: "b", content: "where?" },
    ]);
  });

  it.each([
    ["{city:", /not a JSON object: \{city:/],
    ["[1]", /not a JSON object/],
    [`"${"x".repeat(200_001)}"`, /longer than/],
    ["", undefined],
  ])("says why arguments are invalid: %.10s", async (args, fault) => {
    const { chat } = await serverAndClient({ say: () => callTools(["weather", args]) });
    const [call] = (await chat.chat({ messages, tools })).toolCalls!;
    expect(call).toMatchObject({ name: "weather", arguments: {} });
    if (fault) expect(call!.fault).toMatch(fault);
    else expect(call!.fault).toBeUndefined();
  });

  it("gives calls ids if the server gives none, or the same one twice", async () => {
    const said = callTools(["weather", {}], ["weather", {}], ["weather", {}]);
    said.tool_calls = said.tool_calls!.map((call, i) => ({ ...call, id: i === 0 ? null : "same" }));
    const { chat } = await serverAndClient({ say: () => said });
    const ids = (await chat.chat({ messages, tools })).toolCalls!.map(({ id }) => id);
    expect(new Set(ids).size).toBe(3);
    for (const id of ids) expect(id).toMatch(/^\w+$/);
  });

  it("requests the choice as JSON from a server without tools, and remembers it", async () => {
    const answers = ['{"tool":"weather","arguments":{"city":"Graz"}}', '{"final":"Rain."}'];
    const { fake, chat } = await serverAndClient({ toolless: true, say: () => answers.shift()! });
    const first = await chat.chat({ messages, tools });
    expect(first.toolCalls).toEqual([
      { id: expect.any(String) as string, name: "weather", arguments: { city: "Graz" } },
    ]);
    expect((await chat.chat({ messages: called, tools })).text).toBe("Rain.");
    expect(fake.calls).toHaveLength(3);
    const last = bodies(fake)[2];
    expect(messagesOf(last).map(({ role }) => role)).toEqual(["system", "user", "assistant", "user"]);
    expect(last.messages[0].content).toMatch(/- weather: Says how.*"city"/s);
    expect(last.messages[2].content).toBe(
      '{"tool":"weather","arguments":{"city":"Graz"}}\n{"tool":"weather","arguments":{}}',
    );
    expect(last.messages[3].content).toMatch(/rain.*where\?/s);
  });

  it("requests a plain answer from a server without tools if no call is allowed", async () => {
    const { fake, chat } = await serverAndClient({ toolless: true, say: () => "It rains." });
    expect((await chat.chat({ messages: called, tools, toolChoice: "none" })).text).toBe("It rains.");
    expect(bodies(fake)[1].response_format).toBeUndefined();
  });

  it("does not conclude from one invalid schema that the server lacks tools", async () => {
    const { fake, chat } = await serverAndClient({
      say: body => (body.tools ? "By tools." : '{"final":"By JSON."}'),
    });
    fake.faults.push({ status: 400, body: { error: { message: "Invalid schema for function 'weather'" } } });
    expect((await chat.chat({ messages, tools })).text).toBe("By JSON.");
    expect((await chat.chat({ messages, tools })).text).toBe("By tools.");
  });

  it("waits after a rate limit", async () => {
    const { fake, chat } = await serverAndClient({ say: () => callTools(["weather", {}]) });
    fake.faults.push({ status: 429, headers: { "retry-after": "0" } });
    expect((await chat.chat({ messages, tools })).toolCalls).toHaveLength(1);
    expect(fake.calls).toHaveLength(2);
  });
});

describe("JSON in an answer", () => {
  it.each([
    ['{"a":1}', { a: 1 }],
    ["[1]", [1]],
    ["null", null],
    ['<think>{"no":1}</think>\n{"a":1}', { a: 1 }],
    ['Here {as you asked}: {"a":"}\\"{"} and more', { a: '}"{' }],
    ["```json\n[1, 2]\n```", [1, 2]],
  ])("is found in %j", (text, json) => {
    expect(jsonIn(text)).toEqual({ json });
  });

  it.each(["", "Hello", '{"a":', "{".repeat(100_000)])("is not found in %.20j", text => {
    expect(jsonIn(text)).toBeUndefined();
  });
});
