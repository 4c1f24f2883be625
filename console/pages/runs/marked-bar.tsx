import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { type Progress, type Run, useActOnRuns } from "../../data/runs.ts";
import { m } from "../../messages/index.ts";
import { includesRole, useWorkspace } from "../../shell/workspace.ts";
import { Button, buttonClass } from "../../ui/button.tsx";
import { Confirm } from "../../ui/dialog.tsx";
import { toast } from "../../ui/toast.tsx";
import styles from "./marked-bar.module.css";

const ENDED = new Set(["completed", "failed", "cancelled"]);

/** What can be done with the marked runs. Each result is told. */
export function MarkedBar({ runs, onClear }: { runs: readonly Run[]; onClear: () => void }) {
  const { id, slug, role } = useWorkspace();
  // Ids sort by creation.
  const [older, newer] = runs.toSorted((one, other) => (one.id < other.id ? -1 : 1));
  const [asking, setAsking] = useState(false);
  const [progress, setProgress] = useState<Progress>();
  const cancel = useActOnRuns(id, "cancel");
  const retry = useActOnRuns(id, "retry");
  const busy = cancel.isPending || retry.isPending;
  const open = runs.filter(({ status }) => !ENDED.has(status));
  const again = runs.filter(({ status }) => status === "failed" || status === "cancelled");
  const missing = includesRole(role, "editor") ? undefined : m.needsRole(m.role.editor);
  const tell = (text: (n: number) => string) => ({
    onSuccess: ({ done, failed }: { done: number; failed: number }) => {
      if (failed > 0) toast.failed(m.runs.notAll(failed, done + failed));
      else toast.done(text(done));
      setAsking(false);
      onClear();
    },
  });
  const act = (some: readonly Run[]) => ({ runs: some, onProgress: setProgress });
  return (
    <div className={styles.bar} role="toolbar" aria-label={m.runs.marked(runs.length)}>
      <span className={styles.count} role="status">
        {busy && progress
          ? m.runs.progress(progress.done + progress.failed, progress.total)
          : m.runs.marked(runs.length)}
      </span>
      <Button
        size="small"
        busy={retry.isPending}
        disabled={again.length === 0 || missing !== undefined || cancel.isPending}
        title={missing}
        onClick={() => retry.mutate(act(again), tell(m.runs.retried))}
      >
        {m.runs.retry}
      </Button>
      <Button
        size="small"
        tone="danger"
        disabled={open.length === 0 || missing !== undefined || retry.isPending}
        title={missing}
        onClick={() => setAsking(true)}
      >
        {m.runs.cancel}
      </Button>
      {runs.length === 2 ? (
        <Link
          to="/w/$w/runs/$a/vs/$b"
          params={{ w: slug, a: older!.id, b: newer!.id }}
          className={buttonClass({ size: "small" })}
        >
          {m.compare.open}
        </Link>
      ) : null}
      <Button size="small" tone="quiet" onClick={onClear}>
        {m.runs.unmark}
      </Button>
      <Confirm
        open={asking}
        onClose={() => setAsking(false)}
        title={m.runs.cancelTitle(open.length)}
        confirm={m.runs.cancel}
        busy={cancel.isPending}
        onConfirm={() => cancel.mutate(act(open), tell(m.runs.cancelled))}
      >
        {m.runs.cancelDetail}
      </Confirm>
    </div>
  );
}
