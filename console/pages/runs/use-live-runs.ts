import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { newestRunsQuery, refusedIn, type Run, type RunFilters, type RunSort, runsQuery } from "../../data/runs.ts";

const took = ({ startedAt, finishedAt }: Run): number =>
  startedAt === null || finishedAt === null ? 0 : Date.parse(finishedAt) - Date.parse(startedAt);

/**
 * Returns a function that tells whether a run is new since the list was read. Other runs that are not shown have only
 * changed their state.
 */
function isNewIn(shown: readonly Run[], sort: RunSort | undefined): (run: Run) => boolean {
  const [first, last] = [shown[0], shown.at(-1)];
  if (!first || !last) return () => true;
  if (sort === "ended") return ({ finishedAt }) => (finishedAt ?? "") > (first.finishedAt ?? "");
  if (sort === "longest") return run => took(run) > took(last);
  // Ids sort by time of creation.
  return ({ id }) => id > first.id;
}

/**
 * The runs under these filters. Visible rows are updated in place. New runs are only counted until `show` adds them, so
 * that rows do not move while someone uses the list.
 */
export function useLiveRuns(workspaceId: string, filters: RunFilters) {
  const asked = useInfiniteQuery(runsQuery(workspaceId, filters));
  // A filter that the service refuses is marked, and the others still apply.
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
  const isNew = isNewIn(shown, filters.sort);
  const waiting = list.isPlaceholderData ? 0 : newest.filter(run => !known.has(run.id) && isNew(run)).length;
  return {
    ...list,
    refused,
    runs: shown.map(run => newer.get(run.id) ?? run),
    waiting,
    show: () => void list.refetch(),
  };
}
