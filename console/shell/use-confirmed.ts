import { useEffect, useRef, useState } from "react";
import { problemOf } from "../data/problem.ts";
import type { Problem } from "../ui/states.tsx";
import { toast } from "../ui/toast.tsx";

export interface ConfirmedAction {
  /**
   * Runs the action. The dialog stays open until the promise settles. It closes if the promise fulfils, except with
   * `false`, which asks again. It shows the error if the promise rejects, so mutations need `meta: { shown: true }`.
   */
  onConfirm: () => Promise<unknown> | undefined;
  onClose: () => void;
}

/** Runs the action of a dialog that asks for confirmation, and tells whether it is running and why it failed. */
export function useConfirmed(open: boolean, { onConfirm, onClose }: ConfirmedAction) {
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem>();
  /** The number of the try that the dialog shows. It changes when the user leaves the dialog. */
  const shown = useRef(0);
  useEffect(() => () => void shown.current++, []);
  const end = (failure?: Problem) => {
    setBusy(false);
    setProblem(failure);
  };
  const close = () => {
    shown.current++;
    end();
    onClose();
  };
  const confirm = async () => {
    // A press while the dialog fades out.
    if (!open) return;
    const own = ++shown.current;
    setBusy(true);
    setProblem(undefined);
    try {
      const asksAgain = (await onConfirm()) === false;
      if (own !== shown.current) return;
      if (asksAgain) end();
      else close();
    } catch (error) {
      // The user has left the dialog, which can no longer show the failure.
      if (own !== shown.current) toast.problem(problemOf(error));
      else end(problemOf(error));
    }
  };
  return { busy, problem, close, confirm: () => void confirm() };
}
