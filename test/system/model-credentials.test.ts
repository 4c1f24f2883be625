import { MODEL_PROVIDER_NAMES, type ModelProviderName } from "../../contracts/credentials/model-providers.ts";
import { type Api, type Json, newWorkflow, newWorkspace, runToEnd } from "../support/api.ts";
import { definition, node } from "../support/definition.ts";
import { eventually, read, start } from "../support/executions.ts";
import { FakeProvider, resultsOf, type Word } from "../support/fake-providers.ts";
import { untilEnd } from "../support/follow.ts";
import { type McpTestServer, startMcpServer } from "../support/mcp-server.ts";
import { removeServer, type Server, startServer } from "../support/server.ts";
import { everythingIn, findSecrets } from "../support/stored-bytes.ts";

// No model is configured by the operator.

let server: Server;
let api: Api;
let space: string;
let workspace: string;
let mcp: McpTestServer;
let toolId: string;
const providers = {} as Record<ModelProviderName, FakeProvider>;
const credentials = {} as Record<ModelProviderName, string>;
const keys: Record<string, string> = {};
const env = { WORKER_LEASE_MS: "1000", LOG_LEVEL: "trace" };

async function create(name: string, data: object, more: object = {}): Promise<Json> {
  const { status, body } = await api.post(`${workspace}/credentials`, { name, type: "model", data, ...more });
  if (status !== 201) throw new Error(JSON.stringify(body));
  return body;
}

beforeAll(async () => {
  const words = (text: unknown) => ({ content: [{ type: "text" as const, text: String(text) }] });
  mcp = await startMcpServer({
    name: "Shop",
    tools: [
      {
        name: "stock",
        description: "Tells how many parts are left.",
        inputSchema: { type: "object", properties: { part: { type: "string" } }, required: ["part"] },
        run: ({ part }: Json) => words(`7 of ${part}`),
      },
    ],
  });
  server = await startServer({ env });
  const made = await newWorkspace(server.url);
  ({ api, space } = made);
  workspace = `/v1/workspaces/${made.workspaceId}`;
  const { body } = await api.post(`${workspace}/mcp-servers`, { name: "Shop", url: mcp.url });
  const path = `${workspace}/mcp-servers/${body.id}`;
  await eventually(async () => (await read(api, path)).status === "connected", "the tools are known");
  [{ id: toolId }] = await read(api, `${path}/tools`);
  for (const name of MODEL_PROVIDER_NAMES) {
    keys[name] = `sk-conspicuous-${name}-0123456789`;
    providers[name] = await FakeProvider.open(name, keys[name]);
    const data = { provider: name, baseUrl: providers[name].baseUrl, apiKey: keys[name], model: "big" };
    credentials[name] = (await create(name, data)).id;
  }
});
afterAll(async () => {
  await removeServer(server);
  await Promise.all([mcp, ...Object.values(providers)].map(one => one.close()));
});
beforeEach(() => {
  for (const provider of Object.values(providers)) {
    provider.calls.length = 0;
    provider.say = () => "Ada.";
  }
});

const llm = (credential: string, data: object = {}, policy: object = {}) =>
  definition([node("a", "llm", { prompt: "Who?", credential, ...data }, { policy })]);
const run = (what: unknown) => runToEnd(api, space, what);
const usage = { inputTokens: 11, outputTokens: 7 };

/** Asks the tool in each turn up to this one, then answers. */
const asksUntil =
  (turns: number) =>
  (body: Json): Word => {
    const results = resultsOf(body);
    const name = (body.tools?.[0]?.functionDeclarations?.[0] ?? body.tools?.[0]?.function ?? body.tools?.[0])?.name;
    return results.length < turns ? { calls: [[name, { part: `bell ${results.length}` }]] } : results.join("; ");
  };

describe.each(MODEL_PROVIDER_NAMES)("a credential for %s", name => {
  it("answers an llm step, also by a schema", async () => {
    const schema = { type: "object", properties: { name: { type: "string" } }, required: ["name"] };
    providers[name].say = body => (JSON.stringify(body).includes("As JSON") ? '{"name":"Ada"}' : "Ada.");
    expect((await run(llm(credentials[name]))).output).toEqual({ text: "Ada.", usage });
    const { output } = await run(llm(credentials[name], { prompt: "As JSON, who?", schema }));
    expect(output).toMatchObject({ json: { name: "Ada" }, usage });
  });

  it("lets an agent call tools", async () => {
    providers[name].say = asksUntil(2);
    const agent = { goal: "How many bells?", credential: credentials[name], toolIds: [toolId], maxTurns: 5 };
    const ran = await run(definition([node("a", "agent", agent)]));
    expect(ran.output).toEqual({
      ...{ text: expect.stringMatching(/7 of bell 0.*7 of bell 1/s) as string, turns: 3, finishReason: "answered" },
      usage: { inputTokens: 33, outputTokens: 21 },
    });
  });

  it("is tested by listing the models, and reports what is wrong", async () => {
    const path = `${workspace}/credentials/${credentials[name]}/test`;
    const { body } = await api.post(path, {});
    expect(body).toMatchObject({ ok: true, status: 200, message: "The model's server answered 200." });
    expect(providers[name].calls.map(({ method }) => method)).toEqual(["GET"]);
    const base = { provider: name, baseUrl: providers[name].baseUrl };
    const wrong = await create(`${name} wrong`, {
      ...base,
      apiKey: (keys[`${name} wrong`] = `sk-wrong-${name}-98765`),
    });
    const refused = (await api.post(`${workspace}/credentials/${wrong.id}/test`, {})).body;
    expect(refused).toMatchObject({ ok: false, status: 401, body: expect.stringContaining("•••") as string });
    const other = await create(`${name} other`, { ...base, apiKey: keys[name], model: "vast" });
    const unknown = (await api.post(`${workspace}/credentials/${other.id}/test`, {})).body;
    expect(unknown).toMatchObject({ ok: true, message: expect.stringContaining('"vast"') as string });
    providers[name].faults.push("page", "strange", { status: 302, headers: { location: mcp.url } });
    for (const message of [/not a list/, /not a list/, /302/])
      expect((await api.post(path, {})).body).toMatchObject({
        ...{ ok: false, message: expect.stringMatching(message) as string },
      });
    // The key that the provider repeats in its refusal is masked in the run, too.
    const failed = await run(llm(wrong.id, { model: "big" }));
    expect(failed.error).toMatchObject({ code: "model_refused", message: expect.stringContaining("•••") as string });
  });

  it("continues after an agent was killed, and repeats an unfinished question", async () => {
    let hold = true;
    const asked = asksUntil(2);
    providers[name].say = body => {
      if (hold && resultsOf(body).length === 1) return new Promise(() => undefined);
      return asked(body);
    };
    const agent = { goal: "How many?", credential: credentials[name], toolIds: [toolId], maxTurns: 5 };
    mcp.requests.length = 0;
    const { path } = await start(api, space, await newWorkflow(api, space, definition([node("a", "agent", agent)])));
    await eventually(() => Promise.resolve(providers[name].asked.length === 2), "the second turn is asked for");
    await server.stop("SIGKILL");
    hold = false;
    const port = Number(new URL(server.url).port);
    server = await startServer({ dataDir: server.dataDir, port, env });
    const ended = await untilEnd(api, path);
    expect(ended.output).toMatchObject({ turns: 3, text: expect.stringMatching(/bell 0.*bell 1/s) as string });
    expect(providers[name].asked).toHaveLength(4);
    expect(mcp.called("tools/call")).toHaveLength(2);
  });
});

describe("credentials for models", () => {
  it("require a key, and an address if their provider needs one", async () => {
    const refused = async (data: object, path: string) => {
      const { status, body } = await api.post(`${workspace}/credentials`, { name: "x", type: "model", data });
      expect([status, body.errors[0].path]).toEqual([400, path]);
    };
    await refused({ provider: "anthropic" }, "/data/apiKey");
    await refused({ provider: "google" }, "/data/apiKey");
    await refused({ provider: "ollama" }, "/data/baseUrl");
    await refused({ provider: "openai", baseUrl: "https://a.example.com/v1?key=1" }, "/data/baseUrl");
    await refused({ provider: "openai", model: "../../admin" }, "/data/model");
    expect((await create("Plain", { apiKey: "sk-plain-key" })).hosts).toEqual(["api.openai.com"]);
  });

  it("are sent to their own host only, and a new address requires the key again", async () => {
    const path = `${workspace}/credentials/${credentials.openai}`;
    expect((await api.patch(path, { hosts: ["evil.example.com"] })).status).toBe(400);
    const call = { method: "POST", url: mcp.url, credential: credentials.openai };
    const http = await run(definition([node("a", "http", call)]));
    expect(http.error).toMatchObject({ code: "credential_not_usable" });
    const { usedBy } = (await read(api, path)) as { usedBy: unknown[] };
    expect(usedBy.length).toBeGreaterThan(0);
  });

  it("fail steps that cannot use them, with a reason", async () => {
    const bearer = await api.post(`${workspace}/credentials`, {
      ...{ name: "Bearer", type: "bearer", hosts: ["a.example.com"], data: { token: "token-123456" } },
    });
    const error = async (what: unknown) => (await run(what)).error;
    expect(await error(llm(bearer.body.id))).toMatchObject({ code: "credential_not_usable" });
    expect(await error(llm(toolId))).toMatchObject({ code: "credential_not_found" });
    const unnamed = await create("Unnamed", { baseUrl: providers.openai.baseUrl, apiKey: keys.openai });
    const message = expect.stringContaining("/data/model") as string;
    expect(await error(llm(unnamed.id))).toMatchObject({ code: "invalid_data", message });
    const inside = await create("Inside", { provider: "ollama", baseUrl: "http://169.254.169.254", model: "big" });
    expect(await error(llm(inside.id, {}, { retry: { maxAttempts: 3, initialMs: 0 } }))).toMatchObject({
      ...{ code: "model_refused", message: expect.stringContaining("rule: metadata") as string },
    });
    expect(await error(definition([node("a", "llm", { prompt: "Who?" })]))).toMatchObject({
      code: "model_not_configured",
    });
  });

  it("are counted separately from the quota of the operator's model", async () => {
    await run(llm(credentials.openai));
    const day = async (): Promise<Json> => ((await read(api, `${workspace}/usage`)).days as Json[]).at(-1);
    await eventually(async () => (await day()).ownModelTokens > 0, "the tokens are counted");
    expect(await day()).toMatchObject({ modelTokens: 0 });
  });

  it("are named in exports without their keys", async () => {
    const workflowId = await newWorkflow(api, space, llm(credentials.google));
    const exported = await read(api, `${space}/workflows/${workflowId}/export`);
    expect(JSON.stringify(exported)).toContain('{"$credential":{"name":"google","type":"model"}}');
    const places = await everythingIn(server.dataDir);
    places.set("log", Buffer.from(server.log()));
    expect(findSecrets(keys, places)).toEqual([]);
  });
});
