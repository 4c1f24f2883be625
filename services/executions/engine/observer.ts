import type { WorkflowGraph } from "../../../core/graph/graph.ts";
import type { StepEntry, StepResult, CreatedEntry } from "../../../core/run/entry.ts";
import type { Address } from "../../../core/run/frame.ts";
import type { RunState } from "../../../core/run/state.ts";
import type { ExecutionDoc } from "../store/model.ts";
import type { Ended } from "./waiters.ts";

/** What performing a step returns: its result, or undefined when the step waits. */
export type Performed = StepResult | Promise<StepResult> | undefined;

/** Observes one run while this worker holds it. */
export interface RunObserver {
  /** Calls `act` on behalf of the run, with everything that `act` begins. */
  within<T>(act: () => T): T;
  /** The entries are stored; the write took `ms` milliseconds. */
  appended(entries: readonly StepEntry[], ms: number): void;
  /** Performs a step. */
  step<R extends Performed>(at: Address, act: () => R): R;
  left(why: LeaveReason): void;
}

/** Observes all runs of this worker. It measures, logs and traces. It neither throws nor waits. */
export interface EngineObserver {
  /** An attempt to claim one run took `ms` milliseconds. */
  claimed(ms: number, found: boolean): void;
  /** Calls `act` on behalf of an execution. */
  within<T>(doc: Pick<ExecutionDoc, "id" | "workspaceId">, act: () => T): T;
  /** This worker begins to hold a run. */
  run(doc: ExecutionDoc, state: RunState, graph: WorkflowGraph): RunObserver;
}

/**
 * Why a run left this worker. `ended`: it has finished. `parked`: it waits in the store. `lost`: an append failed, or
 * another worker has it. `unborn`: it was never stored.
 */
export type LeaveReason = "ended" | "parked" | "lost" | "unborn";

/**
 * A new execution that starts on this worker without a claim. Its document and entry 0 are stored together with its
 * first entries.
 */
export interface Opening {
  created: CreatedEntry;
  /** The first append is stored. `ended` is set if the execution ended with it. */
  stored: (ended?: Ended) => void;
  failed: (error: unknown) => void;
}
