import { queryOptions } from "@tanstack/react-query";
import type { Execution, ExecutionMatches, RunComparison, WorkflowDiff } from "../../sdk/definition.ts";
import { weft } from "./client.ts";
import { runKey } from "./run-key.ts";
import type { RunAddress } from "./run-types.ts";

export type { Change, ExecutionMatches, RunComparison, WorkflowDiff } from "../../sdk/definition.ts";
export type RunMatch = ExecutionMatches["matches"][number];
export type ComparedStep = RunComparison["steps"][number];

/** The places in the data of a run that contain a text. */
export const matchesQuery = (at: RunAddress, q: string) =>
  queryOptions({
    queryKey: [...runKey(at), "matches", q],
    queryFn: ({ signal }): Promise<ExecutionMatches> => weft.executions.search({ ...at, q }, { signal }),
    enabled: q !== "",
  });

/** Compares two runs of a workspace, by their ids. */
export const comparisonQuery = (workspaceId: string, a: string, b: string) =>
  queryOptions({
    queryKey: ["w", workspaceId, "comparison", a, b],
    queryFn: async ({ signal }): Promise<RunComparison> => {
      const { spaceId } = await weft.executions.find({ workspaceId, id: a }, { signal });
      return weft.executions.compare({ workspaceId, spaceId, id: a, other: b }, { signal });
    },
  });

/** One of the two runs. It may be in any space of the workspace. */
export const foundRunQuery = (workspaceId: string, id: string) =>
  queryOptions({
    queryKey: ["w", workspaceId, "found-run", id],
    queryFn: ({ signal }): Promise<Execution> => weft.executions.find({ workspaceId, id }, { signal }),
  });

/** The differences between two versions of a workflow that runs used. */
export const versionsQuery = (at: { workspaceId: string; spaceId: string }, id: string, from: number, to: number) =>
  queryOptions({
    queryKey: ["w", at.workspaceId, "workflow", id, "diff", from, to],
    queryFn: ({ signal }): Promise<WorkflowDiff> => weft.workflows.diff({ ...at, id, from, to }, { signal }),
    staleTime: Infinity,
  });
