import type { Graph } from "../graph/graph.ts";
import { NEEDS_UNDONE_CANCELS } from "../graph/journal-formats.ts";
import type { StepEntry } from "./entry.ts";
import type { RunState } from "./state.ts";
import { hasToUndo, outcomeOf } from "./undo.ts";

const nextOf = ({ seq }: RunState, now: Date) => ({ seq: seq + 1, at: now.toISOString() });

/** The entry that cancels a run and first lets it undo its steps; null if there is nothing to undo. */
export function cancelsByUndoing(graph: Graph, state: RunState, now: Date): StepEntry | null {
  if (!hasToUndo(graph, state)) return null;
  return { ...nextOf(state, now), event: "execution.compensating", cancels: true, needs: NEEDS_UNDONE_CANCELS };
}

/** The entry that cancels a run while it undoes its steps. Unfinished compensations count as failed. */
export function cancelsUndoing(graph: Graph, state: RunState, now: Date): StepEntry {
  return { ...nextOf(state, now), event: "execution.cancelled", compensation: outcomeOf(graph, state) };
}
