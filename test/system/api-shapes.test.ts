import type { Api as RegisteredApi } from "../../contracts/entities/api.ts";
import type { McpTool } from "../../contracts/entities/mcp-server.ts";
import { type Api, type Json, newWorkspace, runToEnd } from "../support/api.ts";
import { type ApiShape, ITEMS } from "../support/api-shape.ts";
import { API_SHAPES } from "../support/api-shapes.ts";
import { ApiStub } from "../support/api-stub.ts";
import { definition, node } from "../support/definition.ts";
import { until } from "../support/service-node.ts";
import { sharedServer } from "../support/shared.ts";

let stub: ApiStub;
let url: string;

beforeAll(async () => {
  stub = await ApiStub.open();
  ({ url } = await sharedServer());
});
afterAll(() => stub.close());

/** Registers a document by its address in a workspace of its own. */
async function register({ name, document }: ApiShape) {
  const { api, workspaceId, space } = await newWorkspace(url);
  const base = `/v1/workspaces/${workspaceId}`;
  const path = `/documents/${encodeURIComponent(name)}`;
  stub.documents.set(path, document(stub.url));
  const { status, body } = await api.post(`${base}/apis`, { name, url: `${stub.url}${path}` });
  expect({ status, body }).toMatchObject({ status: 201 });
  let made = body as RegisteredApi;
  await until(async () => {
    made = (await api.get(`${base}/apis/${made.id}`)).body as RegisteredApi;
    return made.lastCheckedAt !== null;
  });
  return { api, base, space, made };
}

async function operationsOf(api: Api, path: string): Promise<Map<string, McpTool>> {
  const found = new Map<string, McpTool>();
  for (let next: string | undefined = `${path}/operations?limit=100`; next !== undefined;) {
    const { body, headers } = await api.get(next);
    for (const one of body as McpTool[]) found.set(one.name, one);
    next = /<([^>]+)>/.exec(headers.get("link") ?? "")?.[1];
  }
  return found;
}

describe.each(API_SHAPES.map(shape => [shape.name, shape] as const))("a document as of %s", (_, shape) => {
  let here: Awaited<ReturnType<typeof register>>;
  let tools: Map<string, McpTool>;
  beforeAll(async () => {
    here = await register(shape);
    tools = await operationsOf(here.api, `${here.base}/apis/${here.made.id}`);
  });
  const call = (operation: string, args: Json) =>
    here.api.post(`${here.base}/mcp-servers/tools/${tools.get(operation)?.id}/call`, { arguments: args });

  test("is registered with all operations", () => {
    expect(here.made).toMatchObject({ status: "connected", lastError: null, droppedOperations: [] });
    expect(here.made.operationCount).toBe(shape.operations);
    expect(tools.size).toBe(shape.operations);
  });

  test("lets its operations be found by what they do", async () => {
    const path = `${here.base}/mcp-servers/tools/search`;
    const { query, operation } = shape.find;
    // Words are found at once. What operations mean is added in the background.
    await until(async () => {
      const { body } = await here.api.post(path, { query, limit: 5 });
      return (body as Json[]).some(({ name }) => name === operation);
    });
  });

  test("sends a call as it describes, and sends nothing for invalid arguments", async () => {
    const { operation, arguments: args, sent } = shape.call;
    const before = stub.requests.length;
    expect(await call(operation, args)).toMatchObject({ status: 200, body: { isError: false } });
    const [request] = stub.requests.slice(before);
    const { body, headers = {} } = sent;
    expect(request).toMatchObject({ method: sent.method, url: sent.url, headers });
    if (body !== undefined) expect(typeof body === "string" ? request!.body : JSON.parse(request!.body)).toEqual(body);
    expect(await call(operation, shape.refused)).toMatchObject({
      status: 400,
      body: { code: "tool_arguments_invalid" },
    });
    expect(stub.requests).toHaveLength(before + 1);
  });

  test("a step reads all of its pages", async () => {
    const { operation, arguments: args = {}, pagination, path, answer } = shape.paging!;
    stub.pages.set(path, answer);
    const step = node("all", "api", { toolId: tools.get(operation)!.id, arguments: args, pagination });
    const { status, output, error } = await runToEnd(here.api, here.space, definition([step]));
    expect({ status, error, items: output?.items as unknown }).toMatchObject({ status: "completed", items: ITEMS });
  });
});
