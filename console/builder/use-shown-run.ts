import { useEffect, useState } from "react";
import type { WorkflowAddress } from "../data/builder.ts";
import { type BuilderDocument, pathTo, useDocumentOf } from "./document/index.ts";
import { useTrialRun } from "./trial/use-trial-run.ts";
import { useCanvasRun } from "./use-canvas-run.ts";

const SEPARATOR = "\n";

/** The run or test run on the canvas. `selected` decides which items are shown. */
export function useShownRun(doc: BuilderDocument, at: WorkflowAddress, selected: string | undefined) {
  const [runId, setRunId] = useState<string>();
  // A string, so that nothing is drawn again while the containers stay the same.
  const around = useDocumentOf(doc, state => pathTo(state, selected).join(SEPARATOR));
  const address = runId === undefined ? undefined : { ...at, id: runId };
  const { tried, setTried, shown } = useTrialRun(useCanvasRun(address, around === "" ? [] : around.split(SEPARATOR)));
  useEffect(() => setTried(undefined), [runId, setTried]);
  return { runId, setRunId, tried, setTried, shown };
}
