import { startsNothing, type Graph, type GraphNode } from "../graph/graph.ts";
import { NODE_TYPES } from "../graph/node-types.ts";

/** Whether `out` is the only handle by which the node can be left. */
function leavesByOut({ type, data, policy }: GraphNode): boolean {
  const handles = NODE_TYPES[type].handles(data);
  return policy.onError !== "route" && handles.length === 1 && handles[0] === "out";
}

/**
 * The fewest entries that one pass over a graph needs. A step that surely runs has two entries, its start and its end.
 * Any other step may be skipped, which is one entry.
 */
export function leastEntries(graph: Graph): number {
  const sure = new Set<GraphNode>();
  const queue = graph.nodes.filter(node => node.in.length === 0 && !startsNothing(node));
  for (let node = queue.pop(); node; node = queue.pop()) {
    if (sure.has(node)) continue;
    sure.add(node);
    if (leavesByOut(node)) queue.push(...node.out.map(edge => edge.target));
  }
  return graph.nodes.length + sure.size;
}
