import { queryOptions, useMutation } from "@tanstack/react-query";
import type { Pod, Space } from "../../sdk/definition.ts";
import { weft } from "./client.ts";
import { queryClient } from "./query-client.ts";

export type { Pod, Space } from "../../sdk/definition.ts";

const MAX = 200;
const keyOf = (workspaceId: string) => ["w", workspaceId, "spaces"] as const;

export const spacesQuery = (workspaceId: string) =>
  queryOptions({
    queryKey: keyOf(workspaceId),
    queryFn: async ({ signal }): Promise<Space[]> =>
      (await weft.pods.spaces.list({ workspaceId, limit: MAX }, { signal })).items,
    staleTime: 60_000,
  });

export const podsQuery = (workspaceId: string) =>
  queryOptions({
    queryKey: [...keyOf(workspaceId), "pods"],
    queryFn: async ({ signal }): Promise<Pod[]> => (await weft.pods.list({ workspaceId, limit: MAX }, { signal })).items,
    staleTime: 60_000,
  });

/** A pod with its spaces, oldest first. Without a pod: the spaces of the workspace itself. */
export interface Branch {
  pod?: Pod;
  spaces: Space[];
}

const byAge = <T extends { id: string }>(all: readonly T[]): T[] => all.toSorted((a, b) => (a.id < b.id ? -1 : 1));

/**
 * Builds the tree of pods and spaces. The default space of a branch has the id of its pod or workspace, and comes
 * first.
 */
export function treeOf(pods: readonly Pod[], spaces: readonly Space[]): Branch[] {
  const within = (podId: string | undefined) =>
    byAge(spaces.filter(space => space.podId === podId)).toSorted((a, b) => Number(b.default) - Number(a.default));
  return [{ spaces: within(undefined) }, ...byAge(pods).map(pod => ({ pod, spaces: within(pod.id) }))];
}

/** The name of a space. It includes the name of the pod if the two differ. */
export const spaceLabel = (space: Space, pods: readonly Pod[]): string => {
  const pod = pods.find(({ id }) => id === space.podId);
  return pod && pod.name !== space.name ? `${pod.name} / ${space.name}` : space.name;
};

const renew = (workspaceId: string) => () => queryClient.invalidateQueries({ queryKey: keyOf(workspaceId) });

/** What a dialog creates or renames: a pod, or a space in a pod or in the workspace itself. */
export type Named =
  { kind: "pod"; id?: string | undefined } | { kind: "space"; id?: string | undefined; podId?: string | undefined };

/** Creates or renames a pod or a space. */
export const useName = (workspaceId: string) =>
  useMutation({
    mutationFn: ({ what, name }: { what: Named; name: string }): Promise<Pod | Space> => {
      if (what.kind === "pod") {
        return what.id === undefined
          ? weft.pods.create({ workspaceId, name })
          : weft.pods.update({ workspaceId, podId: what.id, name });
      }
      if (what.id !== undefined) return weft.pods.spaces.update({ workspaceId, spaceId: what.id, name });
      return weft.pods.spaces.create({ workspaceId, name, ...(what.podId !== undefined && { podId: what.podId }) });
    },
    onSuccess: renew(workspaceId),
    meta: { shown: true },
  });

/** Deletes a pod or a space with everything in it. */
export const useRemove = (workspaceId: string) =>
  useMutation({
    mutationFn: ({ kind, id }: { kind: "pod" | "space"; id: string }): Promise<unknown> =>
      kind === "pod"
        ? weft.pods.remove({ workspaceId, podId: id })
        : weft.pods.spaces.remove({ workspaceId, spaceId: id }),
    // Lists of the whole workspace contained its content too.
    onSettled: () => queryClient.invalidateQueries({ queryKey: ["w", workspaceId] }),
    meta: { shown: true },
  });
