import { useQuery } from "@tanstack/react-query";
import { useNavigate, useParams } from "@tanstack/react-router";
import { ArrowLeftRight } from "lucide-react";
import { type Change, comparisonQuery } from "../../data/compare.ts";
import { problemOf } from "../../data/problem.ts";
import { ChangeList } from "../../json/change-list.tsx";
import { comparison as words } from "../../messages/en-comparison.ts";
import { m } from "../../messages/index.ts";
import { useAddCrumbs } from "../../shell/crumbs.ts";
import { useWorkspace } from "../../shell/workspace.ts";
import { Button } from "../../ui/button.tsx";
import { Card, Page } from "../../ui/page.tsx";
import { SkeletonRows } from "../../ui/skeleton.tsx";
import { Failure, Notice } from "../../ui/states.tsx";
import styles from "./compare.module.css";
import { DefinitionCard } from "./definition.tsx";
import { RemainingRun } from "./remaining-run.tsx";
import { RunCard } from "./run-card.tsx";
import { ComparedSteps } from "./steps.tsx";

/** A value of both runs: one line if it is equal, or else the differences. */
function ValueCard({ title, changes }: { title: string; changes: readonly Change[] | null }) {
  if (changes?.length) {
    return (
      <Card title={title} aside={<span className={styles.note}>{words.changes(changes.length)}</span>}>
        <ChangeList changes={changes} label={title} />
      </Card>
    );
  }
  const note = changes === null ? words.tooLarge : words.same;
  return (
    <Card title={title} aside={<span className={styles.note}>{note}</span>} flush>
      {null}
    </Card>
  );
}

/** Compares two runs: their input, their versions, each step, and their result. */
export function ComparePage() {
  const { a, b } = useParams({ from: "/authed/w/$w/runs/$a/vs/$b" });
  const { id: workspaceId, slug: w } = useWorkspace();
  useAddCrumbs([{ title: m.places.runs, href: `/w/${w}/runs` }, { title: words.title }]);
  const navigate = useNavigate();
  const { data, error, refetch } = useQuery(comparisonQuery(workspaceId, a, b));
  const swap = () => void navigate({ to: "/w/$w/runs/$a/vs/$b", params: { w, a: b, b: a }, replace: true });
  return (
    <Page
      title={words.title}
      actions={
        <Button icon={<ArrowLeftRight size={14} aria-hidden />} onClick={swap}>
          {words.swap}
        </Button>
      }
    >
      {error && !data ? (
        problemOf(error).status === 404 ? (
          <RemainingRun a={a} b={b} problem={problemOf(error)} onRetry={() => void refetch()} />
        ) : (
          <Card>
            <Failure problem={problemOf(error)} onRetry={() => void refetch()} />
          </Card>
        )
      ) : null}
      {!data && !error ? (
        <Card flush>
          <SkeletonRows rows={8} />
        </Card>
      ) : null}
      {data ? (
        <>
          <div className={styles.sides}>
            <RunCard run={data.a} title={words.first} />
            <RunCard run={data.b} title={words.second} />
          </div>
          {data.truncated ? <Notice tone="warn">{words.truncated}</Notice> : null}
          <ValueCard title={words.input} changes={data.input} />
          <DefinitionCard a={data.a} b={data.b} />
          <Card title={words.steps} aside={<span className={styles.note}>{words.counts(data.counts)}</span>} flush>
            <ComparedSteps steps={data.steps} />
          </Card>
          <ValueCard title={words.output} changes={data.output} />
        </>
      ) : null}
    </Page>
  );
}
