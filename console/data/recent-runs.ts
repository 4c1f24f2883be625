import { useQuery } from "@tanstack/react-query";
import { newestRunsQuery, type Run } from "./runs.ts";

const MANY = 200;
const SHOWN = 10;
const NONE: readonly Run[] = [];

/** The last runs of one workflow, newest first. All workflows of a workspace share one request. */
export function useWorkflowRuns(workspaceId: string, workflowId: string): readonly Run[] {
  const { data = NONE } = useQuery({
    ...newestRunsQuery(workspaceId, {}, MANY),
    select: runs => runs.filter(run => run.workflowId === workflowId).slice(0, SHOWN),
  });
  return data;
}
