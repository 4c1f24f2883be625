import { randomBytes } from "node:crypto";
import { openStore } from "../../adapters/store/open-store.ts";
import { fileHolds } from "../../services/files/model.ts";
import { type Api, type Json, newWorkspace, runToEnd } from "../support/api.ts";
import { definition, node } from "../support/definition.ts";
import { FakeModels, type ModelResponse, callTools } from "../support/fake-models.ts";
import { upload, valueOf } from "../support/files.ts";
import { storeAt } from "../support/real-servers.ts";
import { removeServer, type Server, startServer } from "../support/server.ts";

let say: (body: Json) => ModelResponse = () => "A bell.";
let models: FakeModels;
let server: Server;
let api: Api;
let workspaceId: string;
let space: string;
beforeAll(async () => {
  models = await FakeModels.open({ say: body => say(body) });
  server = await startServer({ env: { LLM_BASE_URL: models.baseUrl, LLM_MODEL: "big" } });
  ({ api, workspaceId, space } = await newWorkspace(server.url));
});
beforeEach(() => {
  models.calls.length = 0;
  say = () => "A bell.";
});
afterAll(async () => {
  await removeServer(server);
  await models.close();
});

const PHOTO = randomBytes(700_001);
const sent = (bytes: Uint8Array<ArrayBuffer> | string, name: string, type: string) =>
  upload(api, workspaceId, bytes, { name, type }).then(({ body }) => valueOf(body));
const photo = () => sent(PHOTO, "bell.jpg", "image/jpeg");
const ask = (data: object, input: unknown = null) =>
  runToEnd(api, space, definition([node("a", "llm", data, { policy: { retry: { maxAttempts: 1 } } })]), input);
const messagesOf = (call = 0): Json[] => models.calls[call]?.body.messages ?? [];
const image = { type: "image_url", image_url: { url: `data:image/jpeg;base64,${PHOTO.toString("base64")}` } };

describe("files for a language model", () => {
  it("arrive beside the prompt, each in the form that the protocol has for its type", async () => {
    const files = [
      await photo(),
      await sent("%PDF-1.7", "order.pdf", "application/pdf"),
      await sent("RIFF", "call.wav", "audio/wav"),
      await sent("größe;7", "sizes.csv", "text/csv; charset=utf-8"),
    ];
    const run = await ask(
      { prompt: "What is this?", files: ["{{ input.photo }}", ...files.slice(1)] },
      { photo: files[0] },
    );
    expect(run).toMatchObject({ status: "completed", output: { text: "A bell." } });
    const base64 = (text: string) => Buffer.from(text).toString("base64");
    expect(messagesOf()).toEqual([
      {
        role: "user",
        content: [
          { type: "text", text: "What is this?" },
          image,
          {
            type: "file",
            file: { filename: "order.pdf", file_data: `data:application/pdf;base64,${base64("%PDF-1.7")}` },
          },
          { type: "input_audio", input_audio: { data: base64("RIFF"), format: "wav" } },
          { type: "text", text: 'The file "sizes.csv":\ngröße;7' },
        ],
      },
    ]);
  });

  it("belong to their messages, or to the user's last message", async () => {
    const [one, two] = [await photo(), await sent("two", "two.txt", "text/plain")];
    const user = (content: string, files?: unknown[]) => ({ role: "user", content, ...(files && { files }) });
    const messages = [user("First", [one]), { role: "assistant", content: "Yes?" }, user("Second"), user("Third")];
    await ask({ messages, files: [{ $file: { id: two.$file.id as string } }] });
    expect(messagesOf().map(({ content }) => (Array.isArray(content) ? content.length : content))).toEqual([
      ...[2, "Yes?", "Second", 2],
    ]);
    const wrong = { messages: [{ role: "system", content: "s", files: [one] }, user("u")] };
    expect((await ask(wrong)).error).toMatchObject({
      code: "invalid_definition",
      faults: [{ path: "/nodes/0/data/messages/0" }],
    });
  });

  it("are sent to the model of an agent in each turn, even if the model cannot call tools", async () => {
    say = ({ messages }) => (messages.length < 4 ? callTools(["find_tools", { query: "bells" }]) : "Done.");
    const agent = definition([node("a", "agent", { goal: "Look", files: ["{{ input }}"] })]);
    const run = await runToEnd(api, space, agent, await photo());
    expect(run.output).toMatchObject({ text: "Done.", turns: 2 });
    for (const call of [0, 1])
      expect(messagesOf(call)[1]).toEqual({ role: "user", content: [{ type: "text", text: "Look" }, image] });

    models.calls.length = 0;
    say = () => '{"final":"Seen."}';
    models.faults.push({ status: 400, body: { error: { message: "this model has no tools" } } });
    expect((await runToEnd(api, space, agent, await photo())).output).toMatchObject({ text: "Seen." });
    expect(messagesOf(1)[1].content).toContainEqual(image);
  });

  it("are kept for the run, even if the data contains only their ids", async () => {
    const file = await sent(randomBytes(10), "held.png", "image/png");
    const id = file.$file.id as string;
    const run = await ask({ prompt: "p", files: [{ $file: { id: "{{ input.id }}" } }] }, { id });
    expect(run).toMatchObject({ status: "completed", error: null });
    const store = await openStore({ ...storeAt(server.dataDir), collections: [fileHolds] });
    try {
      const { items } = await store.tenant(fileHolds, workspaceId).find({ fileId: id }, { limit: 10 });
      expect(items.map(({ owner }) => owner)).toEqual([`execution:${run.id}`]);
    } finally {
      await store.close();
    }
  });

  it("are rejected by type, size and number before the model is called", async () => {
    const [zip, large, ...three] = await Promise.all([
      sent("PK", "a.zip", "application/zip"),
      sent(Buffer.alloc(8_388_609), "large.png", "image/png"),
      ...["a", "b", "c"].map(name => sent(Buffer.alloc(7_000_000, name), `${name}.png`, "image/png")),
    ]);
    const errorOf = async (files: unknown) => (await ask({ prompt: "p", files: "{{ input }}" }, files)).error;
    expect(await errorOf([zip])).toMatchObject({
      code: "invalid_data",
      message: expect.stringMatching(/"a\.zip" has the type application\/zip/) as string,
    });
    expect(await errorOf([large])).toMatchObject({
      code: "payload_too_large",
      message: expect.stringMatching(/"large\.png" is too large/) as string,
    });
    expect(await errorOf(three)).toMatchObject({
      code: "payload_too_large",
      message: expect.stringMatching(/together/) as string,
    });
    expect(await errorOf(Array(17).fill(zip))).toMatchObject({
      code: "invalid_data",
      message: expect.stringMatching(/\/data\/files/) as string,
    });
    expect(await errorOf(["bell.jpg"])).toMatchObject({
      code: "invalid_data",
      message: expect.stringMatching(/\/data\/files\/0/) as string,
    });
    expect(models.calls).toEqual([]);
  });

  it("are limited to the workspace", async () => {
    const stranger = await newWorkspace(server.url);
    const theirs = (await upload(stranger.api, stranger.workspaceId, "x", { name: "x.png", type: "image/png" })).body;
    const { error } = await ask({ prompt: "p", files: [valueOf(theirs)] });
    expect(error).toMatchObject({ code: "invalid_data", message: "/data/files/0: the file does not exist." });
    expect(models.calls).toEqual([]);
  });

  it("do not appear in the error of a server that repeats them", async () => {
    const url = image.image_url.url;
    models.faults.push({ status: 400, body: { error: { message: `I cannot see ${url}` } } });
    const { error } = await ask({ prompt: "p", files: [await photo()] });
    expect(error).toMatchObject({
      code: "model_refused",
      message: expect.stringMatching(/I cannot see data:image\/jpeg;base64,…/) as string,
    });
  });
});
