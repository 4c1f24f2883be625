import { ConfirmFrame, type ConfirmFrameProps } from "../ui/dialog.tsx";
import { ProblemNotice } from "../ui/states.tsx";
import { type ConfirmedAction, useConfirmed } from "./use-confirmed.ts";

type ConfirmProps = ConfirmedAction & Omit<ConfirmFrameProps, "busy" | "notice" | keyof ConfirmedAction>;

/**
 * Asks before an action that cannot be undone. It stays open while the action runs and if it fails, and closes when the
 * action has succeeded.
 */
export function Confirm({ onConfirm, onClose, ...frame }: ConfirmProps) {
  const { busy, problem, close, confirm } = useConfirmed(frame.open, { onConfirm, onClose });
  return (
    <ConfirmFrame
      {...frame}
      busy={busy}
      notice={problem ? <ProblemNotice problem={problem} /> : null}
      onClose={close}
      onConfirm={confirm}
    />
  );
}
