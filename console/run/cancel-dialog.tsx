import { useState } from "react";
import type { Execution } from "../../sdk/definition.ts";
import { useCancelRun } from "../data/run-actions.ts";
import type { RunAddress } from "../data/run-types.ts";
import { runTexts } from "../messages/en-run.ts";
import { Confirm } from "../shell/confirm.tsx";
import { Checkbox } from "../ui/checkbox.tsx";
import styles from "./run-head.module.css";

interface CancelDialogProps {
  at: RunAddress;
  run: Execution;
  /** Whether the definition has compensations. */
  undoable: boolean;
  onClose: () => void;
}

/** Asks for confirmation before a run is cancelled, and whether to undo its completed steps. */
export function CancelDialog({ at, run, undoable, onClose }: CancelDialogProps) {
  const cancel = useCancelRun(at);
  const [compensate, setCompensate] = useState(false);
  const undoing = run.compensation?.status === "running";
  return (
    <Confirm
      open
      onClose={onClose}
      title={runTexts.run.cancelTitle}
      keep={runTexts.run.cancelNot}
      confirm={compensate && !undoing ? runTexts.run.cancelUndoing : runTexts.run.cancel}
      onConfirm={() => cancel.mutateAsync(compensate && !undoing)}
    >
      <p>{undoing ? runTexts.run.cancelCutsOff : runTexts.run.cancelDetail}</p>
      {undoable && !undoing ? (
        <label className={styles.undo}>
          <Checkbox label={runTexts.run.undoFirst} checked={compensate} onChange={setCompensate} />
          <span aria-hidden>{runTexts.run.undoFirst}</span>
        </label>
      ) : null}
    </Confirm>
  );
}
