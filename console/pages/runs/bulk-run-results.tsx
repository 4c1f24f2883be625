import { Link } from "@tanstack/react-router";
import type { BulkResult } from "../../data/bulk-runs.ts";
import { runPath } from "../../data/paths.ts";
import type { Run } from "../../data/runs.ts";
import { words } from "../../messages/en-marked-runs.ts";
import { useWorkspace } from "../../shell/workspace.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { RunStatus } from "./run-status.tsx";
import styles from "./bulk-run-results.module.css";

interface MarkedResultsProps {
  result: BulkResult;
  /** The runs that were selected. */
  runs: readonly Run[];
  onClose: () => void;
}

/** Lists the selected runs that could not be changed, with the reasons. */
export default function BulkRunResults({ result, runs, onClose }: MarkedResultsProps) {
  const { slug } = useWorkspace();
  const { done, failed, errors } = result;
  const untold = failed - errors.length;
  return (
    <Dialog
      open
      onClose={onClose}
      title={words.notAll(failed, done + failed)}
      actions={<Button onClick={onClose}>{words.close}</Button>}
    >
      <ul className={styles.list} aria-label={words.failedRuns}>
        {errors.map(({ executionId, message }) => {
          const run = runs.find(({ id }) => id === executionId);
          return (
            <li key={executionId} className={styles.one}>
              {run ? <RunStatus run={run} iconOnly /> : null}
              {run ? (
                <Link to={runPath(slug, run)} className={styles.name}>
                  {run.workflowName ?? run.workflowId.slice(0, 8)} <code>{executionId.slice(-6)}</code>
                </Link>
              ) : (
                <code>{executionId}</code>
              )}
              <span className={styles.why}>{message}</span>
            </li>
          );
        })}
      </ul>
      {untold > 0 ? <p className={styles.why}>{words.others(untold)}</p> : null}
    </Dialog>
  );
}
