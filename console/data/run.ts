import { infiniteQueryOptions, keepPreviousData, queryOptions, useMutation } from "@tanstack/react-query";
import type { Execution, LogEntry, RetryPlan, WorkflowVersion } from "../../sdk/definition.ts";
import { weft } from "./client.ts";
import { queryClient } from "./query-client.ts";
import type { Level, RunAddress, Step, StepPath, StepsPage } from "./run-types.ts";

/** The most rows that the service gives in one answer. */
const PAGE = 200;
/** What has ended never changes, so it is read once. */
const FOREVER = { staleTime: Infinity };

export const runKey = ({ workspaceId, id }: Pick<RunAddress, "workspaceId" | "id">) =>
  ["w", workspaceId, "run", id] as const;

export const runQuery = (at: RunAddress) =>
  queryOptions({
    queryKey: [...runKey(at), "run"],
    queryFn: ({ signal }): Promise<Execution> => weft.executions.get(at, { signal }),
  });

export const definitionQuery = (at: Omit<RunAddress, "id">, workflowId: string, version: number) =>
  queryOptions({
    queryKey: ["w", at.workspaceId, "workflow", workflowId, "version", version],
    queryFn: ({ signal }): Promise<WorkflowVersion> =>
      weft.workflows.version({ ...at, id: workflowId, version }, { signal }),
    ...FOREVER,
  });

/** The rows of one level, from its first `pages` pages. */
export const stepsQuery = (at: RunAddress, under: Level, pages = 1, failedOnly = false) =>
  queryOptions({
    queryKey: [...runKey(at), "steps", under, { pages, failedOnly }],
    queryFn: async ({ signal }): Promise<StepsPage> => {
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
    },
    placeholderData: keepPreviousData,
  });

export const outputQuery = (at: RunAddress, nodeId: string, path: StepPath | undefined, ended: boolean) =>
  queryOptions({
    queryKey: [...runKey(at), "output", nodeId, path ?? [], { ended }],
    queryFn: ({ signal }) => weft.executions.output({ ...at, nodeId, ...(path && { path: [...path] }) }, { signal }),
    ...(ended && FOREVER),
  });

/** Which entries of the log are read, oldest first. */
export interface LogFilter {
  level?: LogEntry["level"][];
  event?: LogEntry["event"][];
  /** A text of the message. */
  q?: string;
  nodeId?: string;
  /** Entries of these items alone; an empty list: those outside of maps and loops. */
  path?: { nodeId: string; index: number }[];
  /** The newest entries first. */
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

/** The whole log as JSON lines, without payloads. */
export async function logAsText(at: RunAddress): Promise<string> {
  const lines: string[] = [];
  for await (const entry of weft.executions.logs({ ...at, payloads: false, limit: PAGE })) {
    lines.push(`${JSON.stringify(entry)}\n`);
  }
  return lines.join("");
}

const changed = (at: RunAddress) => async () => {
  await queryClient.invalidateQueries({ queryKey: runKey(at) });
  await queryClient.invalidateQueries({ queryKey: ["w", at.workspaceId, "runs"] });
};

export const useCancelRun = (at: RunAddress) =>
  useMutation({
    mutationFn: (compensate: boolean): Promise<unknown> =>
      weft.executions.cancel({ ...at, ...(compensate && { compensate }) }),
    onSettled: changed(at),
  });

export interface RetryChoice {
  fromNode?: string;
  fromStart?: boolean;
  version?: "original" | "latest";
}

/** What a retry would keep and run. */
export const retryPlanQuery = (at: RunAddress, choice: RetryChoice) =>
  queryOptions({
    queryKey: [...runKey(at), "retry-plan", choice],
    queryFn: ({ signal }): Promise<RetryPlan> => weft.executions.retryPlan({ ...at, ...choice }, { signal }),
    // The newest version may be another one by now.
    staleTime: 0,
    gcTime: 0,
  });

export const useRetryRun = (at: RunAddress) =>
  useMutation({
    mutationFn: (choice: RetryChoice): Promise<Execution> => weft.executions.retry({ ...at, ...choice }),
    onSettled: changed(at),
  });
