import { useMemo, useState } from "react";
import type { Execution } from "../../../sdk/definition.ts";
import type { Step } from "../../data/run-types.ts";
import type { TestRun } from "../../data/trial.ts";
import { stepsOf } from "./trial.ts";

interface Shown {
  run: Execution | undefined;
  steps: ReadonlyMap<string, Step>;
}

/** The last test run, which is drawn on the canvas in place of the run that would be shown there. */
export function useTried(here: Shown) {
  const [tried, setTried] = useState<TestRun>();
  const steps = useMemo(() => tried && stepsOf(tried), [tried]);
  return { tried, setTried, shown: steps ? { run: undefined, steps } : here };
}
