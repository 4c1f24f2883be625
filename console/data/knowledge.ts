import { infiniteQueryOptions, keepPreviousData, queryOptions, useMutation } from "@tanstack/react-query";
import type { KnowledgeBase, KnowledgeBaseSummary, KnowledgeEntry, KnowledgeMatch } from "../../sdk/definition.ts";
import { weft } from "./client.ts";
import { queryClient, renewWithout } from "./query-client.ts";

export type { KnowledgeBase, KnowledgeBaseSummary, KnowledgeEntry, KnowledgeMatch } from "../../sdk/definition.ts";
export type KnowledgeImport = Awaited<ReturnType<typeof weft.knowledge.imports.get>>;

const MAX = 200;
const PAGE = 50;
const FOUND = 50;
/** How often a running import is read. */
const WATCH_MS = 1_500;

const basesKey = (workspaceId: string) => ["w", workspaceId, "knowledge"] as const;
const baseKey = (workspaceId: string, id: string) => [...basesKey(workspaceId), id] as const;

const ENTRY = "entry";

/**
 * Refreshes the queries that show a base, including the list of bases. It leaves out entries: they never change, and an
 * open one may have been removed.
 */
export const renewBase = (workspaceId: string): Promise<void> =>
  queryClient.invalidateQueries({
    queryKey: basesKey(workspaceId),
    predicate: ({ queryKey }) => !queryKey.includes(ENTRY),
  });

export const knowledgeBasesQuery = (workspaceId: string) =>
  queryOptions({
    queryKey: [...basesKey(workspaceId), "all"],
    queryFn: async ({ signal }): Promise<KnowledgeBaseSummary[]> =>
      (await weft.knowledge.list({ workspaceId, limit: MAX }, { signal })).items,
  });

export const knowledgeBaseQuery = (workspaceId: string, id: string) =>
  queryOptions({
    queryKey: baseKey(workspaceId, id),
    queryFn: ({ signal }): Promise<KnowledgeBase> => weft.knowledge.get({ workspaceId, id }, { signal }),
  });

export const entriesQuery = (workspaceId: string, id: string) =>
  infiniteQueryOptions({
    queryKey: [...baseKey(workspaceId, id), "entries"],
    queryFn: ({ signal, pageParam }) => {
      const cursor = pageParam === null ? {} : { cursor: pageParam };
      return Promise.resolve(weft.knowledge.entries.list({ workspaceId, id, limit: PAGE, ...cursor }, { signal }));
    },
    initialPageParam: null as string | null,
    getNextPageParam: page => page.next,
  });

/** The entries that contain these words, best match first. */
export const entriesWithQuery = (workspaceId: string, id: string, query: string) =>
  queryOptions({
    queryKey: [...baseKey(workspaceId, id), "with", query],
    queryFn: async ({ signal }): Promise<KnowledgeMatch[]> =>
      weft.knowledge.searchByKeywords({ workspaceId, id, query, limit: FOUND }, { signal }),
    enabled: query !== "",
    placeholderData: keepPreviousData,
  });

export const entryQuery = (workspaceId: string, id: string, entryId: string) =>
  queryOptions({
    queryKey: [...baseKey(workspaceId, id), ENTRY, entryId],
    queryFn: ({ signal }): Promise<KnowledgeEntry> =>
      weft.knowledge.entries.get({ workspaceId, id, entryId }, { signal }),
  });

const isUnderWay = ({ status }: KnowledgeImport) => status === "pending" || status === "running";

export const importsQuery = (workspaceId: string, id: string) =>
  queryOptions({
    queryKey: [...baseKey(workspaceId, id), "imports"],
    queryFn: async ({ signal }): Promise<KnowledgeImport[]> =>
      (await weft.knowledge.imports.list({ workspaceId, id, limit: MAX }, { signal })).items,
    refetchInterval: ({ state }) => (state.data?.some(isUnderWay) ? WATCH_MS : false),
  });

/** Cancels an import, or restarts a failed or cancelled one. */
export const useImportAct = (workspaceId: string, id: string) =>
  useMutation({
    mutationFn: async ({ act, importId }: { act: "cancel" | "retry"; importId: string }): Promise<KnowledgeImport> => {
      const at = { workspaceId, id, importId };
      return act === "cancel" ? weft.knowledge.imports.cancel(at) : weft.knowledge.imports.retry(at);
    },
    onSettled: () => renewBase(workspaceId),
  });

export interface Asked {
  query: string;
  mode: "hybrid" | "keywords";
  limit: number;
  filter: Record<string, unknown> | undefined;
}

/**
 * Searches a base as a step would. `degraded` means that only words were compared, although the search asked for
 * meaning too.
 */
export const playQuery = (workspaceId: string, id: string, asked: Asked | undefined) =>
  queryOptions({
    queryKey: [...baseKey(workspaceId, id), "play", asked],
    queryFn: async ({ signal }): Promise<{ matches: KnowledgeMatch[]; degraded: boolean }> => {
      const { query, mode, limit, filter } = asked!;
      const search = mode === "hybrid" ? weft.knowledge.search : weft.knowledge.searchByKeywords;
      const given = { workspaceId, id, query, limit, ...(filter && { filter }) } as Parameters<typeof search>[0];
      const { data, degraded } = await search(given, { signal }).withResponse();
      return { matches: data, degraded };
    },
    enabled: asked !== undefined,
    placeholderData: keepPreviousData,
    staleTime: 0,
  });

/** Creates a base, or changes the one with this id. */
export const useSaveBase = (workspaceId: string, id: string | undefined) =>
  useMutation({
    mutationFn: async (given: { name: string; description: string }): Promise<KnowledgeBase> =>
      id === undefined
        ? weft.knowledge.create({ workspaceId, ...given })
        : weft.knowledge.update({ workspaceId, id, ...given }),
    onSuccess: () => renewBase(workspaceId),
    meta: { shown: true },
  });

export const useRemoveBase = (workspaceId: string) =>
  useMutation({
    mutationFn: async (id: string): Promise<unknown> => weft.knowledge.remove({ workspaceId, id }),
    onSettled: (_done, _error, id) => renewWithout(basesKey(workspaceId), id),
    meta: { shown: true },
  });

export interface EntryGiven {
  content: string;
  metadata: Record<string, unknown>;
}

/**
 * Adds an entry, or replaces `former`, because entries never change. The new entry is stored before the old one is
 * removed, so nothing is lost if the removal fails. Then the result says `isDouble`.
 */
export const useSaveEntry = (workspaceId: string, id: string, former: string | undefined) =>
  useMutation({
    mutationFn: async (given: EntryGiven): Promise<{ entry: KnowledgeEntry; isDouble: boolean }> => {
      const made = { workspaceId, id, ...given } as Parameters<typeof weft.knowledge.entries.create>[0];
      const entry = await weft.knowledge.entries.create(made);
      if (former === undefined) return { entry, isDouble: false };
      const removed = weft.knowledge.entries.remove({ workspaceId, id, entryId: former });
      return { entry, isDouble: await removed.then(() => false).catch(() => true) };
    },
    onSuccess: () => renewBase(workspaceId),
    meta: { shown: true },
  });

export const useRemoveEntry = (workspaceId: string, id: string) =>
  useMutation({
    mutationFn: async (entryId: string): Promise<unknown> =>
      weft.knowledge.entries.remove({ workspaceId, id, entryId }),
    onSettled: () => renewBase(workspaceId),
    meta: { shown: true },
  });
