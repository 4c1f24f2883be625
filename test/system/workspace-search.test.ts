import type { Found } from "../../contracts/entities/found.ts";
import { type Api, register } from "../support/api.ts";
import { type McpTestServer, startMcpServer, usualTools } from "../support/mcp-server.ts";
import { addMembers } from "../support/members.ts";
import { expectProblem } from "../support/problem.ts";
import type { Server } from "../support/server.ts";
import { sharedServer } from "../support/shared.ts";
import { newTenant, type Tenant } from "../support/tenant.ts";

const MARK = "jacquard";

let server: Server;
let tools: McpTestServer;
let owner: Awaited<ReturnType<typeof register>>;
let viewer: Awaited<ReturnType<typeof register>>;
let stranger: Awaited<ReturnType<typeof register>>;
let mine: Tenant;
let theirs: Tenant;

beforeAll(async () => {
  server = await sharedServer();
  tools = await startMcpServer({ tools: usualTools() });
  [owner, viewer, stranger] = [await register(server.url), await register(server.url), await register(server.url)];
  [mine, theirs] = [
    await newTenant(owner, MARK, { toolServer: tools.url }),
    await newTenant(stranger, MARK, { toolServer: tools.url }),
  ];
  await addMembers(server.dataDir, [{ workspaceId: mine.workspaceId, userId: viewer.userId, role: "viewer" }]);
  await viewer.patch("/v1/auth/me", { name: "Joseph Jacquard" });
  const space = `/v1/workspaces/${mine.workspaceId}/spaces/${mine.spaceId}`;
  await owner.patch(`${space}/workflows/${mine.workflowId}`, { name: "Wéave jacquard cloth" });
  await owner.patch(`/v1/workspaces/${mine.workspaceId}/variables`, { set: { jacquard_cards: 4 } });
});
afterAll(async () => {
  await tools?.close();
});

const base = ({ workspaceId }: Tenant) => `/v1/workspaces/${workspaceId}`;
async function search(query: string, as: Api = owner, tenant = mine): Promise<Found[]> {
  const { status, body } = await as.get(`${base(tenant)}/search?${query}`);
  expect([status, body.missing]).toEqual([200, []]);
  return body.items as Found[];
}
const kinds = (items: readonly Found[]) => [...new Set(items.map(({ type }) => type))].toSorted();

it("finds every item of the workspace with the words, for each role that may read it, and nothing of another workspace", async () => {
  for (const person of [owner, viewer]) {
    const items = await search(`q=${MARK}&limit=50`, person);
    expect(kinds(items)).toEqual([
      ...[
        "api",
        "credential",
        "knowledge_base",
        "member",
        "schedule",
        "tool_server",
        "variable",
        "webhook",
        "workflow",
      ],
    ]);
    const ids = new Set(items.map(({ id }) => id));
    for (const id of Object.values(theirs)) expect(ids).not.toContain(id);
    expect(items.find(({ type }) => type === "workflow")).toEqual({
      ...{ type: "workflow", id: mine.workflowId, spaceId: mine.spaceId, title: "Wéave jacquard cloth" },
      subtitle: null,
    });
  }
  expectProblem(await stranger.get(`${base(mine)}/search?q=${MARK}`), 404, "not_found");
});

it("finds steps by name and id, tools by their words, and a run of the workspace by its id", async () => {
  expect(await search("q=ask&types=step")).toEqual([
    {
      type: "step",
      id: mine.workflowId,
      spaceId: mine.spaceId,
      title: "ask",
      subtitle: "Wéave jacquard cloth",
      nodeId: "ask",
    },
  ]);
  expect(await search("q=echo&types=tool")).toMatchObject([{ id: mine.toolId, serverId: mine.toolServerId }]);
  const run = await search(`q=${mine.executionId}`);
  expect(run).toEqual([
    {
      type: "run",
      id: mine.executionId,
      spaceId: mine.spaceId,
      title: "Wéave jacquard cloth",
      subtitle: mine.executionId,
    },
  ]);
  expect(await search(`q=${theirs.executionId}`)).toEqual([]);
});

it("ignores case and accents, requires all words, and returns at most the limit", async () => {
  expect(kinds(await search("q=WEAVE%20cloth"))).toEqual(["schedule", "webhook", "workflow"]);
  expect(await search("q=weave%20wool")).toEqual([]);
  expect(await search(`q=${MARK}&limit=1`)).toHaveLength(1);
  expect(kinds(await search(`q=${MARK}&types=variable,api`))).toEqual(["api", "variable"]);
});

it.each(["", "q=", "q=%20", "q=a&types=secret", "q=a&limit=0", "q=a&limit=51", `q=${"a".repeat(201)}`])(
  "rejects %p",
  async query => expectProblem(await owner.get(`${base(mine)}/search?${query}`), 400, "validation_failed"),
);

it("does not find workflows in the trash", async () => {
  const flow = `${base(mine)}/spaces/${mine.spaceId}/workflows/${mine.workflowId}`;
  expect((await owner.patch(`${flow}/trash`)).status).toBe(200);
  expect(await search(`q=cloth&types=workflow,step`)).toEqual([]);
  expect((await owner.patch(`${flow}/restore`)).status).toBe(200);
});
