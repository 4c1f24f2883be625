import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import type { FoundInWorkspace } from "../../sdk/definition.ts";
import { weft } from "./client.ts";

/** A pause this long in typing is the end of a word. */
const PAUSE_MS = 150;
const MAX = 30;

/** What the workspace has under these words. While the user types, only the last words are sent to the service. */
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
