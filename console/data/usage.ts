import { queryOptions } from "@tanstack/react-query";
import type { Usage } from "../../sdk/definition.ts";
import { weft } from "./client.ts";

export type UsageDay = Usage["days"][number];

/** How much of one quota or limit is used. */
export interface Amount {
  name: string;
  /** What is counted, as the service says it. */
  what?: string;
  /** Null if the service that counts it did not answer. */
  used: number | null;
  /** Null without a quota. */
  allowed: number | null;
  renewsAt: string | null;
  /** The service stops counting at 100,000. */
  isCapped: boolean;
}

/** What the workspace has used, and what it may use. */
export const usageQuery = (workspaceId: string) =>
  queryOptions({
    queryKey: ["w", workspaceId, "usage"],
    queryFn: ({ signal }): Promise<Usage> => weft.workspaces.usage({ workspaceId }, { signal }),
    refetchInterval: 30_000,
  });

/**
 * One list of what runs used, and one of what the workspace keeps. Some limits are quotas, too, and appear once. The service
 * counts unfinished runs only under a quota, so a row with neither number is left out.
 */
export function amountsOf({ quotas, limits }: Usage): { performed: Amount[]; kept: Amount[] } {
  const isOfRuns = (name: string) => /^(executions|steps|model_tokens)_/.test(name);
  const known = new Set<string>(quotas.map(({ name }) => name));
  const bounded = quotas.filter(({ used, allowed }) => used !== null || allowed !== null);
  const amounts: Amount[] = [
    ...bounded.map(quota => ({ ...quota, isCapped: false })),
    ...limits
      .filter(({ name }) => !known.has(name))
      .map(({ limit, ...rest }) => ({ ...rest, allowed: limit, renewsAt: null, isCapped: true })),
  ];
  return {
    performed: amounts.filter(({ name }) => isOfRuns(name)),
    kept: amounts.filter(({ name }) => !isOfRuns(name)),
  };
}
