import type { Compensation, ExecutionError, ExecutionStatus, Trigger } from "../../contracts/entities/execution.ts";
import type { StepRecord } from "./entry.ts";
import { newFrame, type Frame, type NodeState } from "./frame.ts";

/** Why a run undoes its steps: it failed with this error, or it was cancelled. */
export interface Undoing {
  error: ExecutionError | null;
  cancelled: boolean;
  /** The compensation that began last. */
  at?: { frame: Frame; nodeId: string } | undefined;
}

/** The state of an execution, folded from its journal. It is also the frame of the run itself. */
export interface RunState extends Frame {
  /** The seq of the last entry; -1 before the first. */
  seq: number;
  status: ExecutionStatus;
  input: unknown;
  trigger: Trigger;
  retryOf?: string | undefined;
  retryFrom?: string | null | undefined;
  traceparent?: string | undefined;
  startedAt: string | null;
  /** The number of running steps, on all levels. */
  running: number;
  /** The waiting steps, on all levels, by address. */
  waiting: Map<string, { frame: Frame; nodeId: string; node: NodeState }>;
  /** The number of running map items and loop rounds. */
  frames: number;
  /** The child executions of the retried run, by the step's address. */
  formerChildren: Map<string, string>;
  /** The records of steps of the retried run, by the step's address. */
  formerRecords: Map<string, readonly StepRecord[]>;
  /** The length of all kept records together, as JSON. */
  recordChars: number;
  /** Child executions whose steps were given up. The worker that moves the run on clears this list. */
  orphans: string[];
  /** Whether some value is stored as a file, so expressions may need it loaded. */
  hasLarge: boolean;
  /** Whether there ever were orphans. If so, the end of the run makes sure that none of them continues. */
  hadOrphans: boolean;
  /** The number of finished steps inside maps and loops that a compensation may have to undo. */
  undoables: number;
  /** Workers lost since a step last finished or was recorded. */
  takeovers: number;
  output: unknown;
  error: ExecutionError | null;
  /** Set while the run undoes its steps before it ends. */
  undoing: Undoing | null;
  /** The outcome of the compensations, if there were any. */
  compensation: Compensation | null;
}

export function emptyState(): RunState {
  return {
    ...newFrame([], null, undefined, false),
    seq: -1,
    status: "pending",
    input: null,
    trigger: { type: "manual" },
    startedAt: null,
    running: 0,
    waiting: new Map(),
    frames: 0,
    formerChildren: new Map(),
    formerRecords: new Map(),
    recordChars: 0,
    orphans: [],
    hadOrphans: false,
    undoables: 0,
    takeovers: 0,
    output: null,
    error: null,
    undoing: null,
    compensation: null,
    hasLarge: false,
  };
}

export const isFinal = (status: ExecutionStatus): boolean =>
  status === "completed" || status === "failed" || status === "cancelled";
