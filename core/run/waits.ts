import type { Suspension } from "../../contracts/entities/execution.ts";
import type { Awaited } from "./entry.ts";
import { addressIn, keyOf, type Address, type NodeState } from "./frame.ts";
import type { RunState } from "./state.ts";

/** A step that waits for an answer to its own question, or to a question of its child execution. */
export interface WaitingQuestion {
  at: Address;
  node: NodeState;
  suspension: Suspension;
}

/** The questions that wait for an answer, oldest first. */
export function* openQuestions(state: RunState): Generator<WaitingQuestion> {
  for (const { frame, nodeId, node } of state.waiting.values()) {
    if (node.suspension) yield { at: addressIn(frame, nodeId), node, suspension: node.suspension };
  }
}

/** The question that a suspended run shows. */
export function firstQuestion(state: RunState): (Address & { suspension: Suspension }) | undefined {
  for (const { at, suspension } of openQuestions(state)) return { ...at, suspension };
  return undefined;
}

/** The question of the step at an address. If only a part of the address is given, the first match. */
export function findQuestion(
  state: RunState,
  { nodeId, path, question: asked }: Partial<Address> & { question?: string | undefined },
): WaitingQuestion | undefined {
  for (const question of openQuestions(state)) {
    if (nodeId !== undefined && question.at.nodeId !== nodeId) continue;
    if (asked !== undefined && question.suspension.question !== asked) continue;
    if (path === undefined || keyOf({ nodeId: "", path }) === keyOf({ nodeId: "", path: question.at.path }))
      return question;
  }
  return undefined;
}

/**
 * Whether steps wait for something that arrives through the inbox: an answer, a signal, or news of a child execution.
 */
export function awaitsSignal(state: RunState): boolean {
  for (const { node } of state.waiting.values())
    if (node.waitsFor === "answer" || node.waitsFor === "child" || node.waitsFor === "event") return true;
  return false;
}

/** When a run whose steps all wait continues by itself, ISO 8601; null if a step runs or no time is set. */
export function nextWake(state: RunState): string | null {
  if (state.running > 0) return null;
  let earliest: string | null = null;
  for (const { node } of state.waiting.values()) {
    if (node.until && (!earliest || node.until < earliest)) earliest = node.until;
  }
  return earliest;
}

const isDue = ({ until }: NodeState, now: string): boolean => until !== undefined && until <= now;

/** Whether the inbox decides how the wait ends: with an answer or a signal, or with the end of its time. */
const isDecidedByInbox = ({ waitsFor }: NodeState): boolean => waitsFor === "answer" || waitsFor === "event";

/** The steps whose time has come, except those for which the inbox decides what came first. */
export function dueSteps(state: RunState, now: string): Address[] {
  const due = [...state.waiting.values()].filter(({ node }) => !isDecidedByInbox(node) && isDue(node, now));
  return due.map(({ frame, nodeId }) => addressIn(frame, nodeId));
}

/** The questions and the waits for signals whose time is over. */
export function expiredWaits(state: RunState, now: string): { at: Address; node: NodeState }[] {
  const late = [...state.waiting.values()].filter(({ node }) => isDecidedByInbox(node) && isDue(node, now));
  return late.map(({ frame, nodeId, node }) => ({ at: addressIn(frame, nodeId), node }));
}

/** The steps that wait for signals. */
export function eventWaits(state: RunState): { at: Address; node: NodeState & { awaits: Awaited } }[] {
  return [...state.waiting.values()].flatMap(({ frame, nodeId, node }) =>
    node.waitsFor === "event" && node.awaits
      ? [{ at: addressIn(frame, nodeId), node: { ...node, awaits: node.awaits } }]
      : [],
  );
}
