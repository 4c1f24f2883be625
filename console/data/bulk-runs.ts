import { useMutation } from "@tanstack/react-query";
import { weft } from "./client.ts";
import { queryClient } from "./query-client.ts";
import { type Run, runsKey } from "./runs.ts";

/** How often the state of a bulk job is read. */
const JOB_POLL_MS = 500;

const pause = (ms: number) => new Promise<void>(resolve => setTimeout(resolve, ms));

export interface Progress {
  done: number;
  failed: number;
  total: number;
}

/** Where a retry starts, and which version it runs. */
export type BulkRetry = { fromStart?: boolean; version?: "latest" };

export type BulkAction = "cancel" | "retry" | "delete";

/**
 * The result of a bulk action: how many runs it changed, and why it refused the rest. The service reports a few hundred
 * reasons.
 */
export interface BulkResult extends Progress {
  errors: { executionId: string; message: string }[];
}

interface Acting {
  runs: readonly Run[];
  options?: BulkRetry;
  onProgress: (progress: Progress) => void;
}

/** Acts on many runs with one bulk job in each of their spaces. The jobs go on if the user leaves the page. */
async function inBulk(
  workspaceId: string,
  action: BulkAction,
  { runs, options, onProgress }: Acting,
): Promise<BulkResult> {
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
    if (jobs.every(({ status }) => status !== "running"))
      return { ...progress, errors: jobs.flatMap(({ errors }) => errors) };
    await pause(JOB_POLL_MS);
    for (const [index, { id, spaceId, status }] of jobs.entries())
      if (status === "running") jobs[index] = await weft.executions.bulk.get({ workspaceId, spaceId, id });
  }
}

const renew = (workspaceId: string) => queryClient.invalidateQueries({ queryKey: runsKey(workspaceId) });

/**
 * Applies one action to many runs. Deleting needs the role admin, and runs that have ended. The dialogs that confirm
 * cancelling and deleting show their failures.
 */
export const useActOnRuns = (workspaceId: string, action: BulkAction) =>
  useMutation({
    mutationFn: (acting: Acting) => inBulk(workspaceId, action, acting),
    onSettled: () => renew(workspaceId),
    meta: { shown: action !== "retry" },
  });
