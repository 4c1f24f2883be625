import { infiniteQueryOptions, keepPreviousData, queryOptions, useMutation } from "@tanstack/react-query";
import type { FoundMemory, Ingested, Memory, MemoryEvent } from "../../sdk/definition.ts";
import { weft } from "./client.ts";
import { queryClient, renewWithout } from "./query-client.ts";

export type { FoundMemory, Ingested, Memory, MemoryEvent } from "../../sdk/definition.ts";

const PAGE = 50;
const MAX = 200;
const FOUND = 50;
const LOOK_MS = 15_000;

/** Which memories are shown. */
export interface MemoryView {
  /** The person whom they are about. */
  userId: string;
  scope: Memory["scope"] | undefined;
  factType: string | undefined;
  /** The moment as of which, an ISO time; undefined for now. */
  asOf: string | undefined;
  superseded: boolean;
}

const keyOf = (workspaceId: string) => ["w", workspaceId, "memory"] as const;
const renew = (workspaceId: string) => queryClient.invalidateQueries({ queryKey: keyOf(workspaceId) });

export const memoriesQuery = (workspaceId: string, view: MemoryView) =>
  infiniteQueryOptions({
    queryKey: [...keyOf(workspaceId), "list", view],
    queryFn: ({ signal, pageParam }) => {
      const { userId, scope, factType, asOf, superseded } = view;
      const chosen = { ...(scope && { scope }), ...(factType && { factType }), ...(asOf && { asOf }) };
      const at = { ...(superseded && !asOf && { superseded }), ...(pageParam !== null && { cursor: pageParam }) };
      return Promise.resolve(
        weft.memory.list({ workspaceId, userId, limit: PAGE, ...chosen, ...at }, { signal }),
      );
    },
    initialPageParam: null as string | null,
    getNextPageParam: page => page.next,
    placeholderData: keepPreviousData,
    // Runs remember at any time, and no event tells of it.
    refetchInterval: view.asOf === undefined ? LOOK_MS : false,
  });

/** The memories that fit a question, best first. `degraded`: by their words alone. */
export const foundMemoriesQuery = (workspaceId: string, { userId, scope }: MemoryView, query: string) =>
  queryOptions({
    queryKey: [...keyOf(workspaceId), "found", userId, scope, query],
    queryFn: async ({ signal }): Promise<{ memories: FoundMemory[]; degraded: boolean }> => {
      const given = { workspaceId, userId, query, limit: FOUND, ...(scope && { scope }) };
      const { data, degraded } = await weft.memory.search(given, { signal }).withResponse();
      return { memories: data, degraded };
    },
    enabled: query !== "",
    placeholderData: keepPreviousData,
  });

export const memoryQuery = (workspaceId: string, id: string) =>
  queryOptions({
    queryKey: [...keyOf(workspaceId), "one", id],
    queryFn: ({ signal }): Promise<Memory> => weft.memory.get({ workspaceId, id }, { signal }),
  });

/** What happened to a memory, oldest first. */
export const memoryHistoryQuery = (workspaceId: string, id: string) =>
  queryOptions({
    queryKey: [...keyOf(workspaceId), "history", id],
    queryFn: async ({ signal }): Promise<MemoryEvent[]> => {
      const { items } = await weft.memory.history({ workspaceId, id, limit: MAX }, { signal });
      return items.toSorted((a, b) => Date.parse(a.at) - Date.parse(b.at));
    },
  });

export const useIngest = (workspaceId: string) =>
  useMutation({
    mutationFn: async (given: { content: string; userId: string }): Promise<Ingested> =>
      weft.memory.ingest({ workspaceId, ...given }),
    onSuccess: () => renew(workspaceId),
    meta: { shown: true },
  });

export const useRemember = (workspaceId: string) =>
  useMutation({
    mutationFn: async (given: { content: string; factType: string; userId: string }): Promise<Memory> =>
      weft.memory.create({ workspaceId, ...given }),
    onSuccess: () => renew(workspaceId),
    meta: { shown: true },
  });

export const useRestoreMemory = (workspaceId: string) =>
  useMutation({
    mutationFn: async (id: string): Promise<Memory> => weft.memory.restore({ workspaceId, id }),
    onSettled: () => renew(workspaceId),
    meta: { shown: true },
  });

export const useRemoveMemory = (workspaceId: string) =>
  useMutation({
    mutationFn: async (id: string): Promise<unknown> => weft.memory.remove({ workspaceId, id }),
    onSettled: (_done, _error, id) => renewWithout(keyOf(workspaceId), id),
  });
