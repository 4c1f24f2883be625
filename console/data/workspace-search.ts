import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import type { FoundInWorkspace } from "../../sdk/definition.ts";
import { weft } from "./client.ts";

/** The search waits until the user has not typed for this long. */
const PAUSE_MS = 150;
const MAX = 30;

/** What matches these words in the workspace. While the user types, only the newest words are sent to the service. */
export const searchQuery = (workspaceId: string, q: string) =>
  queryOptions({
    queryKey: ["w", workspaceId, "search", q],
    queryFn: async ({ signal }): Promise<FoundInWorkspace> => {
      await new Promise(resolve => setTimeout(resolve, PAUSE_MS));
      signal.throwIfAborted();
      return weft.workspaces.search({ workspaceId, q, limit: MAX }, { signal });
    },
    enabled: workspaceId !== "" && q !== "",
    placeholderData: keepPreviousData,
    staleTime: 10_000,
  });
