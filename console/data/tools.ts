import { infiniteQueryOptions, keepPreviousData, queryOptions, useMutation } from "@tanstack/react-query";
import type {
  Api,
  FoundMcpTool as FoundTool,
  McpServer,
  McpTool,
  McpToolResult as ToolResult,
  McpToolUser as ToolUser,
} from "../../sdk/definition.ts";
import { weft } from "./client.ts";
import { queryClient, renewWithout } from "./query-client.ts";

export type {
  Api,
  FoundMcpTool as FoundTool,
  McpServer,
  McpTool,
  McpToolChange as ToolChange,
  McpToolResult as ToolResult,
  McpToolUser as ToolUser,
} from "../../sdk/definition.ts";

const MAX = 200;
const PAGE = 50;
const FOUND = 20;
/** The most pages of workflows that are searched for uses of a tool. */
const MAX_USER_PAGES = 20;
/** How often the first sync of a source is read. Later syncs happen in the background. */
const WATCH_MS = 1_000;
const LOOK_MS = 15_000;

export const keyOf = (workspaceId: string) => ["w", workspaceId, "tools"] as const;

async function renew(workspaceId: string): Promise<void> {
  // The palette of the builder lists the same tools.
  void queryClient.invalidateQueries({ queryKey: ["w", workspaceId, "pick", "tools"] });
  await queryClient.invalidateQueries({ queryKey: keyOf(workspaceId) });
}

/** Where tools come from: an MCP server, or an API whose operations are tools. */
export type SourceKind = "server" | "api";
export type Source = Pick<
  McpServer,
  | ("id" | "name" | "url" | "agents" | "status" | "lastError" | "toolCount" | "droppedTools" | "serverInfo")
  | ("lastCheckedAt" | "lastSyncedAt" | "nextSyncAt" | "protocolVersion")
> & { kind: SourceKind };

const sourceOfApi = ({ operationCount, droppedOperations, title, version, specification, ...api }: Api): Source => ({
  ...{ ...api, kind: "api", url: api.url ?? api.serverUrl ?? "", toolCount: operationCount },
  ...{ droppedTools: droppedOperations, protocolVersion: specification },
  serverInfo: title === null ? null : { name: title, version: version ?? "" },
});

const pace = (sources: readonly Pick<McpServer, "status">[] | undefined) =>
  sources?.some(({ status }) => status === "unknown") ? WATCH_MS : LOOK_MS;

export const apisQuery = (workspaceId: string) =>
  queryOptions({
    queryKey: [...keyOf(workspaceId), "apis"],
    queryFn: async ({ signal }): Promise<Api[]> =>
      (await weft.mcp.apis.list({ workspaceId, limit: MAX }, { signal })).items,
    refetchInterval: ({ state }) => pace(state.data),
  });

/** A server or an API in one common form. */
export const sourceQuery = (workspaceId: string, kind: SourceKind, id: string) =>
  queryOptions({
    queryKey: [...keyOf(workspaceId), kind, id, "source"],
    queryFn: async ({ signal }): Promise<Source> =>
      kind === "api"
        ? sourceOfApi(await weft.mcp.apis.get({ workspaceId, id }, { signal }))
        : { ...(await weft.mcp.get({ workspaceId, id }, { signal })), kind },
    refetchInterval: ({ state }) => pace(state.data && [state.data]),
  });

export const serversQuery = (workspaceId: string) =>
  queryOptions({
    queryKey: [...keyOf(workspaceId), "servers"],
    queryFn: async ({ signal }): Promise<McpServer[]> =>
      (await weft.mcp.list({ workspaceId, limit: MAX }, { signal })).items,
    refetchInterval: ({ state }) => pace(state.data),
  });

/**
 * The tools of a server after one sync. The key includes the time of the sync, because each sync may change the list.
 */
export const sourceToolsQuery = (workspaceId: string, { kind, id, lastSyncedAt }: Source) =>
  queryOptions({
    queryKey: [...keyOf(workspaceId), "of", id, lastSyncedAt],
    queryFn: async ({ signal }): Promise<McpTool[]> => {
      const tools: McpTool[] = [];
      const asked = { workspaceId, id, limit: MAX };
      const list = kind === "api" ? weft.mcp.apis.operations(asked, { signal }) : weft.mcp.tools.list(asked, { signal });
      for await (const tool of list) tools.push(tool);
      return tools;
    },
    placeholderData: keepPreviousData,
  });

export const toolQuery = (workspaceId: string, toolId: string) =>
  queryOptions({
    queryKey: [...keyOf(workspaceId), "tool", toolId],
    queryFn: ({ signal }): Promise<McpTool> => weft.mcp.tools.get({ workspaceId, toolId }, { signal }),
  });

export const toolChangesQuery = (workspaceId: string, kind: SourceKind, id: string) =>
  infiniteQueryOptions({
    queryKey: [...keyOf(workspaceId), "changes", id],
    queryFn: ({ signal, pageParam }) => {
      const cursor = pageParam === null ? {} : { cursor: pageParam };
      const asked = { workspaceId, id, limit: PAGE, ...cursor };
      return Promise.resolve(kind === "api" ? weft.mcp.apis.changes(asked, { signal }) : weft.mcp.changes(asked, { signal }));
    },
    initialPageParam: null as string | null,
    getNextPageParam: page => page.next,
  });

/**
 * The workflows that use the tools of a source, or one of them. One page of the service searches some hundred
 * workflows.
 */
export const toolUsersQuery = (workspaceId: string, kind: SourceKind, id: string, toolId?: string) =>
  queryOptions({
    queryKey: [...keyOf(workspaceId), "users", id, toolId ?? null],
    queryFn: async ({ signal }): Promise<{ users: ToolUser[]; more: boolean }> => {
      const users: ToolUser[] = [];
      const asked = { workspaceId, id, limit: PAGE, ...(toolId !== undefined && { toolId }) };
      const list = kind === "api" ? weft.mcp.apis.workflows : weft.mcp.workflows;
      let cursor: string | null = null;
      for (let pages = 0; pages < MAX_USER_PAGES; pages++) {
        const page: { items: ToolUser[]; next: string | null } = await list(
          { ...asked, ...(cursor !== null && { cursor }) },
          { signal },
        );
        users.push(...page.items);
        cursor = page.next;
        if (cursor === null) break;
      }
      return { users, more: cursor !== null };
    },
  });

/** Finds tools of all servers by what they do, best match first. `degraded` means that only words were compared. */
export const foundToolsQuery = (workspaceId: string, query: string) =>
  queryOptions({
    queryKey: [...keyOf(workspaceId), "found", query],
    queryFn: async ({ signal }): Promise<{ tools: FoundTool[]; degraded: boolean }> => {
      const call = weft.mcp.tools.search({ workspaceId, query, limit: FOUND }, { signal });
      const { data, degraded } = await call.withResponse();
      return { tools: data, degraded };
    },
    enabled: query !== "",
    placeholderData: keepPreviousData,
  });

type ServerInput = Omit<Parameters<typeof weft.mcp.create>[0], "workspaceId">;
export type ServerGiven = ServerInput;

/** Registers a server, or changes the one with this id. */
export const useSaveServer = (workspaceId: string, id: string | undefined) =>
  useMutation({
    mutationFn: async (given: Partial<ServerInput>): Promise<McpServer> =>
      id === undefined
        ? weft.mcp.create({ workspaceId, ...(given as ServerInput) })
        : weft.mcp.update({ workspaceId, id, ...given }),
    onSuccess: () => renew(workspaceId),
    meta: { shown: true },
  });

type GivenApi = Omit<Parameters<typeof weft.mcp.apis.create>[0], "workspaceId">;
export type ApiGiven = GivenApi;

/** Registers an API, or changes the one with this id. */
export const useSaveApi = (workspaceId: string, id: string | undefined) =>
  useMutation({
    mutationFn: async (given: GivenApi): Promise<Api> =>
      id === undefined ? weft.mcp.apis.create({ workspaceId, ...given }) : weft.mcp.apis.update({ workspaceId, id, ...given }),
    onSuccess: () => renew(workspaceId),
    meta: { shown: true },
  });

/** Syncs the tools of a source again. */
export const useSyncSource = (workspaceId: string, kind: SourceKind) =>
  useMutation({
    mutationFn: async (id: string): Promise<{ status: string; toolsSynced: number }> => {
      if (kind === "server") return weft.mcp.sync({ workspaceId, id });
      const { status, operationsSynced } = await weft.mcp.apis.sync({ workspaceId, id });
      return { status, toolsSynced: operationsSynced };
    },
    onSettled: () => renew(workspaceId),
  });

export const useOpenToAgents = (workspaceId: string, kind: SourceKind) =>
  useMutation({
    mutationFn: async ({ id, agents }: { id: string; agents: boolean }): Promise<unknown> =>
      kind === "api" ? weft.mcp.apis.update({ workspaceId, id, agents }) : weft.mcp.update({ workspaceId, id, agents }),
    onSettled: () => renew(workspaceId),
  });

export const useRemoveSource = (workspaceId: string, kind: SourceKind) =>
  useMutation({
    mutationFn: async (id: string): Promise<unknown> =>
      kind === "api" ? weft.mcp.apis.remove({ workspaceId, id }) : weft.mcp.remove({ workspaceId, id }),
    onSettled: (_done, _error, id) => renewWithout(keyOf(workspaceId), id),
    meta: { shown: true },
  });

export const useCallTool = (workspaceId: string) =>
  useMutation({
    mutationFn: async (given: {
      toolId: string;
      arguments: Record<string, unknown>;
    }): Promise<{ result: ToolResult; tookMs: number }> => {
      const began = performance.now();
      const call = { workspaceId, ...given } as Parameters<typeof weft.mcp.tools.call>[0];
      const result = await weft.mcp.tools.call(call);
      return { result, tookMs: performance.now() - began };
    },
    meta: { shown: true },
  });
