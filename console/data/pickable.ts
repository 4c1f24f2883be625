import { queryOptions } from "@tanstack/react-query";
import type { McpTool } from "../../contracts/entities/mcp-server.ts";
import { weft } from "./client.ts";

/** Something in the workspace that a step refers to by its id. */
export interface Pickable {
  id: string;
  name: string;
  /** Where it belongs, or what it does. */
  detail: string;
  /** For a tool: the JSON Schema of its arguments. */
  takes?: unknown;
  /** For a tool: whether it is an operation of an API. */
  isOperation?: boolean;
}

const MAX = 200;
const MINUTE = 60_000;

export const basesQuery = (workspaceId: string) =>
  queryOptions({
    queryKey: ["w", workspaceId, "pick", "bases"],
    queryFn: async ({ signal }): Promise<Pickable[]> => {
      const { items } = await weft.knowledge.list({ workspaceId, limit: MAX }, { signal });
      return items.map(({ id, name }) => ({ id, name, detail: "" }));
    },
    staleTime: MINUTE,
  });

/** The most operations of one API that a list offers. */
const MAX_OPERATIONS = 2_000;

async function allOf(list: AsyncIterable<McpTool>, detail: string, isOperation: boolean): Promise<Pickable[]> {
  const found: Pickable[] = [];
  for await (const { id, name, inputSchema } of list) {
    found.push({ id, name, detail, takes: inputSchema, isOperation });
    if (found.length === MAX_OPERATIONS) break;
  }
  return found;
}

/** The tools of all servers and the operations of all APIs, grouped by server and API. */
export const toolsQuery = (workspaceId: string) =>
  queryOptions({
    queryKey: ["w", workspaceId, "pick", "tools"],
    queryFn: async ({ signal }): Promise<Pickable[]> => {
      const asked = { workspaceId, limit: MAX };
      const [servers, apis] = await Promise.all([
        weft.mcp.list(asked, { signal }),
        weft.mcp.apis.list(asked, { signal }),
      ]);
      const lists = [
        ...servers.items.map(({ id, name }) => allOf(weft.mcp.tools.list({ ...asked, id }, { signal }), name, false)),
        ...apis.items.map(({ id, name }) => allOf(weft.mcp.apis.operations({ ...asked, id }, { signal }), name, true)),
      ];
      return (await Promise.all(lists)).flat();
    },
    staleTime: MINUTE,
  });

export const flowsQuery = (workspaceId: string) =>
  queryOptions({
    queryKey: ["w", workspaceId, "pick", "workflows"],
    queryFn: async ({ signal }): Promise<Pickable[]> => {
      const { items } = await weft.workflows.listAll({ workspaceId, limit: MAX }, { signal });
      return items.map(({ id, name, description }) => ({ id, name, detail: description ?? "" }));
    },
    staleTime: MINUTE,
  });

export const peopleQuery = (workspaceId: string) =>
  queryOptions({
    queryKey: ["w", workspaceId, "pick", "people"],
    queryFn: async ({ signal }): Promise<Pickable[]> => {
      const { items } = await weft.workspaces.members({ workspaceId, limit: MAX }, { signal });
      return items.map(({ userId, name, email }) => ({ id: userId, name: name ?? email ?? userId, detail: email ?? "" }));
    },
    staleTime: MINUTE,
  });
