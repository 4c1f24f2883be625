import type { McpTool, ToolUser } from "../../contracts/entities/mcp-server.ts";
import { addMembers } from "../support/members.ts";
import { type Api, newWorkflow, newWorkspace, register } from "../support/api.ts";
import { definition, node } from "../support/definition.ts";
import { startMcpServer } from "../support/mcp-server.ts";
import { until } from "../support/service-node.ts";
import { sharedServer } from "../support/shared.ts";

const document = {
  openapi: "3.1.0",
  info: { title: "Shop", version: "1" },
  servers: [{ url: "http://127.0.0.1:9/" }],
  paths: { "/orders": { get: { operationId: "listOrders" }, post: { operationId: "placeOrder" } } },
};

let api: Api;
let base: string;
let space: string;
let workspaceId: string;
let at: { url: string; dataDir: string };
let server: Awaited<ReturnType<typeof startMcpServer>>;

beforeAll(async () => {
  at = await sharedServer();
  ({ api, space, workspaceId } = await newWorkspace(at.url));
  base = `/v1/workspaces/${workspaceId}`;
  server = await startMcpServer();
});
afterAll(() => server.close());

async function added(place: "mcp-servers" | "apis", given: object) {
  const { body } = await api.post(`${base}/${place}`, given);
  const path = `${base}/${place}/${body.id}`;
  await until(async () => (await api.get(path)).body.status === "connected");
  const { body: tools } = await api.get(`${path}/${place === "apis" ? "operations" : "tools"}`);
  return { path, idOf: new Map((tools as McpTool[]).map(({ name, id }) => [name, id])) };
}

const calls = (id: string, toolId: string | undefined) => node(id, "tool", { toolId, arguments: {} });

test("lists the workflows that use a server, an API or one of their tools, in pages", async () => {
  const tools = await added("mcp-servers", { name: "Sums", url: server.url });
  const shop = await added("apis", { name: "Shop", document });
  const [add, echo] = [tools.idOf.get("add"), tools.idOf.get("echo")];

  const both = await newWorkflow(
    ...[api, space, definition([calls("sum", add), calls("list", shop.idOf.get("listOrders"))])],
  );
  const agent = await newWorkflow(
    ...[api, space, definition([node("ask", "agent", { prompt: "x", toolIds: [add, echo] })])],
  );
  // The deployed version calls the tool still, the newest does not.
  const former = await newWorkflow(api, space, definition([calls("old", echo)]));
  expect(await api.post(`${space}/workflows/${former}/deploy`)).toMatchObject({ status: 200 });
  await api.patch(`${space}/workflows/${former}`, { definition: definition([node("x", "transform", { value: 1 })]) });
  await newWorkflow(api, space, definition([node("x", "transform", { value: add })]));
  const trashed = await newWorkflow(api, space, definition([calls("gone", add)]));
  await api.patch(`${space}/workflows/${trashed}/trash`);

  const users = async (path: string) => (await api.get(path)).body as ToolUser[];
  const spaceId = workspaceId;
  const user = (workflowId: string, deployed: boolean, ...used: [string, string, ...string[]][]) => ({
    ...{ workflowId, spaceId, name: "A workflow", deployed },
    tools: used.map(([name, ...nodeIds]) => ({
      ...{ toolId: tools.idOf.get(name) ?? shop.idOf.get(name), name, nodeIds },
    })),
  });
  expect(await users(`${tools.path}/workflows`)).toEqual([
    user(former, true, ["echo", "old"]),
    user(agent, false, ["add", "ask"], ["echo", "ask"]),
    user(both, false, ["add", "sum"]),
  ]);
  expect(await users(`${tools.path}/workflows?toolId=${add}`)).toEqual([
    user(agent, false, ["add", "ask"]),
    user(both, false, ["add", "sum"]),
  ]);
  expect(await users(`${shop.path}/workflows`)).toEqual([user(both, false, ["listOrders", "list"])]);
  // A tool of another source does not belong to this one.
  expect(await users(`${shop.path}/workflows?toolId=${add}`)).toEqual([]);

  const paged: string[] = [];
  for (let next: string | null = `${tools.path}/workflows?limit=1`; next !== null;) {
    const { body, headers } = await api.get(next);
    paged.push(...(body as ToolUser[]).map(({ workflowId }) => workflowId));
    next = /<([^>]+)>; rel="next"/.exec(headers.get("link") ?? "")?.[1] ?? null;
  }
  expect(paged).toEqual([former, agent, both]);
});

test("is readable by viewers, and answers not_found to other people and other workspaces", async () => {
  const { path } = await added("mcp-servers", { name: "Own", url: server.url });
  const viewer = await register(at.url);
  expect((await viewer.get(`${path}/workflows`)).status).toBe(404);
  await addMembers(at.dataDir, [{ workspaceId, userId: viewer.userId, role: "viewer" }]);
  expect(await viewer.get(`${path}/workflows`)).toMatchObject({ status: 200, body: [] });
  const other = await newWorkspace(at.url);
  const id = path.split("/").at(-1)!;
  for (const place of ["mcp-servers", "apis"])
    expect((await other.api.get(`/v1/workspaces/${other.workspaceId}/${place}/${id}/workflows`)).status).toBe(404);
  expect((await api.get(`${base}/apis/${id}/workflows`)).status).toBe(404);
});
