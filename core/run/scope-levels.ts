import type { PathPart } from "../../contracts/entities/execution.ts";
import { selfAndDownstream } from "../graph/downstream.ts";
import type { Graph } from "../graph/graph.ts";

/** A level of a run around a step: its path, and the steps on it whose outputs the step cannot see. */
export interface SeenLevel {
  path: readonly PathPart[];
  unseen: ReadonlySet<string>;
}

/**
 * The levels that a step at this place can see, outermost first. Without a step, everything on the innermost level can
 * be seen.
 */
export function levelsSeen(
  graph: Graph | undefined,
  { nodeId, path }: { nodeId?: string | undefined; path: readonly PathPart[] },
): SeenLevel[] {
  const within = [...path.map(part => part.nodeId), nodeId];
  return within.map((id, depth) => ({
    path: path.slice(0, depth),
    // These have no outputs yet when the step runs.
    unseen: selfAndDownstream(id === undefined ? undefined : graph?.byId.get(id)),
  }));
}
