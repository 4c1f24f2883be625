import type { ExecutionError, ExecutionStatus, Trigger } from "../../contracts/entities/execution.ts";
import type { JournalEntry, StepRecord } from "./entry.ts";
import { newFrame, type Frame, type NodeState } from "./frame.ts";
import { applyStep } from "./step-state.ts";

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

/** Takes one entry into the state. Entries come in the order of their seq. */
export function apply(state: RunState, entry: JournalEntry): void {
  state.seq = entry.seq;
  switch (entry.event) {
    case "execution.created":
      state.input = entry.input;
      state.trigger = entry.trigger;
      state.retryOf = entry.retryOf;
      state.retryFrom = entry.retryFrom;
      state.traceparent = entry.traceparent;
      break;
    case "execution.started":
      state.status = "running";
      state.startedAt = entry.at;
      break;
    case "execution.suspended":
      state.status = "suspended";
      break;
    case "execution.resumed":
      if (entry.lost) state.takeovers++;
      state.status = "running";
      break;
    case "execution.completed":
      state.status = "completed";
      state.output = entry.output;
      break;
    case "execution.failed":
      state.status = "failed";
      state.error = entry.error ?? null;
      break;
    case "execution.cancelled":
      state.status = "cancelled";
      state.error = entry.error ?? null;
      break;
    default:
      applyStep(state, entry, entry.nodeId ?? "");
  }
}

export function fold(entries: Iterable<JournalEntry>, state = emptyState()): RunState {
  for (const entry of entries) apply(state, entry);
  return state;
}
