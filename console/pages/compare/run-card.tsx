import { Link, useNavigate } from "@tanstack/react-router";
import { RotateCcw } from "lucide-react";
import { runPath } from "../../data/paths.ts";
import type { Run } from "../../data/runs.ts";
import { useRetryRun } from "../../data/run-actions.ts";
import { comparison as words } from "../../messages/en-comparison.ts";
import { runTexts } from "../../messages/en-run.ts";
import { m } from "../../messages/index.ts";
import { startText, starterText } from "../../run/run-start.ts";
import { includesRole, useWorkspace } from "../../shell/workspace.ts";
import { Button } from "../../ui/button.tsx";
import { Status } from "../../ui/status.tsx";
import { Duration, Time } from "../../ui/time.tsx";
import { toast } from "../../ui/toast.tsx";
import styles from "./compare.module.css";

const ENDED: ReadonlySet<string> = new Set(["completed", "failed", "cancelled"]);

/** One of the two runs, with a link to it. */
export function RunCard({ run, title }: { run: Run; title: string }) {
  const { id: workspaceId, slug: w, role } = useWorkspace();
  const navigate = useNavigate();
  const retry = useRetryRun({ workspaceId, spaceId: run.spaceId, id: run.id });
  const failed = run.status === "failed" || run.status === "cancelled";
  const missing = includesRole(role, "editor") ? undefined : m.needsRole(m.role.editor);
  const again = () =>
    retry.mutate(failed ? {} : { fromStart: true }, {
      onSuccess(next) {
        toast.done(runTexts.run.retried);
        void navigate({ to: runPath(w, next) });
      },
    });
  return (
    <section className={styles.side} aria-label={title}>
      <header className={styles.sideHead}>
        <span className={styles.which}>{title}</span>
        <Status status={run.status} />
        {ENDED.has(run.status) ? (
          <Button
            size="small"
            icon={<RotateCcw size={13} aria-hidden />}
            busy={retry.isPending}
            disabled={missing !== undefined}
            title={missing ?? words.retryHint(failed)}
            onClick={again}
          >
            {words.retry}
          </Button>
        ) : null}
      </header>
      <Link to={runPath(w, run)} className={styles.sideLink}>
        {run.workflowName ?? run.workflowId.slice(0, 8)} <span className={styles.version}>v{run.workflowVersion}</span>{" "}
        <code className={styles.id}>{run.id.slice(-8)}</code>
      </Link>
      <dl className={styles.facts}>
        <div>
          <dt>{words.started}</dt>
          <dd>
            <Time at={run.startedAt ?? run.createdAt} />
          </dd>
        </div>
        <div>
          <dt>{words.duration}</dt>
          <dd>
            <Duration from={run.startedAt} to={run.finishedAt} />
          </dd>
        </div>
        <div>
          <dt>{words.trigger}</dt>
          <dd>{[startText(run), starterText(run, run.startedByName)].filter(Boolean).join(" · ")}</dd>
        </div>
      </dl>
      {run.error ? (
        <p className={styles.error}>
          <code>{run.error.code}</code> {run.error.message}
        </p>
      ) : null}
    </section>
  );
}
