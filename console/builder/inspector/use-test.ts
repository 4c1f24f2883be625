import { useEffect, useRef, useState } from "react";
import type { StepTest } from "../../../sdk/definition.ts";
import { faultsIn, problemOf } from "../../data/problem.ts";
import { testStep } from "../../data/step-values.ts";
import type { Problem } from "../../ui/states.tsx";
import { useBuilder } from "../builder-context.tsx";
import type { StepSample } from "./use-step-sample.ts";

/** The outcome of a test: its result, or why it has none. */
export interface Tested {
  result: StepTest | undefined;
  problem: Problem | undefined;
  /** Faults in the fields of the step, with their places in its data. */
  faults?: readonly { path: string; message: string }[];
}

/** The service reports places within the whole definition. */
const IN_DEFINITION = /^\/definition\/nodes\/\d+(\/data)?/;
const placed = (error: unknown) =>
  faultsIn(error).map(({ path, message }) => ({ path: path.replace(IN_DEFINITION, ""), message }));

/** Tests a step with its current data. A second test replaces the first, which then has no outcome. */
export function useTest(nodeId: string, { at, chosen }: StepSample) {
  const { doc } = useBuilder();
  const [tested, setTested] = useState<Tested>();
  const [busy, setBusy] = useState(false);
  const stop = useRef<AbortController>(undefined);
  useEffect(() => () => stop.current?.abort(), []);
  const test = async (): Promise<Tested | undefined> => {
    stop.current?.abort();
    const own = (stop.current = new AbortController());
    setBusy(true);
    const outcome = await testStep(at, nodeId, chosen, doc.toDefinition(), own.signal).then(
      (result): Tested => ({ result, problem: undefined }),
      (error: unknown): Tested => ({ result: undefined, problem: problemOf(error), faults: placed(error) }),
    );
    if (own.signal.aborted) return undefined;
    setTested(outcome);
    setBusy(false);
    return outcome;
  };
  return { tested, busy, test };
}
