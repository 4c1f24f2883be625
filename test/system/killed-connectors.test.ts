import { type Api, newWorkflow, newWorkspace } from "../support/api.ts";
import { definition, node } from "../support/definition.ts";
import { start } from "../support/executions.ts";
import { FakeProvider } from "../support/fake-providers.ts";
import { download, upload, valueOf } from "../support/files.ts";
import { untilEnd } from "../support/follow.ts";
import { Gate, Ledger } from "../support/ledger.ts";
import { S3_ACCESS, type S3Server, startS3Server } from "../support/s3-server.ts";
import { removeServer, restarted, type Server, startServer } from "../support/server.ts";
import { until } from "../support/until.ts";

// One process is killed while each of these steps waits for the other side. Databases, mail and agents have tests of
// their own, beside those of their steps.

const KEY = "sk-of-a-provider";
const LEASE = { WORKER_LEASE_MS: "1000" };
/** What the other sides are asked for before and after the kill, by names of this suite. */
const asked: string[] = [];
const gate = new Gate();
let isHolding = false;
let storage: S3Server;
let vault: S3Server;
let shop: Ledger;
let provider: FakeProvider;
let server: Server;
let api: Api;
let workspaceId: string;
let space: string;

/** Writes down what is asked for, and holds it until the process is dead. */
async function hold(what: string): Promise<void> {
  if (!isHolding) return;
  asked.push(what);
  await gate.opened;
}
const post = async (path: string, given: object) => {
  const { status, body } = await api.post(`/v1/workspaces/${workspaceId}${path}`, given);
  expect({ status, body }).toMatchObject({ status: 201 });
  return body.id as string;
};
const document = () => ({
  ...{ openapi: "3.1.0", info: { title: "Shop", version: "1" }, servers: [{ url: shop.url }] },
  paths: {
    "/orders": {
      get: { operationId: "list", parameters: [{ name: "page", in: "query", schema: { type: "integer" } }] },
      post: { operationId: "place", requestBody: { content: { "application/json": { schema: { type: "object" } } } } },
    },
  },
});

/** The runs under way when the process is killed, by the names of their tests. */
const paths: Record<string, string> = {};
const ended = (name: string) => untilEnd(api, paths[name]!);
async function begin(name: string, type: string, data: object, input: unknown = null): Promise<void> {
  const workflowId = await newWorkflow(api, space, definition([node("a", type, data)]));
  paths[name] = (await start(api, space, workflowId, input)).path;
}

beforeAll(async () => {
  [storage, vault, shop] = await Promise.all([startS3Server(), startS3Server(), Ledger.open()]);
  provider = await FakeProvider.open("anthropic", KEY);
  const env = { ...LEASE, FILES_URL: vault.url };
  server = await startServer({ env });
  ({ api, workspaceId, space } = await newWorkspace(server.url));
  const s3 = await post("/credentials", { name: "S", type: "s3", data: { endpoint: storage.endpoint, ...S3_ACCESS } });
  const data = { provider: "anthropic", baseUrl: provider.baseUrl, apiKey: KEY, model: "big" };
  const model = await post("/credentials", { name: "M", type: "model", data });
  const shopApi = await post("/apis", { name: "Shop", document: document() });
  const tools: Record<string, string> = {};
  await until(async () => {
    const { body } = await api.get(`/v1/workspaces/${workspaceId}/apis/${shopApi}/operations`);
    for (const { name, id } of body as { name: string; id: string }[]) tools[name] = id;
    return tools.place !== undefined;
  });
  const csv = await upload(api, workspaceId, "n,name\n1,Ada\n2,Grace\n", { name: "a.csv" });
  for (const key of ["read", "gone"]) storage.objects.set(key, Buffer.from("content"));

  isHolding = true;
  storage.before = (method, key) => hold(`storage ${method} ${key}`);
  // Only the bytes of files are held, and not what the service itself looks up.
  vault.before = method => (method === "HEAD" ? undefined : hold(`vault ${method}`));
  shop.behaviour = async ({ path, key }) => {
    const page = Number(new URL(path, shop.url).searchParams.get("page") ?? 0);
    if (page === 1) asked.push("page 1");
    else await hold(page > 0 ? `page ${page}` : `order ${key}`);
    return { body: { items: [page], next: page > 0 && page < 3 ? page + 1 : null } };
  };
  provider.say = async () => {
    await hold("model");
    return "Ada.";
  };
  await begin("put", "s3", { action: "put", credential: s3, key: "put", body: "{{ input }}" }, "a text");
  await begin("get", "s3", { action: "get", credential: s3, key: "read" });
  await begin("list", "s3", { action: "list", credential: s3, prefix: "rea" });
  await begin("delete", "s3", { action: "delete", credential: s3, key: "gone" });
  await begin("rows", "spreadsheet", { action: "read", file: "{{ input }}" }, valueOf(csv.body));
  const rows = [{ name: "Ada" }, { name: "=1+1" }];
  await begin("file", "spreadsheet", { action: "write", format: "csv", rows: "{{ input }}" }, rows);
  await begin("order", "api", { toolId: tools.place, arguments: { body: { item: "tea" } } });
  const next = { query: { page: "{{ response.body.next }}" } };
  const pagination = { next, items: "{{ response.body.items }}", until: "{{ response.body.next = null }}" };
  await begin("pages", "api", { toolId: tools.list, arguments: { page: 1 }, pagination });
  await begin("model", "llm", { prompt: "Who?", credential: model });
  const held = ["storage PUT put", "storage GET read", "storage GET ", "storage DELETE gone", "vault GET", "vault PUT"];
  await until(() => [...held, "page 2", "model"].every(what => asked.includes(what)) && shop.calls.length >= 3);
  server = await restarted(server, env);
  gate.open();
  api = api.at(server.url);
});
afterAll(async () => {
  gate.open();
  await removeServer(server);
  await Promise.all([storage, vault, shop, provider].map(one => one.close()));
});

const times = (what: string) => asked.filter(one => one === what).length;

test("repeats the work of an s3 step on the same object", async () => {
  expect((await ended("put")).output).toMatchObject({ key: "put", size: 6 });
  expect(storage.objects.get("put")!.toString()).toBe("a text");
  const { output } = await ended("get");
  expect((await download(api, workspaceId, output.file.$file.id as string)).bytes.toString()).toBe("content");
  expect((await ended("list")).output.objects).toMatchObject([{ key: "read" }]);
  expect((await ended("delete")).output).toMatchObject({ key: "gone", deleted: true });
  expect(storage.objects.has("gone")).toBe(false);
  for (const what of ["PUT put", "GET read", "GET ", "DELETE gone"])
    expect([what, times(`storage ${what}`)]).toEqual([what, 2]);
});

test("reads the file of a spreadsheet step again, and outputs only the file of the last attempt", async () => {
  const rows = [
    { n: "1", name: "Ada" },
    { n: "2", name: "Grace" },
  ];
  expect((await ended("rows")).output).toMatchObject({ rows, truncated: false });
  const { output } = await ended("file");
  const { bytes } = await download(api, workspaceId, output.file.$file.id as string);
  expect(bytes.toString()).toBe("name\r\nAda\r\n'=1+1\r\n");
  const { body } = await api.get(`/v1/workspaces/${workspaceId}/files`);
  expect((body as { name: string }[]).filter(({ name }) => name === "table.csv")).toHaveLength(1);
});

test("repeats the call of an api step under the same Idempotency-Key", async () => {
  const { id, status } = await ended("order");
  expect(status).toBe("completed");
  const orders = shop.calls.filter(({ path }) => path === "/orders");
  expect(orders.map(({ key, body }) => [key, body])).toEqual(Array(2).fill([`${id}:a`, { item: "tea" }]));
});

test("repeats the page of an api step in which it was killed, and none before", async () => {
  expect((await ended("pages")).output).toMatchObject({ items: [1, 2, 3], pages: 3 });
  expect(["page 1", "page 2", "page 3"].map(times)).toEqual([1, 2, 1]);
});

test("calls a model again, and counts its answer once", async () => {
  const { output } = await ended("model");
  expect(output).toEqual({ text: "Ada.", usage: { inputTokens: 11, outputTokens: 7 } });
  expect(provider.asked).toHaveLength(2);
});
