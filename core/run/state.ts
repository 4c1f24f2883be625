import type { ExecutionError, ExecutionStatus, Trigger } from "../../contracts/entities/execution.ts";
import type { StepRecord } from "./entry.ts";
import { newFrame, type Frame, type NodeState } from "./frame.ts";

/** The state of an execution: a fold of its journal and nothing else. It is the frame of the run itself, too. */
export interface RunState extends Frame {
  /** Of the last entry. -1 before the first. */
  seq: number;
  status: ExecutionStatus;
  input: unknown;
  trigger: Trigger;
  retryOf?: string | undefined;
  retryFrom?: string | null | undefined;
  traceparent?: string | undefined;
  startedAt: string | null;
  /** Steps that run, on all levels. */
  running: number;
  /** Steps that wait, on all levels, by their address. */
  waiting: Map<string, { frame: Frame; nodeId: string; node: NodeState }>;
  /** Items of maps that run. */
  frames: number;
  /** Executions that steps of the retried run waited for, by the step's address. */
  formerChildren: Map<string, string>;
  /** What steps of the retried run had done of their work, by the step's address. */
  formerRecords: Map<string, readonly StepRecord[]>;
  /** Of all records that are kept, as JSON. */
  recordChars: number;
  /** Executions that steps waited for until they were given up. Whoever moves the run on takes them out. */
  orphans: string[];
  /** Whether there ever were any: when the run ends, it is seen to that none of them goes on. */
  hadOrphans: boolean;
  /** Workers lost since a step was last finished. */
  takeovers: number;
  output: unknown;
  error: ExecutionError | null;
}

export function emptyState(): RunState {
  return {
    ...newFrame([], null, undefined),
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
    takeovers: 0,
    output: null,
    error: null,
  };
}

export const isFinal = (status: ExecutionStatus): boolean =>
  status === "completed" || status === "failed" || status === "cancelled";
