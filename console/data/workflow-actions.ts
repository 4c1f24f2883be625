import { queryOptions, useMutation } from "@tanstack/react-query";
import type { Workflow } from "../../sdk/definition.ts";
import { weft } from "./client.ts";
import { queryClient } from "./query-client.ts";
import { MAX_LISTED, type WorkflowRow } from "./workflows.ts";

type Address = Pick<Workflow, "id" | "spaceId">;

/** The trash. Its key begins with that of the list of workflows, so both are refreshed together. */
export const trashQuery = (workspaceId: string) =>
  queryOptions({
    queryKey: ["w", workspaceId, "workflows", "trash"],
    queryFn: async ({ signal }): Promise<WorkflowRow[]> =>
      (await weft.workflows.listAll({ workspaceId, trashed: true, limit: MAX_LISTED }, { signal })).items,
  });

const renew = (workspaceId: string) => () => queryClient.invalidateQueries({ queryKey: ["w", workspaceId, "workflows"] });

export const useStar = (workspaceId: string) =>
  useMutation({
    mutationFn: ({ at: { id, spaceId }, starred }: { at: Address; starred: boolean }): Promise<unknown> =>
      weft.workflows.star({ workspaceId, spaceId, id, starred }),
    onSettled: renew(workspaceId),
  });

export const useTrash = (workspaceId: string) =>
  useMutation({
    mutationFn: ({ id, spaceId }: Address): Promise<unknown> => weft.workflows.trash({ workspaceId, spaceId, id }),
    onSettled: renew(workspaceId),
  });

export const useRestore = (workspaceId: string) =>
  useMutation({
    mutationFn: ({ id, spaceId }: Address): Promise<unknown> => weft.workflows.restore({ workspaceId, spaceId, id }),
    onSettled: renew(workspaceId),
  });

/** Deletes a workflow for good. */
export const useRemoveWorkflow = (workspaceId: string) =>
  useMutation({
    mutationFn: ({ id, spaceId }: Address): Promise<unknown> => weft.workflows.remove({ workspaceId, spaceId, id }),
    onSettled: renew(workspaceId),
    meta: { shown: true },
  });

/** Copies a workflow under a new name, into its own space or another one. */
export const useDuplicate = (workspaceId: string) =>
  useMutation({
    mutationFn: ({ at, name, spaceId }: { at: Address; name: string; spaceId: string }): Promise<Workflow> =>
      weft.workflows.duplicate({ workspaceId, fromSpaceId: at.spaceId, id: at.id, name, spaceId }),
    onSuccess: renew(workspaceId),
    meta: { shown: true },
  });

/** A workflow as a file: its name, description and newest definition. */
export const exportWorkflow = (workspaceId: string, { id, spaceId }: Address): Promise<unknown> =>
  weft.workflows.export({ workspaceId, spaceId, id });
