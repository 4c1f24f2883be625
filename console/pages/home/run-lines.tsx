import { Link } from "@tanstack/react-router";
import { RotateCcw } from "lucide-react";
import { runPath } from "../../data/paths.ts";
import { useRetryRun } from "../../data/run-actions.ts";
import type { Run } from "../../data/runs.ts";
import { m } from "../../messages/index.ts";
import { includesRole, useWorkspace } from "../../shell/workspace.ts";
import { IconButton } from "../../ui/button.tsx";
import { cx } from "../../ui/cx.ts";
import cut from "../../ui/cut.module.css";
import { Time } from "../../ui/time.tsx";
import { toast } from "../../ui/toast.tsx";
import { runDetail, RunStatus } from "../runs/run-status.tsx";
import styles from "./home.module.css";

const nameOf = ({ workflowName, workflowId }: Run) => workflowName ?? workflowId.slice(0, 8);

/** Retries a failed run, from the step that failed. */
function Retry({ run }: { run: Run }) {
  const { id: workspaceId, role } = useWorkspace();
  const retry = useRetryRun({ workspaceId, spaceId: run.spaceId, id: run.id });
  const may = includesRole(role, "editor");
  return (
    <IconButton
      size="small"
      className={styles.act}
      label={m.home.retry(nameOf(run))}
      disabled={!may}
      title={may ? m.home.retryHint : m.needsRole(m.role.editor)}
      busy={retry.isPending}
      onClick={() => retry.mutate({}, { onSuccess: () => toast.done(m.home.retried) })}
    >
      <RotateCcw size={14} aria-hidden />
    </IconButton>
  );
}

/** A compact list of runs: state, name, the most important detail, and time. Failed runs can be retried. */
export const RunLines = ({ runs, w, retry = false }: { runs: readonly Run[]; w: string; retry?: boolean }) => (
  <ul>
    {runs.map(run => (
      <li key={run.id} className={styles.line} data-row={run.id}>
        <RunStatus run={run} iconOnly />
        <Link to={runPath(w, run)} className={cx(styles.name, cut.line)}>
          {nameOf(run)}
        </Link>
        <span className={cx(styles.matters, cut.line)}>{runDetail(run)}</span>
        <span className={styles.when}>
          <Time at={run.startedAt ?? run.createdAt} />
        </span>
        {retry ? <Retry run={run} /> : null}
      </li>
    ))}
  </ul>
);
