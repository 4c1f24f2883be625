import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { Play, Search, Star } from "lucide-react";
import { Suspense, useRef } from "react";
import { builderPath } from "../../data/paths.ts";
import { problemOf } from "../../data/problem.ts";
import { useWorkflowRuns } from "../../data/recent-runs.ts";
import { workflowsQuery, type WorkflowRow } from "../../data/workflows.ts";
import { m } from "../../messages/index.ts";
import { useCommands } from "../../shell/shortcuts.ts";
import { includesRole, useWorkspace } from "../../shell/workspace.ts";
import { Button } from "../../ui/button.tsx";
import { cx } from "../../ui/cx.ts";
import cut from "../../ui/cut.module.css";
import { lazy } from "../../ui/lazy.tsx";
import { Card, Page } from "../../ui/page.tsx";
import { SearchField } from "../../ui/search-field.tsx";
import { SkeletonRows } from "../../ui/skeleton.tsx";
import { Empty, Failure } from "../../ui/states.tsx";
import { Time } from "../../ui/time.tsx";
import { NewWorkflow } from "./new-workflow.tsx";
import { RunDots } from "./run-dots.tsx";
import type { WorkflowsSearch } from "./search.ts";
import styles from "./workflows.module.css";

const RunDialog = lazy(() => import("./run-dialog.tsx"), "RunDialog");
// Loaded after the list.
const Filters = lazy(() => import("./filters.tsx"));
const RowMenu = lazy(() => import("./row-menu.tsx"));
const FirstTiles = lazy(() => import("../home/first-tiles.tsx"));
const Trash = lazy(() => import("./trash.tsx"));

const matches = ({ name, description }: WorkflowRow, q: string) =>
  `${name} ${description}`.toLowerCase().includes(q.toLowerCase());

function Row({ workflow, onRun }: { workflow: WorkflowRow; onRun: () => void }) {
  const { slug: w, role, id: workspaceId } = useWorkspace();
  const runs = useWorkflowRuns(workspaceId, workflow.id);
  const { id, name, description, version, deployedVersion, updatedAt, starred, steps, createdByName } = workflow;
  const mayRun = includesRole(role, "editor");
  return (
    <tr data-row={id}>
      <td className={styles.name}>
        <div className={styles.title}>
          <Link to={builderPath(w, workflow)} className={cx(styles.link, cut.line)}>
            {name}
          </Link>
          {starred ? <Star size={13} className={styles.star} aria-label={m.workflows.starred} /> : null}
        </div>
        <div className={cx(styles.description, cut.line)}>{description || m.workflows.steps(steps)}</div>
      </td>
      <td className={styles.version}>
        <span>v{version}</span>
        <span className={styles.live}>
          {deployedVersion === null ? m.workflows.draftOnly : m.workflows.liveAt(deployedVersion)}
        </span>
      </td>
      <td className={styles.dots}>
        <RunDots runs={runs} w={w} />
      </td>
      <td className={styles.when}>
        <Time at={updatedAt} />
        {createdByName ? <span className={styles.by}>{createdByName}</span> : null}
      </td>
      <td className={styles.act}>
        <Button
          size="small"
          icon={<Play size={13} aria-hidden />}
          disabled={!mayRun}
          title={mayRun ? undefined : m.needsRole(m.role.editor)}
          aria-label={m.workflows.runTitle(name)}
          onClick={onRun}
        >
          {m.workflows.run}
        </Button>
        <Suspense fallback={null}>
          <RowMenu workflow={workflow} />
        </Suspense>
      </td>
    </tr>
  );
}

export function WorkflowsPage() {
  const { id: workspaceId } = useWorkspace();
  const given = useSearch({ from: "/authed/w/$w/workflows" });
  const { q = "", run, s, show } = given;
  const navigate = useNavigate({ from: "/w/$w/workflows" });
  const { data, error, refetch } = useQuery(workflowsQuery(workspaceId));
  const field = useRef<HTMLInputElement>(null);
  useCommands([{ id: "filter", title: m.shortcut.filter, keys: "/", run: () => field.current?.focus() }]);
  const search = (change: WorkflowsSearch) =>
    void navigate({ search: before => ({ ...before, ...change }), replace: true, resetScroll: false });
  const isShown = (workflow: WorkflowRow) => matches(workflow, q) && (s === undefined || workflow.spaceId === s);
  const shown = data?.filter(one => isShown(one) && (show !== "starred" || one.starred)) ?? [];

  const content = () => {
    if (show === "trash") {
      return (
        <Suspense fallback={<SkeletonRows rows={3} />}>
          <Trash isShown={isShown} onLeave={() => search({ show: undefined })} />
        </Suspense>
      );
    }
    if (!data) {
      return error ? (
        <Failure problem={problemOf(error)} onRetry={() => void refetch()} />
      ) : (
        <SkeletonRows tall table rows={6} />
      );
    }
    if (shown.length === 0) {
      return (
        <Empty
          icon={<Search size={20} aria-hidden />}
          title={m.workflows.noMatch}
          action={
            <Button onClick={() => search({ q: undefined, s: undefined, show: undefined })}>{m.workflows.clear}</Button>
          }
        />
      );
    }
    return (
      <table className={styles.table} aria-label={m.workflows.title}>
        <thead>
          <tr>
            <th scope="col">{m.workflows.name}</th>
            <th scope="col" className={styles.version}>
              {m.workflows.version}
            </th>
            <th scope="col" className={styles.dots}>
              {m.workflows.lastRuns}
            </th>
            <th scope="col" className={styles.when}>
              {m.workflows.changed}
            </th>
            <th scope="col" className={styles.act}>
              <span className="visually-hidden">{m.workflows.run}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {shown.map(workflow => (
            <Row key={workflow.id} workflow={workflow} onRun={() => search({ run: workflow.id })} />
          ))}
        </tbody>
      </table>
    );
  };

  if (data?.length === 0 && show !== "trash") {
    return (
      <Page title={m.workflows.title} actions={<NewWorkflow space={s} />}>
        <Suspense fallback={<SkeletonRows rows={4} />}>
          <FirstTiles more title={m.workflows.empty} lead={m.workflows.emptyDetail} />
        </Suspense>
      </Page>
    );
  }
  return (
    <Page title={m.workflows.title} actions={<NewWorkflow space={s} />}>
      <div className={styles.filters}>
        <SearchField
          ref={field}
          className={styles.search}
          icon={<Search size={14} aria-hidden />}
          label={m.workflows.filter}
          value={q}
          onChange={next => search({ q: next || undefined })}
        />
        <Suspense fallback={<div className={styles.filtersLoad} />}>
          <Filters given={given} search={search} />
        </Suspense>
      </div>
      <Card flush>{content()}</Card>
      {run === undefined ? null : (
        <Suspense fallback={null}>
          <RunDialog workflow={data?.find(({ id }) => id === run)} onClose={() => search({ run: undefined })} />
        </Suspense>
      )}
    </Page>
  );
}
