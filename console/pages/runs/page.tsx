import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { ArrowUp, CirclePlay, ListFilter } from "lucide-react";
import { Suspense } from "react";
import { mayPass, problemOf } from "../../data/problem.ts";
import type { RunFilters } from "../../data/runs.ts";
import { m } from "../../messages/index.ts";
import { useWorkspace } from "../../shell/workspace.ts";
import { Button, buttonClass } from "../../ui/button.tsx";
import { lazy } from "../../ui/lazy.tsx";
import { Card, Page } from "../../ui/page.tsx";
import { SkeletonRows } from "../../ui/skeleton.tsx";
import { Empty, Failure, ProblemNotice } from "../../ui/states.tsx";
import { FilterBar } from "./filter-bar.tsx";
import styles from "./runs.module.css";
import { RunsTable } from "./runs-table.tsx";
import { StatsStrip } from "./stats-strip.tsx";
import { useLiveRuns } from "./use-live-runs.ts";
import { useSelectedRuns } from "./use-selected-runs.ts";

/** Loaded beside the list. Until then the space of its button is reserved. */
const ViewsMenu = lazy(() => import("./views-menu.tsx"), "ViewsMenu");

/** Loaded when runs are selected. */
const SelectedRunsBar = lazy(() => import("./selected-runs-bar.tsx"), "SelectedRunsBar");

const isFiltered = ({ sort: _, ...filters }: RunFilters) => Object.values(filters).some(value => value !== undefined);

export function RunsPage() {
  const { id: workspaceId, slug: w } = useWorkspace();
  const filters = useSearch({ from: "/authed/w/$w/runs" });
  const navigate = useNavigate({ from: "/w/$w/runs" });
  const {
    runs,
    refused,
    waiting,
    show,
    error,
    isPending,
    isPlaceholderData,
    hasNextPage,
    isFetchingNextPage,
    ...list
  } = useLiveRuns(workspaceId, filters);
  const marks = useSelectedRuns(runs);
  const change = (next: RunFilters) =>
    void navigate({ search: before => ({ ...before, ...next }), replace: true, resetScroll: false });
  const clear = () => void navigate({ search: ({ sort }) => ({ sort }), replace: true });
  const filtered = isFiltered(filters);

  const content = () => {
    if (isPending) return error ? null : <SkeletonRows table rows={10} />;
    if (runs.length > 0) {
      return (
        <div className={styles.list} data-stale={isPlaceholderData || undefined}>
          <RunsTable runs={runs} w={w} marks={marks} sort={filters.sort} />
        </div>
      );
    }
    return filtered ? (
      <Empty
        icon={<ListFilter size={20} aria-hidden />}
        title={m.runs.noMatch}
        action={<Button onClick={clear}>{m.runs.clear}</Button>}
      >
        {filters.sort && m.runs.onlyEnded}
      </Empty>
    ) : (
      <Empty
        icon={<CirclePlay size={20} aria-hidden />}
        title={m.runs.empty}
        action={
          <Link to="/w/$w/workflows" params={{ w }} className={buttonClass({ tone: "primary" })}>
            {m.runs.toWorkflows}
          </Link>
        }
      >
        {m.runs.emptyDetail}
      </Empty>
    );
  };

  return (
    <Page
      title={m.runs.title}
      actions={
        <Suspense fallback={<Button disabled>{m.views.title}</Button>}>
          <ViewsMenu filters={filters} />
        </Suspense>
      }
    >
      <StatsStrip workspaceId={workspaceId} of={filters} day={filters.day} onDay={day => change({ day })} />
      <FilterBar workspaceId={workspaceId} filters={filters} onChange={change} refused={refused} />
      {error && runs.length > 0 && !mayPass(error) ? <ProblemNotice problem={problemOf(error)} /> : null}
      <Card flush className={styles.card}>
        {waiting > 0 ? (
          <div className={styles.fresh}>
            <Button size="small" tone="primary" icon={<ArrowUp size={14} aria-hidden />} onClick={show}>
              {m.runs.waiting(waiting)}
            </Button>
          </div>
        ) : null}
        {error && runs.length === 0 ? (
          <Failure problem={problemOf(error)} onRetry={() => void list.refetch()} />
        ) : (
          content()
        )}
      </Card>
      {hasNextPage ? (
        <Button className={styles.more} busy={isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
          {m.runs.more}
        </Button>
      ) : null}
      {marks.ids.size > 0 ? (
        <Suspense>
          <SelectedRunsBar runs={runs.filter(({ id }) => marks.ids.has(id))} onClear={marks.clear} />
        </Suspense>
      ) : null}
      <div className="visually-hidden" role="status">
        {waiting > 0 ? m.runs.waiting(waiting) : ""}
      </div>
    </Page>
  );
}
