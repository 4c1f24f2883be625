import { useQuery } from "@tanstack/react-query";
import { newestRunsQuery, type Run } from "./runs.ts";

const MANY = 200;
const SHOWN = 10;
const NONE: readonly Run[] = [];

/** A run that a schedule started, if it is among the newest runs. All schedules of a workspace share one request. */
export function useScheduledRun(workspaceId: string, runId: string | null): Run | undefined {
  const { data = NONE } = useQuery({
    ...newestRunsQuery(workspaceId, { trigger: "schedule" }, MANY),
    enabled: runId !== null,
    select: runs => runs.filter(({ id }) => id === runId),
  });
  return data[0];
}

/** The last runs of one workflow, newest first. All workflows of a workspace share one request. */
export function useWorkflowRuns(workspaceId: string, workflowId: string): readonly Run[] {
  const { data = NONE } = useQuery({
    ...newestRunsQuery(workspaceId, {}, MANY),
    select: runs => runs.filter(run => run.workflowId === workflowId).slice(0, SHOWN),
  });
  return data;
}
