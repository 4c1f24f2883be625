import { NEEDS_SIGNALS } from "../graph/journal-formats.ts";
import { failStep } from "./fail-step.ts";
import { frameAt, type Address, type Frame, type NodeState } from "./frame.ts";
import type { Turn } from "./turn.ts";

/** The answer of a person to a step that asked. */
export interface AnswerGiven extends Address {
  /** The attempt that asked. An answer to an earlier attempt's question does not count. */
  attempt: number;
  approved: boolean;
  data: unknown;
  respondedBy: string;
  respondedAt: string;
}

/** How a question ended. Without an answer, all fields except `approved` are null. */
interface Answered {
  approved: boolean;
  data: unknown;
  respondedBy: string | null;
  respondedAt: string | null;
}

/** Records how the question ended, and performs the step again with that record. */
function goOn(turn: Turn, frame: Frame, nodeId: string, { attempt, question }: NodeState, output: Answered): void {
  const came = output.respondedBy === null ? "The approval was not answered in time." : "The answer has come.";
  turn.addStep(frame, { event: "step.log", nodeId, attempt, message: came, output, record: true, answers: question });
  turn.start(frame, nodeId, "The step goes on with what came of its question.");
}

/** Whether an edge leaves the step at `timeout`. */
const leavesByTimeout = (turn: Turn, nodeId: string) =>
  turn.nodeOf(nodeId)?.out.some(edge => edge.handle === "timeout") ?? false;

/** Ends a wait for which nothing arrived. */
function waitOver(turn: Turn, frame: Frame, nodeId: string, node: NodeState): void {
  turn.resume();
  const durationMs = turn.since(node);
  if (!leavesByTimeout(turn, nodeId)) {
    const error = { code: "wait_expired", message: "No signal arrived before the wait expired." };
    return failStep(turn, frame, nodeId, { kind: "failed", error, retryable: false }, durationMs);
  }
  const output = { data: null, receivedAt: null, source: null };
  turn.settle(frame, { event: "step.completed", nodeId, output, handle: "timeout", durationMs });
}

/** An event that ends a wait. */
export interface EventGiven extends Address {
  /** The attempt that waits. */
  attempt: number;
  signalId: string;
  data: unknown;
  receivedAt: string;
  source: "signal" | "link";
}

/** Ends a wait with the event that arrived for it. A step that no longer waits ignores the event. */
export function endWait(turn: Turn, { nodeId, path, attempt, signalId, ...given }: EventGiven): void {
  const frame = frameAt(turn.state, path);
  const node = frame?.nodes.get(nodeId);
  if (!frame || node?.waitsFor !== "event" || node.attempt !== attempt) return;
  turn.resume();
  const { data, receivedAt, source } = given;
  const output = { data, receivedAt, source };
  const durationMs = turn.since(node);
  turn.settle(frame, {
    event: "step.completed",
    nodeId,
    output,
    handle: "received",
    durationMs,
    signal: signalId,
    needs: NEEDS_SIGNALS,
  });
}

/** Ends a question that was not answered in time. The run leaves the step at `timeout` if an edge has this handle. */
export function expire(turn: Turn, at: Address, attempt: number): void {
  const frame = frameAt(turn.state, at.path);
  const { nodeId } = at;
  const node = frame?.nodes.get(nodeId);
  if (frame && node?.waitsFor === "event" && node.attempt === attempt) return waitOver(turn, frame, nodeId, node);
  if (!frame || node?.waitsFor !== "answer" || node.attempt !== attempt) return;
  turn.resume();
  const output = { approved: false, data: null, respondedBy: null, respondedAt: null };
  if (node.question !== undefined) return goOn(turn, frame, nodeId, node, output);
  const durationMs = turn.since(node);
  if (!leavesByTimeout(turn, nodeId)) {
    const error = { code: "approval_expired", message: "The approval was not answered in time." };
    return failStep(turn, frame, nodeId, { kind: "failed", error, retryable: false }, durationMs);
  }
  turn.settle(frame, { event: "step.completed", nodeId, output, handle: "timeout", durationMs });
}

export function answer(turn: Turn, given: AnswerGiven): void {
  const { nodeId, path, attempt, approved, data, respondedBy, respondedAt } = given;
  const frame = frameAt(turn.state, path);
  const node = frame?.nodes.get(nodeId);
  if (!frame || node?.waitsFor !== "answer" || node.attempt !== attempt) return;
  turn.resume();
  const output = { approved, data, respondedBy, respondedAt };
  if (node.question !== undefined) return goOn(turn, frame, nodeId, node, output);
  const handle = approved ? "approved" : "rejected";
  turn.settle(frame, { event: "step.completed", nodeId, output, handle, durationMs: turn.since(node) });
}
