import { queryOptions } from "@tanstack/react-query";
import { weft } from "./client.ts";

/** Something of the workspace that a step names by its id. */
export interface Pickable {
  id: string;
  name: string;
  /** What it belongs to, or what it does. */
  detail: string;
  /** Of a tool: the JSON Schema of its arguments. */
  takes?: unknown;
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

/** The tools of all servers, by server. */
export const toolsQuery = (workspaceId: string) =>
  queryOptions({
    queryKey: ["w", workspaceId, "pick", "tools"],
    queryFn: async ({ signal }): Promise<Pickable[]> => {
      const { items: servers } = await weft.mcp.list({ workspaceId, limit: MAX }, { signal });
      const lists = servers.map(async ({ id, name: detail }) => {
        const { items } = await weft.mcp.tools.list({ workspaceId, id, limit: MAX }, { signal });
        return items.map(({ id: toolId, name, inputSchema }) => ({ id: toolId, name, detail, takes: inputSchema }));
      });
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
