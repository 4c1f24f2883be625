import { infiniteQueryOptions, keepPreviousData, queryOptions, useMutation } from "@tanstack/react-query";
import type {
  FoundMemory,
  Ingested,
  IngestPreview,
  Memory,
  MemoryEvent,
  MemorySubject,
} from "../../sdk/definition.ts";
import { weft } from "./client.ts";
import { queryClient, renewWithout } from "./query-client.ts";

export type { FoundMemory, Ingested, IngestPreview, Memory, MemoryEvent, MemorySubject } from "../../sdk/definition.ts";

const PAGE = 50;
const MAX = 200;
const FOUND = 50;
const LOOK_MS = 15_000;

/** Which memories are shown. */
export interface MemoryView {
  /** The user whom they are about. */
  userId: string;
  threadId: string | undefined;
  workflowId: string | undefined;
  scope: Memory["scope"] | undefined;
  factType: string | undefined;
  /** The time for which memories are shown, as an ISO time. Undefined for now. */
  asOf: string | undefined;
  superseded: boolean;
}

/** The scope of new memories, and their subject. */
export interface MemoryPlace {
  userId: string;
  scope?: Memory["scope"];
  threadId?: string;
  workflowId?: string;
}

const keyOf = (workspaceId: string) => ["w", workspaceId, "memory"] as const;
const renew = (workspaceId: string) => queryClient.invalidateQueries({ queryKey: keyOf(workspaceId) });

export const memoriesQuery = (workspaceId: string, view: MemoryView) =>
  infiniteQueryOptions({
    queryKey: [...keyOf(workspaceId), "list", view],
    queryFn: ({ signal, pageParam }) => {
      const { userId, threadId, workflowId, scope, factType, asOf, superseded } = view;
      const held = { ...(threadId && { threadId }), ...(workflowId && { workflowId }) };
      const chosen = { ...held, ...(scope && { scope }), ...(factType && { factType }), ...(asOf && { asOf }) };
      const at = { ...(superseded && !asOf && { superseded }), ...(pageParam !== null && { cursor: pageParam }) };
      return Promise.resolve(
        weft.memory.list({ workspaceId, userId, limit: PAGE, ...chosen, ...at }, { signal }),
      );
    },
    initialPageParam: null as string | null,
    getNextPageParam: page => page.next,
    placeholderData: keepPreviousData,
    // Runs store memories at any time, and no event reports it.
    refetchInterval: view.asOf === undefined ? LOOK_MS : false,
  });

/** The memories that match a question, best first. `degraded` means that only words were compared. */
export const foundMemoriesQuery = (
  workspaceId: string,
  { userId, threadId, workflowId, scope }: MemoryView,
  query: string,
) =>
  queryOptions({
    queryKey: [...keyOf(workspaceId), "found", userId, threadId, workflowId, scope, query],
    queryFn: async ({ signal }): Promise<{ memories: FoundMemory[]; degraded: boolean }> => {
      const held = { ...(scope && { scope }), ...(threadId && { threadId }), ...(workflowId && { workflowId }) };
      const given = { workspaceId, userId, query, limit: FOUND, ...held };
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

/** The history of a memory, oldest event first. */
export const memoryHistoryQuery = (workspaceId: string, id: string) =>
  queryOptions({
    queryKey: [...keyOf(workspaceId), "history", id],
    queryFn: async ({ signal }): Promise<MemoryEvent[]> => {
      const { items } = await weft.memory.history({ workspaceId, id, limit: MAX }, { signal });
      return items.toSorted((a, b) => Date.parse(a.at) - Date.parse(b.at));
    },
  });

/** The people who have memories. */
export const peopleQuery = (workspaceId: string) =>
  infiniteQueryOptions({
    queryKey: [...keyOf(workspaceId), "people"],
    queryFn: ({ signal, pageParam }) => {
      const at = pageParam !== null && { cursor: pageParam };
      return Promise.resolve(weft.memory.subjects({ workspaceId, by: "person", limit: PAGE, ...at }, { signal }));
    },
    initialPageParam: null as string | null,
    getNextPageParam: page => page.next,
    refetchInterval: LOOK_MS,
  });

/** The threads or workflows that hold memories about a person. */
export const heldSubjectsQuery = (workspaceId: string, userId: string, by: "thread" | "workflow") =>
  queryOptions({
    queryKey: [...keyOf(workspaceId), "held", userId, by],
    queryFn: async ({ signal }): Promise<MemorySubject[]> => {
      const { items } = await weft.memory.subjects({ workspaceId, by, userId, limit: MAX }, { signal });
      return items;
    },
  });

/** Shows what an ingest would change, without storing anything. */
export const useIngestPreview = (workspaceId: string) =>
  useMutation({
    mutationFn: async (given: { content: string } & MemoryPlace): Promise<IngestPreview> =>
      weft.memory.preview({ workspaceId, ...given }),
    meta: { shown: true },
  });

export const useIngest = (workspaceId: string) =>
  useMutation({
    mutationFn: async (given: { content: string } & MemoryPlace): Promise<Ingested> =>
      weft.memory.ingest({ workspaceId, ...given }),
    onSuccess: () => renew(workspaceId),
    meta: { shown: true },
  });

export const useRemember = (workspaceId: string) =>
  useMutation({
    mutationFn: async (given: { content: string; factType: string } & MemoryPlace): Promise<Memory> =>
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
    meta: { shown: true },
  });
