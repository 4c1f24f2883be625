import type { WorkflowGraph } from "../../../core/graph/graph.ts";
import type { StepEntry, StepResult } from "../../../core/run/entry.ts";
import type { Address } from "../../../core/run/frame.ts";
import type { RunState } from "../../../core/run/state.ts";
import type { ExecutionDoc } from "../model.ts";
import type { Leave } from "./opening.ts";

type Performed = StepResult | Promise<StepResult> | undefined;

/** What is told of one run while it is in this worker's hands. */
export interface RunObserver {
  /** Does something on behalf of the run, with all that it begins. */
  within<T>(act: () => T): T;
  /** These entries are stored, which took so long. */
  appended(entries: readonly StepEntry[], ms: number): void;
  /** Performs a step. */
  step<R extends Performed>(at: Address, act: () => R): R;
  left(why: Leave): void;
}

/** What is told of runs as they go on. It measures, logs and traces; it neither throws nor waits. */
export interface EngineObserver {
  /** Looking for one run to claim took so long. */
  claimed(ms: number, found: boolean): void;
  /** Does something on behalf of an execution. */
  within<T>(doc: Pick<ExecutionDoc, "id" | "workspaceId">, act: () => T): T;
  /** A run comes into this worker's hands. */
  run(doc: ExecutionDoc, state: RunState, graph: WorkflowGraph): RunObserver;
}
