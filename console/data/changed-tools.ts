import { queryOptions } from "@tanstack/react-query";
import { WeftError } from "../../sdk/errors.ts";
import { weft } from "./client.ts";
import { queryClient } from "./query-client.ts";
import { apisQuery, keyOf, type McpTool, serversQuery, type ToolChange } from "./tools.ts";

const PAGE = 50;
/** The most tools of one workflow that are checked. */
const MAX_LOOKED = 50;
/** The most sources that are asked for the names of removed tools. */
const MAX_SOURCES = 20;

/** How a tool differs from its state at the last deployment. */
export interface ChangedTool extends Pick<ToolChange, "toolId" | "kind" | "fields"> {
  /** Undefined if the server of the tool was removed too. */
  name: string | undefined;
}

interface Source {
  id: string;
  isApi: boolean;
}

const changesOf = (workspaceId: string, { id, isApi }: Source, signal: AbortSignal) =>
  (isApi ? weft.mcp.apis.changes : weft.mcp.changes)({ workspaceId, id, limit: PAGE }, { signal });

/** Returns a tool, or null if it was removed. */
async function toolOrNull(workspaceId: string, toolId: string, signal: AbortSignal): Promise<McpTool | null> {
  try {
    return await weft.mcp.tools.get({ workspaceId, toolId }, { signal });
  } catch (error) {
    if (error instanceof WeftError && error.status === 404) return null;
    throw error;
  }
}

/** The names of removed tools, where their source still exists and knows them. */
async function namesOfGone(
  workspaceId: string,
  ids: readonly string[],
  signal: AbortSignal,
): Promise<ReadonlyMap<string, string>> {
  if (ids.length === 0) return new Map();
  const [servers, apis] = await Promise.all([
    queryClient.ensureQueryData(serversQuery(workspaceId)),
    queryClient.ensureQueryData(apisQuery(workspaceId)),
  ]);
  const sources = [
    ...servers.map(({ id }) => ({ id, isApi: false })),
    ...apis.map(({ id }) => ({ id, isApi: true })),
  ].slice(0, MAX_SOURCES);
  const pages = await Promise.all(sources.map(source => changesOf(workspaceId, source, signal)));
  const found = pages.flatMap(({ items }) => items).filter(({ toolId }) => ids.includes(toolId));
  return new Map(found.map(({ toolId, name }) => [toolId, name]));
}

/**
 * The changes of these tools since the workflow was last deployed: removed tools, and the newest change of each other
 * tool.
 */
export const changedToolsQuery = (
  at: { workspaceId: string; spaceId: string; id: string },
  toolIds: readonly string[],
) =>
  queryOptions({
    queryKey: [...keyOf(at.workspaceId), "changed-since", at.id, toolIds],
    queryFn: async ({ signal }): Promise<ChangedTool[]> => {
      const { workspaceId } = at;
      const [last] = (await weft.workflows.deployments({ ...at, limit: 1 }, { signal })).items;
      const looked = toolIds.slice(0, MAX_LOOKED);
      const tools = await Promise.all(looked.map(id => toolOrNull(workspaceId, id, signal)));
      const gone = looked.filter((_id, n) => tools[n] === null);
      const names = await namesOfGone(workspaceId, gone, signal);
      const sources = new Map(tools.flatMap(tool => (tool ? [[tool.mcpServerId, tool.operation !== undefined]] : [])));
      const pages = await Promise.all([...sources].map(([id, isApi]) => changesOf(workspaceId, { id, isApi }, signal)));
      const since = pages
        .flatMap(({ items }) => items)
        .filter(({ toolId, kind, at: when }) => toolIds.includes(toolId) && kind === "changed" && last && when > last.deployedAt);
      return [
        ...gone.map(toolId => ({ toolId, kind: "removed" as const, fields: [], name: names.get(toolId) })),
        // The newest change comes first. The map keeps one change for each tool.
        ...new Map(since.toReversed().map(change => [change.toolId, change])).values(),
      ];
    },
    enabled: toolIds.length > 0,
  });
