import type { ExecutionError, ExecutionStatus, Suspension, Trigger } from "../../contracts/entities/execution.ts";
import type { JournalEntry, StepEntry } from "./entry.ts";

export interface NodeState {
  status: "running" | "waiting" | "completed" | "failed" | "skipped";
  /** Starts so far, those cut off by a lost worker included. */
  attempt: number;
  /** Failures so far; the retry policy counts these. */
  failures: number;
  output?: unknown;
  /** What a settled node left by; null when nothing leaves it. */
  handle: string | null;
  startedAt: string;
  until?: string;
  suspension?: Suspension;
  /** Why it waits: an answer, a delay's end, or the next attempt. */
  waitsFor?: "answer" | "delay" | "retry";
}

/** The state of an execution: a fold of its journal and nothing else. */
export interface RunState {
  /** Of the last entry. -1 before the first. */
  seq: number;
  status: ExecutionStatus;
  input: unknown;
  trigger: Trigger;
  retryOf?: string;
  startedAt: string | null;
  nodes: Map<string, NodeState>;
  /** Outputs by node id, as expressions see them. */
  steps: Record<string, unknown>;
  /** How many nodes run or wait. */
  active: number;
  /** Workers lost since a step was last finished. */
  takeovers: number;
  output: unknown;
  error: ExecutionError | null;
}

export function emptyState(): RunState {
  return {
    seq: -1,
    status: "pending",
    input: null,
    trigger: { type: "manual" },
    startedAt: null,
    nodes: new Map(),
    // Node ids are users' words: no prototype to run into.
    steps: Object.create(null) as Record<string, unknown>,
    active: 0,
    takeovers: 0,
    output: null,
    error: null,
  };
}

const isActive = (node: NodeState | undefined): boolean => node?.status === "running" || node?.status === "waiting";
export const isFinal = (status: ExecutionStatus): boolean =>
  status === "completed" || status === "failed" || status === "cancelled";

function settle(state: RunState, entry: StepEntry, nodeId: string, status: NodeState["status"]): void {
  const before = state.nodes.get(nodeId);
  if (isActive(before)) state.active--;
  state.takeovers = 0;
  state.nodes.set(nodeId, {
    status,
    attempt: before?.attempt ?? 0,
    failures: before?.failures ?? 0,
    startedAt: before?.startedAt ?? entry.at,
    output: entry.output,
    handle: entry.handle ?? null,
  });
  if (status !== "skipped") state.steps[nodeId] = entry.output;
}

function wait(
  state: RunState,
  entry: StepEntry,
  nodeId: string,
  waitsFor: NodeState["waitsFor"],
  failed: number,
): void {
  const before = state.nodes.get(nodeId);
  if (!isActive(before)) state.active++;
  state.nodes.set(nodeId, {
    status: "waiting",
    attempt: before?.attempt ?? 1,
    failures: (before?.failures ?? 0) + failed,
    startedAt: before?.startedAt ?? entry.at,
    output: entry.output,
    handle: null,
    until: entry.until,
    suspension: entry.suspension,
    waitsFor,
  });
}

function start(state: RunState, entry: StepEntry, nodeId: string): void {
  const before = state.nodes.get(nodeId);
  if (!isActive(before)) state.active++;
  state.nodes.set(nodeId, {
    status: "running",
    attempt: entry.attempt ?? 1,
    failures: before?.failures ?? 0,
    startedAt: entry.at,
    handle: null,
  });
}

/** Takes one entry into the state. Entries come in the order of their seq. */
export function apply(state: RunState, entry: JournalEntry): void {
  state.seq = entry.seq;
  if (entry.event === "execution.created") {
    state.input = entry.input;
    state.trigger = entry.trigger;
    state.retryOf = entry.retryOf;
    return;
  }
  const nodeId = entry.nodeId ?? "";
  switch (entry.event) {
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
      break;
    case "step.started":
      start(state, entry, nodeId);
      break;
    case "step.completed":
      settle(state, entry, nodeId, "completed");
      break;
    case "step.failed":
      settle(state, entry, nodeId, "failed");
      break;
    case "step.skipped":
      settle(state, entry, nodeId, "skipped");
      break;
    case "step.retrying":
      wait(state, entry, nodeId, "retry", 1);
      break;
    case "step.log":
      if (entry.suspension) wait(state, entry, nodeId, "answer", 0);
      else if (entry.until) wait(state, entry, nodeId, "delay", 0);
      break;
  }
}

export function fold(entries: Iterable<JournalEntry>, state = emptyState()): RunState {
  for (const entry of entries) apply(state, entry);
  return state;
}
