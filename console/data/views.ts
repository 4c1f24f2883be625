import { queryOptions, useMutation } from "@tanstack/react-query";
import type { SavedView } from "../../sdk/definition.ts";
import { weft } from "./client.ts";
import { queryClient } from "./query-client.ts";

export type { SavedView } from "../../sdk/definition.ts";

const MAX = 200;
const keyOf = (workspaceId: string) => ["w", workspaceId, "views"] as const;

/** The saved views of a page: the caller's own, and those shared in the workspace. */
export const viewsQuery = (workspaceId: string, page: string) =>
  queryOptions({
    queryKey: [...keyOf(workspaceId), page],
    queryFn: async ({ signal }): Promise<SavedView[]> =>
      (await weft.workspaces.views.list({ workspaceId, page, limit: MAX }, { signal })).items,
    staleTime: 60_000,
  });

const renew = (workspaceId: string) => queryClient.invalidateQueries({ queryKey: keyOf(workspaceId) });

export const useSaveView = (workspaceId: string) =>
  useMutation({
    mutationFn: (view: Pick<SavedView, "name" | "page" | "query" | "shared">): Promise<SavedView> =>
      weft.workspaces.views.create({ workspaceId, ...view }),
    meta: { shown: true },
    onSettled: () => renew(workspaceId),
  });

/** Renames or shares a view, or replaces its filters. */
export const useUpdateView = (workspaceId: string, meta: { shown?: boolean } = {}) =>
  useMutation({
    mutationFn: (view: Pick<SavedView, "id"> & Partial<Pick<SavedView, "name" | "query" | "shared">>): Promise<SavedView> =>
      weft.workspaces.views.update({ workspaceId, ...view }),
    meta,
    onSettled: () => renew(workspaceId),
  });

export const useDeleteView = (workspaceId: string) =>
  useMutation({
    mutationFn: ({ id }: SavedView): Promise<unknown> => weft.workspaces.views.remove({ workspaceId, id }),
    onSettled: () => renew(workspaceId),
  });
