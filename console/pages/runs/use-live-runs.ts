import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { newestRunsQuery, refusedIn, type Run, type RunFilters, type RunSort, runsQuery } from "../../data/runs.ts";

const took = ({ startedAt, finishedAt }: Run): number =>
  startedAt === null || finishedAt === null ? 0 : Date.parse(finishedAt) - Date.parse(startedAt);

/** Tells of a run that is not shown whether it has come since; any other one has only changed its state. */
function isNewIn(shown: readonly Run[], sort: RunSort | undefined): (run: Run) => boolean {
  const [first, last] = [shown[0], shown.at(-1)];
  if (!first || !last) return () => true;
  if (sort === "ended") return ({ finishedAt }) => (finishedAt ?? "") > (first.finishedAt ?? "");
  if (sort === "longest") return run => took(run) > took(last);
  // Ids sort by creation.
  return ({ id }) => id > first.id;
}

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
