import { infiniteQueryOptions, keepPreviousData, queryOptions } from "@tanstack/react-query";
import type { Execution, LogEntry, RetryPlan, WorkflowVersion } from "../../sdk/definition.ts";
import { weft } from "./client.ts";
import type { RetryChoice } from "./run-actions.ts";
import { queryClient } from "./query-client.ts";
import { runKey } from "./run-key.ts";
import type { Level, RunAddress, Step, StepPath, StepsPage } from "./run-types.ts";
import { readWorkspace } from "./workspaces.ts";

/** The most rows in one answer of the service. */
const PAGE = 200;
/** How often the position of a queued run is read. */
const QUEUE_LOOK_MS = 5_000;
/** For data of ended runs, which never changes. */
const FOREVER = { staleTime: Infinity };

export const runQuery = (at: RunAddress) =>
  queryOptions({
    queryKey: [...runKey(at), "run"],
    queryFn: ({ signal }): Promise<Execution> => weft.executions.get(at, { signal }),
    // The position in the queue changes with runs that this page does not follow.
    refetchInterval: ({ state }) => state.data?.status === "pending" && QUEUE_LOOK_MS,
  });

export const definitionQuery = (at: Omit<RunAddress, "id">, workflowId: string, version: number) =>
  queryOptions({
    queryKey: ["w", at.workspaceId, "workflow", workflowId, "version", version],
    queryFn: ({ signal }): Promise<WorkflowVersion> =>
      weft.workflows.version({ ...at, id: workflowId, version }, { signal }),
    ...FOREVER,
  });

async function readSteps(
  at: RunAddress,
  { under, pages, failedOnly }: { under: Level; pages: number; failedOnly: boolean },
  signal: AbortSignal,
): Promise<StepsPage> {
  const steps: Step[] = [];
  let cursor: string | null = null;
  for (let page = 0; page < pages; page++) {
    const filter = { ...(failedOnly && { status: ["failed" as const] }), ...(cursor !== null && { cursor }) };
    const answer: { items: Step[]; next: string | null } = await weft.executions.steps(
      { ...at, under: [...under], limit: PAGE, ...filter },
      { signal },
    );
    steps.push(...answer.items);
    cursor = answer.next;
    if (cursor === null) break;
  }
  return { steps, more: cursor !== null };
}

/** The rows of one level, read in `pages` pages. */
export const stepsQuery = (at: RunAddress, under: Level, pages = 1, failedOnly = false) =>
  queryOptions({
    queryKey: [...runKey(at), "steps", under, { pages, failedOnly }],
    queryFn: ({ signal }) => readSteps(at, { under, pages, failedOnly }, signal),
    placeholderData: keepPreviousData,
  });

/** Starts to read what the page of a run shows first, while its code still loads. */
export async function beginRun(w: string, spaceId: string, id: string): Promise<void> {
  const workspace = await readWorkspace(w);
  if (!workspace) return;
  const at = { workspaceId: workspace.id, spaceId, id };
  void queryClient.prefetchQuery(stepsQuery(at, []));
  const run = await queryClient.fetchQuery(runQuery(at));
  await queryClient.prefetchQuery(definitionQuery(at, run.workflowId, run.workflowVersion));
}

/** How often the steps of a run are read while no stream follows it. */
const LOOK_MS = 2_000;

/** The steps of a run that a step started, in any space of the workspace. */
export const childStepsQuery = (workspaceId: string, id: string, pages: number) =>
  queryOptions({
    queryKey: [...runKey({ workspaceId, id }), "steps", "of-child", pages],
    queryFn: async ({ signal }): Promise<StepsPage> => {
      const { spaceId } = await weft.executions.find({ workspaceId, id }, { signal });
      return readSteps({ workspaceId, spaceId, id }, { under: [], pages, failedOnly: false }, signal);
    },
    refetchInterval: ({ state }) =>
      state.data?.steps.some(({ status }) => status === "running" || status === "waiting") === true && LOOK_MS,
  });

export const outputQuery = (at: RunAddress, nodeId: string, path: StepPath | undefined, ended: boolean) =>
  queryOptions({
    queryKey: [...runKey(at), "output", nodeId, path ?? [], { ended }],
    queryFn: ({ signal }) => weft.executions.output({ ...at, nodeId, ...(path && { path: [...path] }) }, { signal }),
    ...(ended && FOREVER),
  });

/** Selects entries of the log. */
export interface LogFilter {
  level?: LogEntry["level"][];
  event?: LogEntry["event"][];
  /** A text that the message contains. */
  q?: string;
  nodeId?: string;
  /** Only entries of these items. An empty list selects entries outside of maps and loops. */
  path?: { nodeId: string; index: number }[];
  /** Newest entries first. The default is oldest first. */
  order?: "desc";
}

export const logQuery = (at: RunAddress, filter: LogFilter) =>
  infiniteQueryOptions({
    queryKey: [...runKey(at), "log", filter],
    queryFn: ({ signal, pageParam }): Promise<{ items: LogEntry[]; next: string | null }> =>
      weft.executions.logs(
        {
          ...at,
          payloads: false,
          limit: PAGE,
          ...filter,
          ...(pageParam !== null && { cursor: pageParam }),
        },
        { signal },
      ),
    initialPageParam: null as string | null,
    getNextPageParam: page => page.next,
    placeholderData: keepPreviousData,
  });

/** The events that start and end an attempt. */
export const OF_ATTEMPTS: LogEntry["event"][] = ["step.started", "step.completed", "step.failed", "step.retrying"];

/** The entries that start and end the attempts of a step. With many attempts, only those of the first ones. */
export const attemptsQuery = (at: RunAddress, { nodeId, path = [] }: Pick<Step, "nodeId" | "path">) =>
  queryOptions({
    queryKey: [...runKey(at), "log", "attempts", nodeId, path],
    queryFn: async ({ signal }): Promise<LogEntry[]> => {
      const filter = { nodeId, path: [...path], event: OF_ATTEMPTS };
      return (await weft.executions.logs({ ...at, payloads: false, limit: PAGE, ...filter }, { signal })).items;
    },
    placeholderData: keepPreviousData,
  });

/** The whole log as JSON lines, without payloads. */
export async function logAsText(at: RunAddress): Promise<string> {
  const lines: string[] = [];
  for await (const entry of weft.executions.logs({ ...at, payloads: false, limit: PAGE })) {
    lines.push(`${JSON.stringify(entry)}\n`);
  }
  return lines.join("");
}

/** Which steps a retry would keep and which it would run. */
export const retryPlanQuery = (at: RunAddress, choice: RetryChoice) =>
  queryOptions({
    queryKey: [...runKey(at), "retry-plan", choice],
    queryFn: ({ signal }): Promise<RetryPlan> => weft.executions.retryPlan({ ...at, ...choice }, { signal }),
    // A newer version may exist by now.
    staleTime: 0,
    gcTime: 0,
  });
