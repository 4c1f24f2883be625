import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Api as RegisteredApi } from "../../contracts/entities/api.ts";
import type { McpTool } from "../../contracts/entities/mcp-server.ts";
import { type Api, type Json, newWorkflow, newWorkspace, runToEnd } from "../support/api.ts";
import { definition, node } from "../support/definition.ts";
import { type Endpoint, startEndpoint } from "../support/endpoint.ts";
import { until } from "../support/service-node.ts";
import { sharedServer } from "../support/shared.ts";

const KEY = "k3y/of+an API";

let api: Api;
let base: string;
let space: string;
let endpoint: Endpoint;

beforeAll(async () => {
  const server = await sharedServer();
  const made = await newWorkspace(server.url);
  ({ api, space } = made);
  base = `/v1/workspaces/${made.workspaceId}`;
  endpoint = await startEndpoint();
});
afterAll(() => endpoint.close());

/** A small shop. Its server tells what it was sent. */
const shop = (more: object = {}) => ({
  openapi: "3.0.3",
  info: { title: "Shop", version: "1.2.0" },
  servers: [{ url: `${endpoint.url}/echo` }],
  components: {
    securitySchemes: { key: { type: "apiKey", in: "header", name: "X-Shop-Key" } },
    schemas: {
      Order: {
        type: "object",
        required: ["id", "item", "next"],
        properties: {
          id: { type: "integer", readOnly: true },
          item: { type: "string", nullable: true },
          next: { $ref: "#/components/schemas/Order" },
        },
      },
    },
  },
  paths: {
    "/orders/{id}": {
      parameters: [{ name: "id", in: "path", required: true, schema: { type: "integer" } }],
      get: {
        operationId: "getOrder",
        summary: "Read an order of a customer",
        parameters: [
          { name: "fields", in: "query", schema: { type: "array", items: { type: "string" } }, explode: false },
          { name: "id", in: "header", schema: { type: "string" } },
        ],
        security: [{ key: [] }],
      },
    },
    "/orders": {
      post: {
        operationId: "placeOrder",
        summary: "Place an order for an item",
        requestBody: {
          required: true,
          content: { "application/json": { schema: { $ref: "#/components/schemas/Order" } } },
        },
        security: [{ key: [] }],
      },
      put: {
        operationId: "far",
        requestBody: { content: { "application/json": { schema: { $ref: "https://a.example/s" } } } },
      },
    },
    ...more,
  },
});

async function settled(id: string): Promise<RegisteredApi> {
  const get = async () => (await api.get(`${base}/apis/${id}`)).body as RegisteredApi;
  await until(async () => (await get()).status !== "unknown" && (await get()).lastCheckedAt !== null);
  return get();
}
async function registered(given: object): Promise<RegisteredApi> {
  const { status, body } = await api.post(`${base}/apis`, { name: "Shop", ...given });
  expect({ status, body }).toMatchObject({ status: 201 });
  return settled(body.id as string);
}
const newKey = async (hosts = [new URL(endpoint.url).host]) => {
  const given = { name: randomUUID(), type: "header", data: { name: "X-Shop-Key", value: KEY }, hosts };
  return (await api.post(`${base}/credentials`, given)).body.id as string;
};
async function operation(id: string, wanted: string): Promise<McpTool> {
  const { body } = await api.get(`${base}/apis/${id}/operations`);
  return (body as McpTool[]).find(({ name }) => name === wanted)!;
}
const call = (toolId: string, args: object) =>
  api.post(`${base}/mcp-servers/tools/${toolId}/call`, { arguments: args });

test("turns operations of an uploaded document into tools that are found, checked, signed and called", async () => {
  const key = await newKey();
  const made = await registered({ document: shop(), credentials: { key } });
  expect(made).toMatchObject({
    ...{ status: "connected", url: null, serverUrl: `${endpoint.url}/echo`, operationCount: 2, nextSyncAt: null },
    ...{ title: "Shop", version: "1.2.0", specification: "OpenAPI 3.0.3" },
    securitySchemes: [{ name: "key", credentialTypes: ["header"] }],
    droppedOperations: [{ name: "far", reason: expect.stringContaining("outside of the document") }],
  });
  const found = await api.post(`${base}/mcp-servers/tools/search`, { query: "place an order" });
  expect((found.body as Json[])[0]).toMatchObject({ name: "placeOrder", mcpServerId: made.id, serverName: "Shop" });
  expect((await api.get(`${base}/mcp-servers`)).body).toEqual([]);
  expect(await api.get(`${base}/mcp-servers/${made.id}`)).toMatchObject({ status: 404 });

  const get = await operation(made.id, "getOrder");
  expect(get.operation).toEqual({ method: "GET", path: "/orders/{id}" });
  const got = await call(get.id, { id: 7, fields: ["item", "a,b"], header_id: "seven" });
  expect(got).toMatchObject({ status: 200, body: { isError: false, structuredContent: { status: 200 } } });
  expect(got.body.structuredContent.body).toMatchObject({
    ...{ method: "GET", path: "/echo/orders/7", query: { fields: "item,a,b" } },
    headers: { id: "seven", "x-shop-key": "•••" },
  });
  expect(endpoint.received("/echo/orders/7")[0]!.headers["x-shop-key"]).toBe(KEY);

  const place = await operation(made.id, "placeOrder");
  // What the server alone sets is not an argument, and a schema may contain itself.
  const placed = await call(place.id, { body: { item: null, next: { item: "tea", next: {} } } });
  expect(placed).toMatchObject({ status: 400, body: { code: "tool_arguments_invalid" } });
  expect((placed.body.errors as Json[]).map(({ path }) => path as string)).toContainEqual(
    expect.stringMatching(/^\/arguments\/body\/next/),
  );
  for (const args of [{}, { id: "x" }, { id: 1, other: 2 }])
    expect(await call(get.id, args)).toMatchObject({ status: 400, body: { code: "tool_arguments_invalid" } });

  const used = (await api.get(`${base}/credentials/${key}`)).body.usedBy;
  expect(used).toMatchObject([{ kind: "api", id: made.id, name: "Shop" }]);
});

test("calls an operation from a tool step and from an api step", async () => {
  const made = await registered({ document: JSON.stringify(shop()), credentials: { key: await newKey() } });
  const { id: toolId } = await operation(made.id, "getOrder");
  for (const type of ["tool", "api"] as const) {
    const step = node("call", type, { toolId, arguments: { id: "{{ input.id }}", fields: ["item"] } });
    const run = await runToEnd(api, space, definition([step]), { id: 41 });
    expect(run).toMatchObject({ status: "completed" });
    const answer = type === "tool" ? run.output.structuredContent : run.output;
    expect(answer).toMatchObject({ status: 200, body: { path: "/echo/orders/41", query: { fields: "item" } } });
    expect(JSON.stringify(run)).not.toContain(KEY);
  }
  const wrong = node("call", "api", { toolId, arguments: { id: "none" } });
  const failed = await runToEnd(api, space, definition([wrong]));
  expect(failed).toMatchObject({ status: "failed", error: { code: "tool_arguments_invalid" } });
});

test("syncs a document at an address, with a history of changes that names the workflows", async () => {
  let paths = {};
  const server = createServer((_, res) => res.end(JSON.stringify(shop(paths)))).listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/openapi.json`;
  try {
    const made = await registered({ url });
    expect(made).toMatchObject({ status: "connected", url, nextSyncAt: expect.any(String) });
    const get = await operation(made.id, "getOrder");
    const workflowId = await newWorkflow(
      api,
      space,
      definition([node("call", "api", { toolId: get.id, arguments: { id: 1 } })]),
    );
    expect(await api.post(`${space}/workflows/${workflowId}/deploy`, {})).toMatchObject({ status: 200 });
    const former = shop().paths["/orders/{id}"].get;
    paths = { "/orders/{id}": { get: { ...former, parameters: [{ name: "id", in: "path", required: true }] } } };
    expect((await api.post(`${base}/apis/${made.id}/sync`)).body).toEqual({ operationsSynced: 2, status: "connected" });
    const { body } = await api.get(`${base}/apis/${made.id}/changes`);
    expect(body).toMatchObject([{ kind: "changed", name: "getOrder", workflows: [{ workflowId, nodeIds: ["call"] }] }]);
    expect((body as Json[])[0]!.fields).toEqual(["inputSchema", "operation"]);
    expect((await operation(made.id, "getOrder")).id).toBe(get.id);
  } finally {
    server.close();
  }
});

test("reports why a document cannot be used, and keeps the operations of the last good one", async () => {
  const made = await registered({ document: shop() });
  const path = `${base}/apis/${made.id}`;
  for (const [document, why] of [
    ["a: [b", /neither JSON nor YAML/],
    ["swagger: '2.0'", /not of OpenAPI 3\.0 or 3\.1/],
    ["- a", /not an object/],
    [`openapi: 3.1.0\nx: ${"[".repeat(100_000)}`, /nested too deep|broken|neither/],
  ] as const) {
    const before = (await api.get(path)).body.lastCheckedAt as string;
    expect((await api.patch(path, { document })).status).toBe(200);
    await until(async () => (await api.get(path)).body.lastCheckedAt !== before);
    const tried = (await api.get(path)).body as RegisteredApi;
    expect(tried).toMatchObject({ status: "error", lastError: expect.stringMatching(why), operationCount: 2 });
  }
  for (const given of [
    {},
    { url: "https://a.example", document: "x" },
    { document: 7 },
    { document: "" },
    { url: "ftp://a" },
  ])
    expect(await api.post(`${base}/apis`, { name: "No", ...given })).toMatchObject({ status: 400 });
});

test("sends a credential to its hosts only, and rejects calls that lack a required one", async () => {
  const elsewhere = await newKey(["api.example.com"]);
  const made = await registered({ document: shop(), credentials: { key: elsewhere } });
  const get = await operation(made.id, "getOrder");
  const sent = () => endpoint.received("/echo/orders/5").length;
  expect(await call(get.id, { id: 5 })).toMatchObject({ body: { code: "tool_server_refused" } });
  await api.patch(`${base}/apis/${made.id}`, { credentials: {} });
  const refused = await call(get.id, { id: 5 });
  expect(refused.body).toMatchObject({ code: "tool_server_refused", detail: expect.stringContaining("key") });
  expect(sent()).toBe(0);
  const hmac = await api.post(`${base}/credentials`, {
    name: randomUUID(),
    type: "hmac",
    data: { key: "a key of some length" },
  });
  for (const credentialId of [hmac.body.id, randomUUID()])
    expect(await api.patch(`${base}/apis/${made.id}`, { credentialId })).toMatchObject({ status: 400 });
  expect(await api.delete(`${base}/apis/${made.id}`)).toMatchObject({ status: 204 });
  expect(await call(get.id, { id: 5 })).toMatchObject({ status: 404 });
});

test("keeps arguments from changing the path, the host or headers", async () => {
  const paths = {
    "/files/{name}": {
      parameters: [
        { name: "name", in: "path", required: true, schema: { type: "string" } },
        { name: "X-Mark", in: "header", schema: { type: "string" } },
        { name: "Host", in: "header", schema: { type: "string" } },
      ],
      get: { operationId: "getFile" },
    },
  };
  const made = await registered({ document: shop(paths) });
  const { id, inputSchema } = await operation(made.id, "getFile");
  expect(Object.keys(inputSchema.properties as object)).toEqual(["name", "X-Mark"]);
  const told = await call(id, { name: "../../v1/x?a=b#c" });
  expect(told.body.structuredContent.body.path).toBe("/echo/files/..%2F..%2Fv1%2Fx%3Fa%3Db%23c");
  expect(await call(id, { name: ".." })).toMatchObject({ body: { code: "tool_server_refused" } });
  expect(await call(id, { name: "a", "X-Mark": "b\r\nX-Other: c" })).toMatchObject({
    body: { code: "tool_server_refused" },
  });
});

test("applies the outbound guard to the document and to the address that it names", async () => {
  const inside = "http://169.254.169.254";
  const read = await registered({ url: `${inside}/openapi.json` });
  expect(read).toMatchObject({ status: "error", lastError: expect.stringContaining("not allowed"), operationCount: 0 });
  const moved = await registered({ url: `${endpoint.url}/redirect/${encodeURIComponent(inside)}` });
  expect(moved).toMatchObject({ status: "error", lastError: expect.stringContaining("forbidden place") });
  const made = await registered({ document: { ...shop(), servers: [{ url: inside }] } });
  const { id: toolId } = await operation(made.id, "getOrder");
  await api.patch(`${base}/apis/${made.id}`, { credentials: { key: await newKey(["169.254.169.254"]) } });
  for (const [type, code] of [
    ["api", "outbound_refused"],
    ["tool", "tool_server_refused"],
  ]) {
    const run = await runToEnd(api, space, definition([node("call", type!, { toolId, arguments: { id: 1 } })]));
    expect(run.error).toMatchObject({ code, message: expect.stringContaining("not allowed") });
  }
});
