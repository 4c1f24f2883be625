import type { PathPart } from "../../contracts/entities/execution.ts";
import { behind } from "../graph/behind.ts";
import type { Graph } from "../graph/graph.ts";

/** A level of a run around a step: its path, and the steps there whose outputs the step does not see. */
export interface SeenLevel {
  path: readonly PathPart[];
  unseen: ReadonlySet<string>;
}

/** The levels that a step at this place sees, outermost first. Without a step, the innermost level is seen whole. */
export function levelsSeen(
  graph: Graph | undefined,
  { nodeId, path }: { nodeId?: string | undefined; path: readonly PathPart[] },
): SeenLevel[] {
  const within = [...path.map(part => part.nodeId), nodeId];
  return within.map((id, depth) => ({
    path: path.slice(0, depth),
    unseen: behind(id === undefined ? undefined : graph?.byId.get(id)),
  }));
}
