import { infiniteQueryOptions, keepPreviousData, queryOptions } from "@tanstack/react-query";
import type { ExecutionStats, ExecutionSummary } from "../../sdk/definition.ts";
import { WeftError } from "../../sdk/errors.ts";
import { weft } from "./client.ts";
import { pollEvery } from "./live.ts";
import { faultUnder } from "./problem.ts";

export type Run = ExecutionSummary;
export type RunStatus = Run["status"];
type TriggerType = Run["trigger"]["type"];

export const RUN_STATUSES = ["running", "suspended", "pending", "failed", "completed", "cancelled"] as const;
/** What starts runs. The service counts a start by an API key as manual. */
export const STARTS = ["manual", "key", "schedule", "webhook", "subworkflow", "retry"] as const;
export type Start = (typeof STARTS)[number];

/** The start of a run. */
export const startOf = ({ trigger, startedByKey }: Pick<Run, "trigger" | "startedByKey">): Start =>
  trigger.type === "manual" && startedByKey ? "key" : trigger.type;

/** The runs with a start, in the form that the service takes. */
const ofStart = (start: Start): { trigger: TriggerType; byKey?: boolean } =>
  start === "manual" || start === "key" ? { trigger: "manual", byKey: start === "key" } : { trigger: start };

/**
 * The orders of the list besides the default, newest first, with the service's names for them. They list only runs that
 * have ended.
 */
export const RUN_SORTS = { ended: "-finishedAt", longest: "-durationMs" } as const;
export type RunSort = keyof typeof RUN_SORTS;
export const RUN_SORT_NAMES = Object.keys(RUN_SORTS) as RunSort[];

/** The filters and the order of the list of runs, as they appear in the address. */
export interface RunFilters {
  sort?: RunSort | undefined;
  status?: RunStatus[] | undefined;
  workflow?: string | undefined;
  trigger?: Start | undefined;
  by?: string | undefined;
  error?: string | undefined;
  q?: string | undefined;
  key?: string | undefined;
  /** A label in the form `name=value`. */
  label?: string | undefined;
  space?: string | undefined;
  /** Runs that took longer, or have been running for longer, in ms. */
  longer?: number | undefined;
  /** The run whose step started the listed runs. */
  parent?: string | undefined;
  /** A day in UTC, such as `2026-11-22`. */
  day?: string | undefined;
  /** The first and the last day of a period, in UTC. Either may be missing. `day` overrides both. */
  since?: string | undefined;
  until?: string | undefined;
}

/** The service's name of each filter that it may refuse. */
const FIELDS: readonly (readonly [filter: keyof RunFilters, field: string])[] = [
  ["workflow", "workflowId"],
  ["trigger", "trigger"],
  ["by", "startedBy"],
  ["error", "error"],
  ["q", "q"],
  ["key", "key"],
  ["label", "label"],
  ["space", "spaceId"],
  ["longer", "minMs"],
  ["parent", "parentId"],
];

/** The filters that the service refused, each with its message. */
export function refusedIn(error: unknown, filters: RunFilters): Map<keyof RunFilters, string> {
  return new Map(
    FIELDS.flatMap(([filter, field]) => {
      const fault = filters[filter] === undefined ? undefined : faultUnder(error, `/${field}`);
      return fault === undefined ? [] : [[filter, fault]];
    }),
  );
}

const PAGE = 50;
const DAY_MS = 86_400_000;

export const runsKey = (workspaceId: string) => ["w", workspaceId, "runs"] as const;

export const isLabel = (text: string): boolean => text.indexOf("=") > 0;

/** A label in the form that the service takes. Empty if the text is not a label. */
function labelOf(text: string | undefined): { label?: Record<string, string> } {
  if (text === undefined || !isLabel(text)) return {};
  const at = text.indexOf("=");
  return { label: { [text.slice(0, at)]: text.slice(at + 1) } };
}

/** A day or a period in the form that the service takes. */
function timeOf({ day, since = day, until = day }: RunFilters): { from?: string; to?: string } {
  const [first, last] = [since, until].map(one => Date.parse(`${day ?? one}T00:00:00Z`)) as [number, number];
  return {
    ...(Number.isFinite(first) && { from: new Date(first).toISOString() }),
    ...(Number.isFinite(last) && { to: new Date(last + DAY_MS).toISOString() }),
  };
}

function inputOf(filters: RunFilters) {
  const { sort, status, workflow, trigger, by, error, q, key, label, space, longer, parent } = filters;
  return {
    ...(sort && { sort: RUN_SORTS[sort] }),
    ...(status && { status }),
    ...(workflow !== undefined && { workflowId: workflow }),
    ...(trigger !== undefined && ofStart(trigger)),
    ...(by !== undefined && { startedBy: by }),
    ...(error !== undefined && { error }),
    ...(q !== undefined && { q }),
    ...(key !== undefined && { key }),
    ...(space !== undefined && { spaceId: space }),
    ...(longer !== undefined && { minMs: longer }),
    ...(parent !== undefined && { parentId: parent }),
    ...labelOf(label),
    ...timeOf(filters),
  };
}

export interface RunPage {
  items: Run[];
  next: string | null;
}

/** For filters without an index, the service may answer with a short page although more pages follow. */
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
    // New runs wait behind a button, so only the user's actions refresh the list.
    staleTime: Infinity,
    refetchOnWindowFocus: false,
  });

/** How often lists look for new runs while there is no stream. */
const LOOK_MS = 15_000;

/** The newest runs under the same filters. They tell what is new and what has changed. */
export const newestRunsQuery = (workspaceId: string, filters: RunFilters, limit = PAGE) =>
  queryOptions({
    queryKey: [...runsKey(workspaceId), "newest", filters, limit],
    queryFn: async ({ signal }): Promise<Run[]> =>
      (await weft.executions.listAll({ workspaceId, limit, ...inputOf(filters) }, { signal })).items,
    refetchInterval: pollEvery(LOOK_MS),
    placeholderData: keepPreviousData,
  });

/** The runs that failed in the last 24 hours. */
export const failedRunsQuery = (workspaceId: string, limit: number) =>
  queryOptions({
    queryKey: [...runsKey(workspaceId), "failed", limit],
    queryFn: async ({ signal }): Promise<Run[]> => {
      const from = new Date(Date.now() - DAY_MS).toISOString();
      return (await weft.executions.listAll({ workspaceId, limit, status: "failed", from }, { signal })).items;
    },
    refetchInterval: pollEvery(3 * LOOK_MS),
  });

/** The filters of the list that statistics can follow. */
export type StatsOf = Pick<RunFilters, "workflow" | "space">;

export const statsQuery = (workspaceId: string, { workflow, space }: StatsOf = {}, days = 30) =>
  queryOptions({
    queryKey: [...runsKey(workspaceId), "stats", days, workflow, space],
    queryFn: ({ signal }): Promise<ExecutionStats> => {
      const from = new Date(Date.now() - (days - 1) * DAY_MS).toISOString();
      const asked = { workspaceId, from, ...(workflow !== undefined && { workflowId: workflow }) };
      return space === undefined
        ? weft.executions.statsAll(asked, { signal })
        : weft.executions.stats({ ...asked, spaceId: space }, { signal });
    },
    staleTime: 30_000,
    refetchInterval: pollEvery(60_000),
  });

/** Finds a run by its id in any space of the workspace. Returns undefined if no run has this id. */
export async function findRun(workspaceId: string, id: string): Promise<Pick<Run, "spaceId" | "id" | "attempt" | "status"> | undefined> {
  try {
    return await weft.executions.find({ workspaceId, id });
  } catch (error) {
    if (error instanceof WeftError && error.status === 404) return undefined;
    throw error;
  }
}
