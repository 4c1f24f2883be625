import { Link } from "@tanstack/react-router";
import { X } from "lucide-react";
import type { Execution } from "../../sdk/definition.ts";
import { runPath } from "../data/paths.ts";
import { words } from "../messages/en-builder.ts";
import { useWorkspace } from "../shell/workspace.ts";
import { buttonClass, IconButton } from "../ui/button.tsx";
import { Status } from "../ui/status.tsx";
import styles from "./builder-parts.module.css";

const nameOf = (run: Execution) =>
  run.status === "suspended" && (run.suspensions?.length ?? 0) > 0 ? ("asking" as const) : run.status;

/** The run whose state is drawn on the canvas. */
export function RunStrip({ run, onClose }: { run: Execution; onClose: () => void }) {
  const { slug } = useWorkspace();
  return (
    <div className={styles.strip} role="status" data-run>
      <Status status={nameOf(run)} />
      {run.error ? <span className={styles.note}>{run.error.message}</span> : null}
      <Link to={runPath(slug, run)} className={buttonClass({ size: "small" })}>
        {words.openRun}
      </Link>
      <IconButton label={words.closeRun} size="small" onClick={onClose}>
        <X size={14} aria-hidden />
      </IconButton>
    </div>
  );
}
