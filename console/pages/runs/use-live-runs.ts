import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { newestRunsQuery, refusedIn, type Run, type RunFilters, runsQuery } from "../../data/runs.ts";

/**
 * The runs under these filters. Rows that are shown are renewed in place. New runs are only counted, so that nothing
 * moves under the hand, until `show` lets them in.
 */
export function useLiveRuns(workspaceId: string, filters: RunFilters) {
  const asked = useInfiniteQuery(runsQuery(workspaceId, filters));
  // A filter that the service refuses is marked, and the others apply.
  const refused = refusedIn(asked.error, filters);
  const applied = Object.fromEntries(
    Object.entries(filters).filter(([name]) => !refused.has(name as keyof RunFilters)),
  );
  const rest = useInfiniteQuery({ ...runsQuery(workspaceId, applied), enabled: refused.size > 0 });
  const list = refused.size > 0 ? rest : asked;
  const { data: newest = [] } = useQuery({ ...newestRunsQuery(workspaceId, applied), enabled: list.isSuccess });
  const shown = list.data?.pages.flatMap(({ items }) => items) ?? [];
  const newer = new Map<string, Run>(newest.map(run => [run.id, run]));
  const known = new Set(shown.map(({ id }) => id));
  // Ids sort by creation, so a run before the first row is new; any other unknown one has only changed its state.
  const first = shown[0]?.id ?? "";
  const waiting = list.isPlaceholderData ? 0 : newest.filter(({ id }) => !known.has(id) && id > first).length;
  return {
    ...list,
    refused,
    runs: shown.map(run => newer.get(run.id) ?? run),
    waiting,
    show: () => void list.refetch(),
  };
}
