import { readdirSync, readFileSync } from "node:fs";
import { type Template, template as templateSchema } from "../../contracts/entities/template.ts";
import { Api, type Json, newWorkspace } from "../support/api.ts";
import { definition, gives } from "../support/definition.ts";
import { FakeModels } from "../support/fake-models.ts";
import { MODEL_TEMPLATE_SCENARIOS, sayByLines } from "../support/model-template-scenarios.ts";
import { type McpTestServer, startMcpServer } from "../support/mcp-server.ts";
import { N8N_SCENARIOS } from "../support/n8n-scenarios.ts";
import { play, type Ran, type Scenario, type Stage } from "../support/scenario.ts";
import { removeServer, startServer, type Server } from "../support/server.ts";
import { StandIns } from "../support/stand-ins.ts";
import { TEMPLATE_SCENARIOS } from "../support/template-scenarios.ts";
import { TEMPLATE_TOOLS, TOOL_TEMPLATE_SCENARIOS } from "../support/tool-template-scenarios.ts";

const read = (path: string): Json => JSON.parse(readFileSync(path, "utf8"));
const namesIn = (folder: string) => readdirSync(folder).map(file => file.replace(".json", ""));
const templateOf = (file: string) => read(`templates/${file}.json`) as Template;
const N8N = "test/fixtures/n8n";
const SCENARIOS = [...TEMPLATE_SCENARIOS, ...MODEL_TEMPLATE_SCENARIOS, ...TOOL_TEMPLATE_SCENARIOS];

let server: Server;
let models: FakeModels;
let tools: McpTestServer;
let stage: Stage;
const ran = new Map<Scenario, Promise<Ran>>();

async function made(path: string, body?: object): Promise<string> {
  const answer = await stage.api.post(`${stage.space}/workflows/${path}`, body);
  if (answer.status !== 201) throw new Error(`${path} answered ${answer.status}: ${JSON.stringify(answer.body)}`);
  return answer.body.id as string;
}

/** What the templates and the files want, for any host: only scenarios know where their services are. */
const CREDENTIALS = [
  { name: "GitHub", type: "bearer", data: { token: "a-token-for-github" } },
  { name: "Company API", type: "header", data: { name: "X-Api-Key", value: "a-key-for-companies" } },
];
const bound = new Map<string, string>();

async function createCredentials(): Promise<void> {
  const path = stage.space.replace(/\/spaces\/.*/, "/credentials");
  for (const one of CREDENTIALS) {
    const { status, body } = await stage.api.post(path, { ...one, hosts: ["*"] });
    if (status !== 201) throw new Error(JSON.stringify(body));
    bound.set(JSON.stringify({ $credential: { name: one.name, type: one.type } }), body.id as string);
  }
}

/** A definition as it is once its credentials are bound. */
const withBound = (wanted: unknown): unknown =>
  JSON.parse(JSON.stringify(wanted), (_, value: unknown) => bound.get(JSON.stringify(value)) ?? value);

beforeAll(async () => {
  models = await FakeModels.open({ say: sayByLines });
  tools = await startMcpServer({ tools: TEMPLATE_TOOLS });
  const env = { LLM_BASE_URL: models.baseUrl, LLM_MODEL: "big" };
  const [started, standIns] = await Promise.all([startServer({ env }), new StandIns().open()]);
  server = started;
  stage = { ...(await newWorkspace(server.url)), standIns, toolServer: tools.url };
  await createCredentials();
  // All at once: some of them wait for what comes later.
  for (const one of SCENARIOS) {
    ran.set(
      one,
      made(`from-template/${templateOf(one.file).id}`).then(id => play(one, id, stage)),
    );
  }
  for (const one of N8N_SCENARIOS) {
    ran.set(
      one,
      made("import", read(`${N8N}/${one.file}.json`)).then(id => play(one, id, stage)),
    );
  }
  await Promise.allSettled(ran.values());
});
afterAll(() => Promise.all([removeServer(server), stage.standIns.close(), models.close(), tools.close()]));

describe.each(namesIn("templates"))("the template %s", file => {
  it("runs without changes", async () => {
    const { api, space } = stage;
    const template = templateOf(file);
    expect(templateSchema.safeParse(template).error).toBeUndefined();
    const { status, headers, body } = await api.post(`${space}/workflows/from-template/${template.id}`);
    expect(status).toBe(201);
    const { name, description, definition: what } = template;
    expect(body).toMatchObject({ name, description, definition: withBound(what), version: 1, status: "active" });
    expect(headers.get("location")).toBe(`${space}/workflows/${body.id}`);
    expect(headers.get("etag")).toBe((await api.get(`${space}/workflows/${body.id}`)).headers.get("etag"));
    expect((await api.post(`${space}/workflows/${body.id}/validate`)).body).toEqual({ valid: true, faults: [] });
  });

  it.each(SCENARIOS.filter(one => one.file === file))("$says", async one => one.then(await ran.get(one)!));
});

describe.each([...new Set(N8N_SCENARIOS.map(({ file }) => file))])("%s, from n8n", file => {
  it.each(N8N_SCENARIOS.filter(one => one.file === file))("$says", async one => one.then(await ran.get(one)!));
});

describe("the list of templates", () => {
  const list = async (query = "") => {
    const { status, headers, body } = await new Api(server.url).get(`/v1/templates${query}`);
    return { status, body, names: Array.isArray(body) ? (body as Template[]).map(({ name }) => name) : [], headers };
  };

  it("is public, sorted by name", async () => {
    const { status, names, body } = await list("?limit=200");
    expect(status).toBe(200);
    expect(names).toHaveLength(namesIn("templates").length);
    expect(names.length).toBeGreaterThanOrEqual(10);
    expect(names).toEqual([...names].sort((a, b) => a.localeCompare(b, "en")));
    for (const one of body) expect(templateSchema.safeParse(one).error).toBeUndefined();
  });

  it.each([
    ["?search=LEAD", ["Enrich a lead"]],
    ["?q=lead", ["Enrich a lead"]],
    ["?q=a%20&search=lead", ["Enrich a lead"]],
    ["?q=nothing%20like%20it", []],
    ["?category=reporting", ["Send a nightly report"]],
    ["?category=report", []],
    ["?tags=webhook,security", ["Relay signed messages"]],
    ["?tags=webhook,%20Security,", ["Relay signed messages"]],
    ["?tags=map&category=batches&q=run", ["Run another workflow for each entry"]],
  ])("can be searched by %s", async (query, names) => expect((await list(query)).names).toEqual(names));

  it("is returned in pages", async () => {
    const all = (await list("?limit=200")).names;
    const found: string[] = [];
    let query = "?limit=5";
    for (let page = 0; query && page < 10; page++) {
      const { names, headers } = await list(query);
      found.push(...names);
      query = /\?[^>]*/.exec(headers.get("link") ?? "")?.[0] ?? "";
    }
    expect(found).toEqual(all);
  });

  it.each(["?cursor=nonsense", "?limit=0", "?limit=1000", "?search=a&search=b", "?unknown=1"])(
    "rejects %s",
    async query => expect((await list(query)).status).toBe(400),
  );

  it("contains every template and nothing else", async () => {
    const { api, space } = stage;
    for (const id of ["01980000-0000-7000-8000-000000000000", "expense-approval"]) {
      expect((await api.post(`${space}/workflows/from-template/${id}`)).status).toBe(404);
    }
    const { id } = templateOf("expense-approval");
    const named = await api.post(`${space}/workflows/from-template/${id}`, { name: "Ours" });
    expect(named.body).toMatchObject({ name: "Ours" });
    expect((await api.post(`${space}/workflows/from-template/${id}`, { definition: null })).status).toBe(400);
  });
});

describe("a workflow over HTTP", () => {
  it("can be compared, restored, duplicated, exported and imported", async () => {
    const { api, space } = stage;
    const first = await api.post(`${space}/workflows`, { name: "One", definition: definition([gives("a", 1)]) });
    const path = `${space}/workflows/${first.body.id}`;
    const second = await api.patch(path, { definition: definition([gives("a", 2)]) });

    const diff = await api.get(`${path}/versions/1/diff/2`);
    expect(diff).toMatchObject({ status: 200, body: { from: 1, to: 2, nodes: { changed: [{ id: "a" }] } } });
    expect((await api.get(`${path}/versions/1/diff/3`)).status).toBe(404);
    expect((await api.get(`${path}/versions/0/diff/1`)).status).toBe(404);

    const stale = { "if-match": first.headers.get("etag")! };
    expect((await api.post(`${path}/versions/1/restore`, undefined, stale)).status).toBe(412);
    const seen = { "if-match": second.headers.get("etag")! };
    const restored = await api.post(`${path}/versions/1/restore`, undefined, seen);
    expect(restored).toMatchObject({ status: 200, body: { version: 3, definition: first.body.definition } });
    expect(restored.headers.get("etag")).toBe((await api.get(path)).headers.get("etag"));

    const copy = await api.post(`${path}/duplicate`);
    expect(copy).toMatchObject({ status: 201, body: { name: "One (copy)", version: 1 } });
    expect(copy.headers.get("location")).toBe(`${space}/workflows/${copy.body.id}`);
    expect(copy.headers.get("etag")).toMatch(/^"/);
    expect((await api.post(`${path}/duplicate`, { spaceId: "nowhere" })).body).toMatchObject({
      status: 400,
      errors: [{ path: "/spaceId" }],
    });

    const file = await api.get(`${path}/export`);
    expect(file.status).toBe(200);
    expect(JSON.stringify(file.body)).not.toMatch(/[0-9a-f]{8}-[0-9a-f]{4}-/);
    const taken = await api.post(`${space}/workflows/import`, file.body);
    expect(taken).toMatchObject({
      status: 201,
      body: { name: "One", definition: first.body.definition, warnings: [] },
    });
    expect(taken.headers.get("location")).toBe(`${space}/workflows/${taken.body.id}`);
    expect(taken.headers.get("etag")).toBe((await api.get(`${space}/workflows/${taken.body.id}`)).headers.get("etag"));
  });

  it.each([[undefined], [[]], ["text"], [{}], [{ format: "weft-workflow" }]])("is not created from %j", async file => {
    const { status, body } = await stage.api.post(`${stage.space}/workflows/import`, JSON.stringify(file));
    expect({ status, code: body.code }).toEqual({ status: 400, code: "validation_failed" });
  });
});
