import { queryOptions } from "@tanstack/react-query";
import type { Execution } from "../../sdk/definition.ts";
import { weft } from "./client.ts";
import { pollEvery } from "./live.ts";
import { findRun, type Run, runsKey } from "./runs.ts";

/** The most retries of a workflow that are searched for those of one run. */
const MAX_READ = 200;
const LOOK_MS = 15_000;

export type ChainLink = Pick<Run, "id" | "spaceId" | "attempt" | "status">;

/**
 * All runs of a chain of retries, oldest first, including this one. The chain ends at a run that was deleted or is not
 * among the workflow's newest retries.
 */
export const retryChainQuery = (run: Execution) =>
  queryOptions({
    queryKey: [...runsKey(run.workspaceId), "chain", run.id],
    queryFn: async ({ signal }): Promise<ChainLink[]> => {
      const { workspaceId, workflowId } = run;
      const { items } = await weft.executions.listAll(
        { workspaceId, workflowId, trigger: "retry", limit: MAX_READ },
        { signal },
      );
      const known = new Map<string, ChainLink & Pick<Run, "retryOf" | "retriedBy">>(items.map(one => [one.id, one]));
      known.set(run.id, run);
      const chain: ChainLink[] = [run];
      let former = run.retryOf;
      for (let one = known.get(former ?? ""); one; one = known.get(former ?? "")) {
        chain.unshift(one);
        known.delete(one.id);
        former = one.retryOf;
      }
      const first = former === undefined ? undefined : await findRun(workspaceId, former);
      if (first) chain.unshift(first);
      for (let next = known.get(run.retriedBy ?? ""); next; next = known.get(next.retriedBy ?? "")) {
        chain.push(next);
        known.delete(next.id);
      }
      return chain;
    },
    refetchInterval: pollEvery(LOOK_MS),
  });
