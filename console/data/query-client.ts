import { MutationCache, QueryCache, QueryClient } from "@tanstack/react-query";
import { toast } from "../ui/toast.tsx";
import { problemOf } from "./problem.ts";

declare module "@tanstack/react-query" {
  interface Register {
    /** `shown`: the page shows the failure itself, so there is no toast. */
    mutationMeta: { shown?: boolean };
  }
}

export const queryClient = new QueryClient({
  queryCache: new QueryCache(),
  mutationCache: new MutationCache({
    onError(error, _variables, _result, mutation) {
      if (mutation.meta?.shown) return;
      toast.problem(problemOf(error));
    },
  }),
  defaultOptions: {
    queries: { retry: 0, staleTime: 10_000, gcTime: 5 * 60_000, refetchOnWindowFocus: true },
    mutations: { retry: 0, networkMode: "always" },
  },
});

/**
 * Refreshes the queries whose keys begin with `queryKey`, except those of `gone`, a deleted resource that would answer
 * 404.
 */
export const renewWithout = (queryKey: readonly unknown[], gone: string): Promise<void> =>
  queryClient.invalidateQueries({ queryKey, predicate: query => !query.queryKey.includes(gone) });

/** Removes all cached data when another user signs in. */
export const forgetAll = (): void => queryClient.clear();
