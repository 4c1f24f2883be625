import { type UseQueryResult, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Play } from "lucide-react";
import { Suspense } from "react";
import { questionsForMeQuery } from "../../data/approvals.ts";
import { builderPath } from "../../data/paths.ts";
import { problemOf } from "../../data/problem.ts";
import { failedRunsQuery, newestRunsQuery, type Run, type RunFilters } from "../../data/runs.ts";
import { useMe } from "../../data/session.ts";
import { editedWorkflowsQuery, workflowsQuery } from "../../data/workflows.ts";
import { m } from "../../messages/index.ts";
import { includesRole, useWorkspace } from "../../shell/workspace.ts";
import { buttonClass } from "../../ui/button.tsx";
import { cx } from "../../ui/cx.ts";
import cut from "../../ui/cut.module.css";
import { lazy } from "../../ui/lazy.tsx";
import { Card, Page } from "../../ui/page.tsx";
import { SkeletonRows, useDelay } from "../../ui/skeleton.tsx";
import { Failure } from "../../ui/states.tsx";
import { Time } from "../../ui/time.tsx";
import { StatsStrip } from "../runs/stats-strip.tsx";
import { HomeCard } from "./home-card.tsx";
import styles from "./home.module.css";
import { QuestionsCard } from "./questions-card.tsx";
import { RunLines } from "./run-lines.tsx";

// Most visits show neither.
const FirstTiles = lazy(() => import("./first-tiles.tsx"));
const NextSteps = lazy(() => import("./next-steps.tsx"));

const SHOWN = 6;

interface RunsCardProps {
  title: string;
  none: string;
  query: UseQueryResult<Run[]>;
  filters: RunFilters;
  /** Whether runs can be retried from here. */
  retry?: boolean;
}

/** A card with some runs, and a link to all runs with the same filters. */
function RunsCard({ filters, retry, ...card }: RunsCardProps) {
  const { slug: w } = useWorkspace();
  return (
    <HomeCard
      {...card}
      all={
        <Link to="/w/$w/runs" params={{ w }} search={filters} className={buttonClass({ tone: "quiet", size: "small" })}>
          {m.home.all}
        </Link>
      }
    >
      {runs => <RunLines runs={runs.slice(0, SHOWN)} w={w} {...(retry && { retry })} />}
    </HomeCard>
  );
}

function WorkflowsCard() {
  const { id, slug: w } = useWorkspace();
  const { id: me } = useMe();
  const all = useQuery(workflowsQuery(id));
  const mine = useQuery(editedWorkflowsQuery(id, me, SHOWN));
  // A user without edited workflows sees those of others.
  const isMine = mine.data !== undefined && mine.data.length > 0;
  const { data, error, refetch } = isMine || mine.isPending ? mine : all;
  return (
    <Card
      flush
      title={mine.data?.length === 0 ? m.home.workflows : m.home.edited}
      aside={
        <Link to="/w/$w/workflows" params={{ w }} className={buttonClass({ tone: "quiet", size: "small" })}>
          {m.home.all}
        </Link>
      }
    >
      {error && !data ? <Failure small problem={problemOf(error)} onRetry={() => void refetch()} /> : null}
      {!data && !error ? <SkeletonRows rows={4} /> : null}
      <ul>
        {data?.slice(0, SHOWN).map(workflow => (
          <li key={workflow.id} className={styles.workflow} data-row={workflow.id}>
            <Link to={builderPath(w, workflow)} className={cx(styles.name, cut.line)}>
              {workflow.name}
            </Link>
            <span className={styles.when}>
              <Time at={workflow.updatedAt} />
            </span>
            <Link
              to="/w/$w/workflows"
              params={{ w }}
              search={{ run: workflow.id }}
              className={buttonClass({ tone: "quiet", size: "small" })}
              aria-label={m.workflows.runTitle(workflow.name)}
            >
              <Play size={14} aria-hidden />
            </Link>
          </li>
        ))}
      </ul>
    </Card>
  );
}

/** How long a card waits for the cards above it. */
const WAIT_MS = 1_000;
const isSettled = ({ data, error }: Pick<UseQueryResult, "data" | "error">) => data !== undefined || error !== null;

export function HomePage() {
  const { id, slug, role } = useWorkspace();
  const { name } = useMe();
  const workflows = useQuery(workflowsQuery(id));
  const running = useQuery(newestRunsQuery(id, { status: ["running", "pending"] }, SHOWN * 2));
  const waiting = useQuery(questionsForMeQuery(id, includesRole(role, "editor")));
  const failed = useQuery(failedRunsQuery(id, SHOWN * 2));
  // A card waits for the cards above it, so that it does not move while someone uses it. The wait is short.
  const late = useDelay(WAIT_MS);
  const first = late || isSettled(waiting);
  const second = late || (first && isSettled(failed));
  const all = late || (second && isSettled(running));
  if (workflows.data?.length === 0) {
    return (
      <Page title={m.home.hello(name?.split(/\s/)[0])}>
        <Suspense fallback={<SkeletonRows rows={4} />}>
          <FirstTiles key={slug} title={m.home.firstTitle} lead={m.home.firstLead} />
        </Suspense>
      </Page>
    );
  }
  return (
    <Page title={m.home.hello(name?.split(/\s/)[0])}>
      <StatsStrip workspaceId={id} />
      <div className={styles.columns} data-filling={!all || undefined}>
        <div className={styles.column}>
          <QuestionsCard query={waiting} shown={SHOWN} />
          {first ? (
            <RunsCard
              title={m.home.failures}
              none={m.home.noFailures}
              query={failed}
              filters={{ status: ["failed"] }}
              retry
            />
          ) : null}
          {second ? (
            <RunsCard
              title={m.home.now}
              none={m.home.noneNow}
              query={running}
              filters={{ status: ["running", "pending"] }}
            />
          ) : null}
        </div>
        <div className={styles.column}>
          <WorkflowsCard />
          {workflows.data && includesRole(role, "editor") ? (
            <Suspense fallback={null}>
              <NextSteps key={id} workflows={workflows.data} />
            </Suspense>
          ) : null}
        </div>
      </div>
    </Page>
  );
}
