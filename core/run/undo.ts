import type { Compensation } from "../../contracts/entities/execution.ts";
import type { Graph, GraphNode } from "../graph/graph.ts";
import { type Frame, framesWithin } from "./frame.ts";
import type { RunState, Undoing } from "./state.ts";

/** A step whose policy names a compensation. */
type Undoable = GraphNode & { compensation: GraphNode };

/** A finished step with a compensation, in the run itself, an item of a map or a round of a loop. */
export interface UndoableStep {
  frame: Frame;
  node: Undoable;
}

export const isUndoable = (node: GraphNode): node is Undoable => node.compensation !== null && !node.disabled;

/** The frames in which steps run or may run: the live frames of the run, and the frame in which it undoes a step. */
export function* runningFrames(state: RunState): Generator<Frame> {
  yield* framesWithin(state);
  const undoneIn = state.undoing?.at?.frame;
  if (undoneIn?.parent) yield* framesWithin(undoneIn);
}

/** All finished steps with a compensation, in no particular order. */
function* doneWithin(graph: Graph, frame: Frame): Generator<UndoableStep> {
  for (const node of graph.nodes) {
    const known = frame.nodes.get(node.id);
    if (known?.status === "completed" && isUndoable(node)) yield { frame, node };
    if (!known || !node.body) continue;
    for (const pass of known.map?.frames.values() ?? []) yield* doneWithin(node.body, pass);
    for (const pass of known.past?.values() ?? []) yield* doneWithin(node.body, pass);
  }
}

const hasBegun = ({ frame, node }: UndoableStep): boolean => frame.nodes.has(node.compensation.id);
const completedAt = ({ frame, node }: UndoableStep): number => frame.nodes.get(node.id)?.completedAt ?? 0;
const byEnd = (a: UndoableStep, b: UndoableStep): number => completedAt(a) - completedAt(b);

/** Whether a compensation remains to begin. */
export function hasToUndo(graph: Graph, state: RunState): boolean {
  for (const done of doneWithin(graph, state)) if (!hasBegun(done)) return true;
  return false;
}

/**
 * The steps that a run still has to undo, the last finished step at the end. While a run undoes its steps, no other
 * step finishes.
 */
const stacks = new WeakMap<Undoing, UndoableStep[]>();

/** The step to undo next: the one that finished last among those whose compensation has not begun. */
export function nextToUndo(graph: Graph, state: RunState, undoing: Undoing): UndoableStep | undefined {
  let stack = stacks.get(undoing);
  if (!stack) {
    stack = [...doneWithin(graph, state)].sort(byEnd);
    stacks.set(undoing, stack);
  }
  for (let last = stack.at(-1); last && hasBegun(last); last = stack.at(-1)) stack.pop();
  return stack.at(-1);
}

/**
 * The outcome of the compensations when no more of them begins. An interrupted compensation has failed. A step that
 * finished in several items or rounds counts as compensated if it was undone in all of them.
 */
export function outcomeOf(graph: Graph, state: RunState): Compensation {
  const [left, begun] = [[] as UndoableStep[], [] as UndoableStep[]];
  for (const done of doneWithin(graph, state)) (hasBegun(done) ? begun : left).push(done);
  const isUndone = ({ frame, node }: UndoableStep) => frame.nodes.get(node.compensation.id)?.status === "completed";
  const idsOf = (list: readonly UndoableStep[]) => list.map(({ node }) => node.id);
  const failed = new Set(idsOf([...begun.filter(done => !isUndone(done)), ...left.sort(byEnd).reverse()]));
  const compensated = [...new Set(idsOf(begun.filter(isUndone)))].filter(id => !failed.has(id));
  return { status: failed.size > 0 ? "failed" : "completed", compensated, failed: [...failed] };
}

/** Whether compensations have begun in ended passes of a map or loop. */
export function isUndoneInside(body: Graph | null, past: ReadonlyMap<number, Frame> | undefined): boolean {
  if (!body || !past) return false;
  return [...past.values()].some(({ nodes }) =>
    body.nodes.some(({ id, undoes, body: inner }) =>
      undoes ? nodes.has(id) : isUndoneInside(inner, nodes.get(id)?.past),
    ),
  );
}
