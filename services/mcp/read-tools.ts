import type { ParamsOf } from "../../contracts/actions.ts";
import { handle } from "../../contracts/call.ts";
import { notFound } from "../../contracts/errors.ts";
import { boundedPage } from "../../service-kit/bounded-page.ts";
import type { WithStore } from "../../service-kit/store.mixin.ts";
import { ALIVE } from "../../service-kit/tombstone.ts";
import { presentTool, type ServerDoc, servers, type ToolDoc, tools } from "./model.ts";
import { aliveApi, aliveMcpServer } from "./service.ts";

/** The limit for all tools in one response. It is smaller than a message between nodes may be. */
const MAX_ANSWER_BYTES = 640 * 1024;

/** The tools whose servers exist, with the servers' names. */
export async function withServers<T extends { doc: ToolDoc }>(
  { store }: WithStore,
  workspaceId: string,
  found: readonly T[],
): Promise<(T & { serverName: string })[]> {
  const ids = [...new Set(found.map(({ doc }) => doc.serverId))];
  if (ids.length === 0) return [];
  const all = store.tenant(servers, workspaceId);
  const { items } = await all.find({ id: { $in: ids }, ...ALIVE }, { limit: ids.length });
  const names = new Map(items.map(({ id, name }) => [id, name]));
  return found.flatMap(one => {
    const serverName = names.get(one.doc.serverId);
    return serverName === undefined ? [] : [{ ...one, serverName }];
  });
}

/** The first tools that together fit into one response. */
export function firstThatFit<T extends { doc: ToolDoc }>(found: readonly T[]): T[] {
  let left = MAX_ANSWER_BYTES;
  return found.filter(({ doc }) => (left -= doc.bytes) >= 0);
}

type Asked = ParamsOf<"mcp.tools.list">;

async function pageOf({ store }: WithStore, { name }: ServerDoc, asked: Asked) {
  const { workspaceId, id, limit, cursor = null } = asked;
  const all = store.tenant(tools, workspaceId);
  const page = await boundedPage(
    (count, after) => all.find({ serverId: id }, { sort: { id: -1 }, limit: count, after }),
    limit,
    cursor,
  );
  return { items: page.items.map(doc => presentTool(doc, name)), next: page.next };
}

export const listTools = handle<"mcp.tools.list", WithStore>("mcp.tools.list", async function ({ params }) {
  return pageOf(this, await aliveMcpServer(this, params.workspaceId, params.id), params);
});

export const listOperations = handle<"mcp.apis.operations", WithStore>(
  "mcp.apis.operations",
  async function ({ params }) {
    return pageOf(this, await aliveApi(this, params.workspaceId, params.id), params);
  },
);

export const getTool = handle<"mcp.tools.get", WithStore>("mcp.tools.get", async function (ctx) {
  const { workspaceId, toolId } = ctx.params;
  const doc = await this.store.tenant(tools, workspaceId).get({ id: toolId });
  const [found] = doc ? await withServers(this, workspaceId, [{ doc }]) : [];
  if (!found) throw notFound("tool");
  return presentTool(found.doc, found.serverName);
});

export const describeTools = handle<"mcp.tools.describe", WithStore>("mcp.tools.describe", async function (ctx) {
  const { workspaceId, toolIds } = ctx.params;
  if (toolIds.length === 0) return { tools: [], leftOut: [] };
  const all = this.store.tenant(tools, workspaceId);
  const { items } = await all.find({ id: { $in: toolIds } }, { limit: toolIds.length });
  const byId = new Map(items.map(doc => [doc.id, doc]));
  const asked = [...new Set(toolIds)].flatMap(id => byId.get(id) ?? []).map(doc => ({ doc }));
  const there = await withServers(this, workspaceId, asked);
  const found = firstThatFit(there);
  const leftOut = there.filter(one => !found.includes(one)).map(({ doc }) => doc.id);
  return { tools: found.map(({ doc, serverName }) => presentTool(doc, serverName)), leftOut };
});
