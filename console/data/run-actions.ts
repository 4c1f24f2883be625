import { useMutation } from "@tanstack/react-query";
import type { Execution } from "../../sdk/definition.ts";
import { weft } from "./client.ts";
import { queryClient } from "./query-client.ts";
import { runKey } from "./run-key.ts";
import type { RunAddress } from "./run-types.ts";

const changed = (at: RunAddress) => async () => {
  await queryClient.invalidateQueries({ queryKey: runKey(at) });
  await queryClient.invalidateQueries({ queryKey: ["w", at.workspaceId, "runs"] });
};

export const useCancelRun = (at: RunAddress) =>
  useMutation({
    mutationFn: (compensate: boolean): Promise<unknown> =>
      weft.executions.cancel({ ...at, ...(compensate && { compensate }) }),
    onSettled: changed(at),
    meta: { shown: true },
  });

export interface RetryChoice {
  fromNode?: string;
  fromStart?: boolean;
  version?: "original" | "latest";
}

export const useRetryRun = (at: RunAddress) =>
  useMutation({
    mutationFn: (choice: RetryChoice): Promise<Execution> => weft.executions.retry({ ...at, ...choice }),
    onSettled: changed(at),
  });
