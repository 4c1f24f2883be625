import { queryOptions, useMutation } from "@tanstack/react-query";
import type { Variables } from "../../sdk/definition.ts";
import { weft } from "./client.ts";
import { queryClient } from "./query-client.ts";

export type { Variables } from "../../sdk/definition.ts";

const keyOf = (workspaceId: string) => ["w", workspaceId, "variables"] as const;

/** The variables of the workspace, or of one of its spaces. */
export const variablesQuery = (workspaceId: string, spaceId: string | undefined) =>
  queryOptions({
    queryKey: [...keyOf(workspaceId), spaceId ?? ""],
    queryFn: ({ signal }): Promise<Variables> =>
      spaceId === undefined
        ? weft.variables.get({ workspaceId }, { signal })
        : weft.variables.ofSpace.get({ workspaceId, spaceId }, { signal }),
  });

export interface VariablesChange {
  set?: Record<string, unknown>;
  remove?: string[];
}

/**
 * Sets or removes variables. A space inherits variables of the workspace that it does not set, so all lists are
 * refreshed.
 */
export const useChangeVariables = (workspaceId: string, spaceId: string | undefined) =>
  useMutation({
    mutationFn: async (change: VariablesChange): Promise<Variables> => {
      const given = change as Omit<Parameters<typeof weft.variables.update>[0], "workspaceId">;
      return spaceId === undefined
        ? weft.variables.update({ workspaceId, ...given })
        : weft.variables.ofSpace.update({ workspaceId, spaceId, ...given });
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: keyOf(workspaceId) }),
    meta: { shown: true },
  });
