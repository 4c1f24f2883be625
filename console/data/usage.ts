import { queryOptions } from "@tanstack/react-query";
import type { Usage } from "../../sdk/definition.ts";
import { weft } from "./client.ts";

export type Quota = Usage["quotas"][number];
export type UsageDay = Usage["days"][number];

/** What the workspace has used, and what it may use. */
export const usageQuery = (workspaceId: string) =>
  queryOptions({
    queryKey: ["w", workspaceId, "usage"],
    queryFn: ({ signal }): Promise<Usage> => weft.workspaces.usage({ workspaceId }, { signal }),
    refetchInterval: 30_000,
  });
