import { Link } from "@tanstack/react-router";
import { runPath } from "../../data/paths.ts";
import type { Run } from "../../data/runs.ts";
import { Time } from "../../ui/time.tsx";
import { RunStatus, whatMatters } from "../runs/run-status.tsx";
import styles from "./home.module.css";

/** Runs in a narrow list: state, name, what matters, when. */
export const RunLines = ({ runs, w }: { runs: readonly Run[]; w: string }) => (
  <ul>
    {runs.map(run => (
      <li key={run.id} className={styles.line} data-row={run.id}>
        <RunStatus run={run} iconOnly />
        <Link to={runPath(w, run)} className={styles.name}>
          {run.workflowName ?? run.workflowId.slice(0, 8)}
        </Link>
        <span className={styles.matters}>{whatMatters(run)}</span>
        <span className={styles.when}>
          <Time at={run.startedAt ?? run.createdAt} />
        </span>
      </li>
    ))}
  </ul>
);
