import { Link } from "@tanstack/react-router";
import { runPath } from "../../data/paths.ts";
import type { Run } from "../../data/runs.ts";
import { m } from "../../messages/index.ts";
import { Status } from "../../ui/status.tsx";
import { shownStatus } from "../runs/run-status.tsx";
import styles from "./run-dots.module.css";

/** The last runs of a workflow as dots, newest last. */
export function RunDots({ runs, w }: { runs: readonly Run[]; w: string }) {
  if (runs.length === 0) return <span className={styles.none}>{m.workflows.neverRun}</span>;
  return (
    <span className={styles.dots}>
      {runs.toReversed().map(run => (
        <Link key={run.id} to={runPath(w, run)} className={styles.dot} title={m.status[shownStatus(run)]}>
          <Status status={shownStatus(run)} iconOnly size={14} />
        </Link>
      ))}
    </span>
  );
}
