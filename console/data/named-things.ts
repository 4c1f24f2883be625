import { useQuery } from "@tanstack/react-query";
import { knowledgeBasesQuery } from "./knowledge.ts";
import { serversQuery } from "./tools.ts";
import { templatesQuery } from "./workflows.ts";

/** What people look for by its name, beside workflows. Lists that are there already are not asked for again. */
export function useNamedThings(workspaceId: string | undefined) {
  const given = { enabled: workspaceId !== undefined, staleTime: 60_000 };
  const id = workspaceId ?? "";
  const { data: bases = [] } = useQuery({ ...knowledgeBasesQuery(id), ...given });
  const { data: servers = [] } = useQuery({ ...serversQuery(id), ...given, refetchInterval: false });
  const { data: templates = [] } = useQuery({ ...templatesQuery, ...given });
  return { bases, servers, templates };
}
