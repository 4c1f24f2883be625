import { useMemo, useState } from "react";
import type { TestRun } from "../../data/trial.ts";
import type { RunHere } from "../use-run-here.ts";
import { stepsOf } from "./trial.ts";

/** The last test run. The canvas shows it instead of a stored run. */
export function useTrialRun(here: RunHere) {
  const [tried, setTried] = useState<TestRun>();
  const steps = useMemo(() => tried && stepsOf(tried), [tried]);
  return { tried, setTried, shown: steps ? { ...here, run: undefined, steps, pass: undefined } : here };
}
