import { queryOptions } from "@tanstack/react-query";
import type { Usage } from "../../sdk/definition.ts";
import { weft } from "./client.ts";

export type UsageDay = Usage["days"][number];

/** How much of one quota or limit is used. */
export interface Amount {
  name: string;
  /** The service's name of what is counted. */
  what?: string;
  /** Null if the service that counts it did not answer. */
  used: number | null;
  /** Null if there is no quota. */
  allowed: number | null;
  renewsAt: string | null;
  /** Whether the count stopped at 100,000, where the service stops counting. */
  isCapped: boolean;
}

/** How much the workspace has used, and how much it may use. */
export const usageQuery = (workspaceId: string) =>
  queryOptions({
    queryKey: ["w", workspaceId, "usage"],
    queryFn: ({ signal }): Promise<Usage> => weft.workspaces.usage({ workspaceId }, { signal }),
    refetchInterval: 30_000,
  });

/**
 * Splits usage into what runs used and what the workspace stores. A limit that is also a quota appears once. The
 * service counts unfinished runs only under a quota, so a row with neither number is left out.
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
