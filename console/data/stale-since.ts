import { useEffect, useSyncExternalStore } from "react";
import { mayPass } from "./problem.ts";
import { queryClient } from "./query-client.ts";

/** How often the page retries queries that could not be refreshed. */
const AGAIN_MS = 5_000;

const cache = queryClient.getQueryCache();

/** Active queries that hold data but could not be refreshed, because the service is unavailable. */
const stale = () =>
  cache
    .getAll()
    .filter(query => query.state.data !== undefined && query.isActive() && mayPass(query.state.error));

/** The time of the oldest active data that cannot be refreshed. Undefined if all active data is fresh. */
const oldest = (): number | undefined => {
  const times = stale().map(({ state }) => state.dataUpdatedAt);
  return times.length > 0 ? Math.min(...times) : undefined;
};

/** Returns since when active data could not be refreshed, and retries until it can. */
export function useStaleSince(): number | undefined {
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
