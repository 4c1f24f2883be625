import type { Suspension } from "../../contracts/entities/execution.ts";
import { addressIn, keyOf, type Address, type NodeState } from "./frame.ts";
import type { RunState } from "./state.ts";

/** A step that waits for an answer to its own question, or to a question of its child execution. */
export interface Question {
  at: Address;
  node: NodeState;
  suspension: Suspension;
}

/** The questions that wait for an answer, oldest first. */
export function* openQuestions(state: RunState): Generator<Question> {
  for (const { frame, nodeId, node } of state.waiting.values()) {
    if (node.suspension) yield { at: addressIn(frame, nodeId), node, suspension: node.suspension };
  }
}

/** The question that a suspended run shows. */
export function firstQuestion(state: RunState): (Address & { suspension: Suspension }) | undefined {
  for (const { at, suspension } of openQuestions(state)) return { ...at, suspension };
  return undefined;
}

/** The question of the step at an address; the first that matches where only a part of the address is given. */
export function findQuestion(
  state: RunState,
  { nodeId, path, question: asked }: Partial<Address> & { question?: string | undefined },
): Question | undefined {
  for (const question of openQuestions(state)) {
    if (nodeId !== undefined && question.at.nodeId !== nodeId) continue;
    if (asked !== undefined && question.suspension.question !== asked) continue;
    if (path === undefined || keyOf({ nodeId: "", path }) === keyOf({ nodeId: "", path: question.at.path }))
      return question;
  }
  return undefined;
}

/** Whether steps wait for something that a signal tells: an answer, or news of a child execution. */
export function awaitsSignal(state: RunState): boolean {
  for (const { node } of state.waiting.values())
    if (node.waitsFor === "answer" || node.waitsFor === "child") return true;
  return false;
}

/** When a run whose steps all wait goes on by itself, ISO 8601; null when a step runs or no time is set. */
export function nextWake(state: RunState): string | null {
  if (state.running > 0) return null;
  let earliest: string | null = null;
  for (const { node } of state.waiting.values()) {
    if (node.until && (!earliest || node.until < earliest)) earliest = node.until;
  }
  return earliest;
}

const isOver = ({ until }: NodeState, now: string): boolean => until !== undefined && until <= now;

/** The steps whose time has come, except questions. For those the inbox decides whether an answer came first. */
export function dueSteps(state: RunState, now: string): Address[] {
  const due = [...state.waiting.values()].filter(({ node }) => node.waitsFor !== "answer" && isOver(node, now));
  return due.map(({ frame, nodeId }) => addressIn(frame, nodeId));
}

/** The questions whose time is over. */
export function lateQuestions(state: RunState, now: string): Question[] {
  return [...openQuestions(state)].filter(({ node }) => node.waitsFor === "answer" && isOver(node, now));
}
