import { Link } from "@tanstack/react-router";
import { ChevronDown } from "lucide-react";
import { Suspense, useState } from "react";
import { type BulkResult, type BulkRetry, type Progress, useActOnRuns } from "../../data/bulk-runs.ts";
import type { Run } from "../../data/runs.ts";
import { runTexts } from "../../messages/en-run.ts";
import { words } from "../../messages/en-marked-runs.ts";
import { m } from "../../messages/index.ts";
import { Confirm } from "../../shell/confirm.tsx";
import { includesRole, useWorkspace } from "../../shell/workspace.ts";
import { Button, buttonClass } from "../../ui/button.tsx";
import { lazy } from "../../ui/lazy.tsx";
import { Menu, MenuItem, MenuSeparator } from "../../ui/menu.tsx";
import { toast } from "../../ui/toast.tsx";
import styles from "./selected-runs-bar.module.css";

/** Loaded if something failed. */
const BulkRunResults = lazy(() => import("./bulk-run-results.tsx"));

const ENDED = new Set(["completed", "failed", "cancelled"]);

/** The actions for the selected runs. Each one reports its result. */
export function SelectedRunsBar({ runs, onClear }: { runs: readonly Run[]; onClear: () => void }) {
  const { id, slug, role } = useWorkspace();
  // Ids sort by time of creation.
  const [older, newer] = runs.toSorted((one, other) => (one.id < other.id ? -1 : 1));
  const [asking, setAsking] = useState(false);
  const [progress, setProgress] = useState<Progress>();
  const cancel = useActOnRuns(id, "cancel");
  const retry = useActOnRuns(id, "retry");
  const remove = useActOnRuns(id, "delete");
  const [removing, setRemoving] = useState(false);
  const [result, setResult] = useState<BulkResult>();
  const busy = cancel.isPending || retry.isPending || remove.isPending;
  const open = runs.filter(({ status }) => !ENDED.has(status));
  const ended = runs.filter(({ status }) => status === "failed" || status === "cancelled");
  const over = runs.filter(({ status }) => ENDED.has(status));
  const notAdmin = includesRole(role, "admin") ? undefined : m.needsRole(m.role.admin);
  const missing = includesRole(role, "editor") ? undefined : m.needsRole(m.role.editor);
  const tell = (text: (n: number) => string) => ({
    onSuccess: (given: BulkResult) => {
      if (given.done > 0) toast.done(text(given.done));
      if (given.failed > 0) setResult(given);
      else onClear();
    },
  });
  const counted = busy && progress && words.progress(progress.done + progress.failed, progress.total);
  const act = (some: readonly Run[]) => ({ runs: some, onProgress: setProgress });
  const again = (options: BulkRetry) => retry.mutate({ ...act(ended), options }, tell(words.retried));
  const cannotRetry = ended.length === 0 || missing !== undefined || cancel.isPending || remove.isPending;
  return (
    <div className={styles.bar} role="toolbar" aria-label={words.marked(runs.length)}>
      <span className={styles.count} role="status">
        {counted || words.marked(runs.length)}
      </span>
      <Menu
        trigger={
          <Button size="small" busy={retry.isPending} disabled={cannotRetry} title={missing}>
            {words.retry} <ChevronDown size={13} aria-hidden />
          </Button>
        }
      >
        <MenuItem onSelect={() => again({})}>{runTexts.run.retryFailed}</MenuItem>
        <MenuItem onSelect={() => again({ fromStart: true })}>{runTexts.run.retryStart}</MenuItem>
        <MenuSeparator />
        <MenuItem onSelect={() => again({ fromStart: true, version: "latest" })}>{runTexts.run.retryLatest}</MenuItem>
      </Menu>
      <Button
        size="small"
        tone="danger"
        disabled={open.length === 0 || missing !== undefined || retry.isPending || remove.isPending}
        title={missing}
        onClick={() => setAsking(true)}
      >
        {words.cancel}
      </Button>
      <Button
        size="small"
        tone="danger"
        disabled={over.length === 0 || notAdmin !== undefined || cancel.isPending || retry.isPending}
        title={notAdmin}
        onClick={() => setRemoving(true)}
      >
        {words.remove}
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
        {words.unmark}
      </Button>
      {result ? (
        <Suspense fallback={null}>
          <BulkRunResults result={result} runs={runs} onClose={onClear} />
        </Suspense>
      ) : null}
      <Confirm
        open={asking}
        onClose={() => setAsking(false)}
        title={words.cancelTitle(open.length)}
        confirm={words.cancel}
        onConfirm={() => cancel.mutateAsync(act(open), tell(words.cancelled))}
      >
        {counted || words.cancelDetail}
      </Confirm>
      <Confirm
        open={removing}
        onClose={() => setRemoving(false)}
        title={words.removeTitle(over.length)}
        confirm={words.remove}
        onConfirm={() => remove.mutateAsync(act(over), tell(words.removed))}
      >
        {counted || words.removeDetail}
      </Confirm>
    </div>
  );
}
