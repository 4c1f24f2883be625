import type { Compensation } from "../../contracts/entities/execution.ts";
import type { Graph, GraphNode } from "../graph/graph.ts";
import type { RunState } from "./state.ts";

/** A step that its policy names a compensation for. */
type Undoable = GraphNode & { compensation: GraphNode };

const isUndoable = (node: GraphNode): node is Undoable => node.compensation !== null && !node.disabled;

/** The finished steps whose compensation has not begun, the last one first. */
export function leftToUndo(graph: Graph, { nodes }: RunState): Undoable[] {
  const finished = graph.nodes
    .filter(isUndoable)
    .filter(({ id, compensation }) => nodes.get(id)?.status === "completed" && !nodes.has(compensation.id));
  const completedAt = ({ id }: GraphNode) => nodes.get(id)?.completedAt ?? 0;
  return finished.sort((a, b) => completedAt(b) - completedAt(a));
}

/** What became of the compensations when no more of them begins. One that was cut off has failed. */
export function outcomeOf(graph: Graph, state: RunState): Compensation {
  const begun = graph.nodes.filter(isUndoable).filter(({ compensation }) => state.nodes.has(compensation.id));
  const isDone = ({ compensation }: Undoable) => state.nodes.get(compensation.id)?.status === "completed";
  const left = leftToUndo(graph, state);
  const failed = [...begun.filter(node => !isDone(node)), ...left].map(({ id }) => id);
  return {
    status: failed.length > 0 ? "failed" : "completed",
    compensated: begun.filter(isDone).map(({ id }) => id),
    failed,
  };
}
