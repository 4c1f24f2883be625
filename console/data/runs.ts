import { infiniteQueryOptions, keepPreviousData, queryOptions, useMutation } from "@tanstack/react-query";
import type { ExecutionStats, ExecutionSummary } from "../../sdk/definition.ts";
import { WeftError } from "../../sdk/errors.ts";
import { weft } from "./client.ts";
import { lookEvery } from "./live.ts";
import { queryClient } from "./query-client.ts";

export type Run = ExecutionSummary;
export type RunStatus = Run["status"];
export type TriggerType = Run["trigger"]["type"];

export const RUN_STATUSES = ["running", "suspended", "pending", "failed", "completed", "cancelled"] as const;
export const TRIGGERS = ["manual", "schedule", "webhook", "subworkflow", "retry"] as const;

/** What the list of runs is filtered by, as its address has it. */
export interface RunFilters {
  status?: RunStatus[] | undefined;
  workflow?: string | undefined;
  trigger?: TriggerType | undefined;
  by?: string | undefined;
  error?: string | undefined;
  q?: string | undefined;
  key?: string | undefined;
  /** A label as `name=value`. */
  label?: string | undefined;
  space?: string | undefined;
  /** Runs that took longer, or have been running for longer, in ms. */
  longer?: number | undefined;
  /** The run whose step started them. */
  parent?: string | undefined;
  /** A day, UTC: `2026-11-22`. */
  day?: string | undefined;
}

const PAGE = 50;
const DAY_MS = 86_400_000;

export const runsKey = (workspaceId: string) => ["w", workspaceId, "runs"] as const;

export const isLabel = (text: string): boolean => text.indexOf("=") > 0;

/** A label as the service takes it; nothing where the text is not a label. */
function labelOf(text: string | undefined): { label?: Record<string, string> } {
  if (text === undefined || !isLabel(text)) return {};
  const at = text.indexOf("=");
  return { label: { [text.slice(0, at)]: text.slice(at + 1) } };
}

function inputOf({ status, workflow, trigger, by, error, q, key, label, day, space, longer, parent }: RunFilters) {
  const range = day === undefined ? undefined : Date.parse(`${day}T00:00:00Z`);
  return {
    ...(status && { status }),
    ...(workflow !== undefined && { workflowId: workflow }),
    ...(trigger !== undefined && { trigger }),
    ...(by !== undefined && { startedBy: by }),
    ...(error !== undefined && { error }),
    ...(q !== undefined && { q }),
    ...(key !== undefined && { key }),
    ...(space !== undefined && { spaceId: space }),
    ...(longer !== undefined && { minMs: longer }),
    ...(parent !== undefined && { parentId: parent }),
    ...labelOf(label),
    ...(range !== undefined &&
      Number.isFinite(range) && { from: new Date(range).toISOString(), to: new Date(range + DAY_MS).toISOString() }),
  };
}

export interface RunPage {
  items: Run[];
  next: string | null;
}

/** Some filters have no index, so that the service may answer with a short page and a next one all the same. */
const MIN_ROWS = 20;
const MAX_PAGES = 5;

async function filledPage(workspaceId: string, filters: RunFilters, from: string | null, signal: AbortSignal) {
  const items: Run[] = [];
  let next = from;
  for (let pages = 0; pages < MAX_PAGES; pages++) {
    const cursor = next === null ? {} : { cursor: next };
    const page = await weft.executions.listAll({ workspaceId, limit: PAGE, ...inputOf(filters), ...cursor }, { signal });
    items.push(...page.items);
    next = page.next;
    if (next === null || items.length >= MIN_ROWS) break;
  }
  return { items, next } satisfies RunPage;
}

export const runsQuery = (workspaceId: string, filters: RunFilters) =>
  infiniteQueryOptions({
    queryKey: [...runsKey(workspaceId), "list", filters],
    queryFn: ({ signal, pageParam }) => filledPage(workspaceId, filters, pageParam, signal),
    initialPageParam: null as string | null,
    getNextPageParam: page => page.next,
    placeholderData: keepPreviousData,
    // New runs wait behind a button, so the list itself is renewed by hand or by an act.
    staleTime: Infinity,
    refetchOnWindowFocus: false,
  });

/** How often lists look for what is new while no stream tells them. */
const LOOK_MS = 15_000;

/** The newest runs under the same filters, to find out what is new and what has changed. */
export const newestRunsQuery = (workspaceId: string, filters: RunFilters, limit = PAGE) =>
  queryOptions({
    queryKey: [...runsKey(workspaceId), "newest", filters, limit],
    queryFn: async ({ signal }): Promise<Run[]> =>
      (await weft.executions.listAll({ workspaceId, limit, ...inputOf(filters) }, { signal })).items,
    refetchInterval: lookEvery(LOOK_MS),
    placeholderData: keepPreviousData,
  });

/** Runs that failed within a day. */
export const failedRunsQuery = (workspaceId: string, limit: number) =>
  queryOptions({
    queryKey: [...runsKey(workspaceId), "failed", limit],
    queryFn: async ({ signal }): Promise<Run[]> => {
      const from = new Date(Date.now() - DAY_MS).toISOString();
      return (await weft.executions.listAll({ workspaceId, limit, status: "failed", from }, { signal })).items;
    },
    refetchInterval: lookEvery(3 * LOOK_MS),
  });

export const statsQuery = (workspaceId: string, days = 30) =>
  queryOptions({
    queryKey: [...runsKey(workspaceId), "stats", days],
    queryFn: ({ signal }): Promise<ExecutionStats> => {
      const from = new Date(Date.now() - (days - 1) * DAY_MS).toISOString();
      return weft.executions.statsAll({ workspaceId, from }, { signal });
    },
    staleTime: 30_000,
    refetchInterval: lookEvery(60_000),
  });

/** Finds a run by its id in any space of the workspace; undefined if no run has this id. */
export async function findRun(workspaceId: string, id: string): Promise<Pick<Run, "spaceId" | "id"> | undefined> {
  try {
    return await weft.executions.find({ workspaceId, id });
  } catch (error) {
    if (error instanceof WeftError && error.status === 404) return undefined;
    throw error;
  }
}

/** How often a bulk job is read again. */
const JOB_POLL_MS = 500;

const pause = (ms: number) => new Promise<void>(resolve => setTimeout(resolve, ms));

export interface Progress {
  done: number;
  failed: number;
  total: number;
}

/** Where a retry begins, and which version it takes. */
export type BulkRetry = { fromStart?: boolean; version?: "latest" };

export type BulkAction = "cancel" | "retry" | "delete";

interface Acting {
  runs: readonly Run[];
  options?: BulkRetry;
  onProgress: (progress: Progress) => void;
}

/** Acts on many runs by a bulk job in each of their spaces. The jobs go on if the page is left. */
async function inBulk(
  workspaceId: string,
  action: BulkAction,
  { runs, options, onProgress }: Acting,
): Promise<Progress> {
  const bySpace = Map.groupBy(runs, ({ spaceId }) => spaceId);
  const jobs = await Promise.all(
    [...bySpace].map(([spaceId, some]) => {
      return weft.executions.bulk.start({ workspaceId, spaceId, action, ids: some.map(({ id }) => id), ...(options && { options }) });
    }),
  );
  for (;;) {
    const count = (what: "done" | "failed") => jobs.reduce((sum, job) => sum + job[what], 0);
    const progress = { done: count("done"), failed: count("failed"), total: runs.length };
    onProgress(progress);
    if (jobs.every(({ status }) => status !== "running")) return progress;
    await pause(JOB_POLL_MS);
    for (const [index, { id, spaceId, status }] of jobs.entries())
      if (status === "running") jobs[index] = await weft.executions.bulk.get({ workspaceId, spaceId, id });
  }
}

const renew = (workspaceId: string) => queryClient.invalidateQueries({ queryKey: runsKey(workspaceId) });

/** Does one action to many runs. Deleting takes the role admin and finished runs. */
export const useActOnRuns = (workspaceId: string, action: BulkAction) =>
  useMutation({
    mutationFn: (acting: Acting) => inBulk(workspaceId, action, acting),
    onSettled: () => renew(workspaceId),
  });
