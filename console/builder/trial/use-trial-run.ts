import { useMemo, useState } from "react";
import type { TestRun } from "../../data/trial.ts";
import type { CanvasRun } from "../use-canvas-run.ts";
import { stepsOf } from "./trial.ts";

/** The last test run. The canvas shows it instead of a stored run. */
export function useTrialRun(here: CanvasRun) {
  const [tried, setTried] = useState<TestRun>();
  const steps = useMemo(() => tried && stepsOf(tried), [tried]);
  return { tried, setTried, shown: steps ? { ...here, run: undefined, steps, pass: undefined } : here };
}
