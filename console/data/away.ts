import { useEffect, useSyncExternalStore } from "react";
import { mayPass } from "./problem.ts";
import { queryClient } from "./query-client.ts";

/** How often what could not be renewed is asked for again. */
const AGAIN_MS = 5_000;

const cache = queryClient.getQueryCache();

/** Queries in sight that have data and could not be renewed, as the service is away for now. */
const stale = () =>
  cache
    .getAll()
    .filter(query => query.state.data !== undefined && query.isActive() && mayPass(query.state.error));

/** When the oldest data in sight was read that cannot be renewed at the moment; undefined where all can. */
const oldest = (): number | undefined => {
  const times = stale().map(({ state }) => state.dataUpdatedAt);
  return times.length > 0 ? Math.min(...times) : undefined;
};

/** Says since when data in sight could not be renewed, and asks for it again until it can. */
export function useAwaySince(): number | undefined {
  const since = useSyncExternalStore(listener => cache.subscribe(listener), oldest);
  const isAway = since !== undefined;
  useEffect(() => {
    if (!isAway) return;
    const timer = setInterval(() => {
      for (const query of stale()) if (query.state.fetchStatus === "idle") void query.fetch().catch(() => undefined);
    }, AGAIN_MS);
    return () => clearInterval(timer);
  }, [isAway]);
  return since;
}
