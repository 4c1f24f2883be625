import type { WorkflowGraph } from "./graph.ts";
import { NEEDS_COMPENSATIONS, NEEDS_INNER_COMPENSATIONS } from "./journal-formats.ts";
import { NODE_TYPES, type NodeType } from "./node-types.ts";

const known = new WeakMap<WorkflowGraph, { needs: number | undefined }>();

/** The journal format that a worker must support to run a workflow; undefined if every worker supports it. */
export function formatOf(graph: WorkflowGraph | undefined): number | undefined {
  if (!graph) return undefined;
  const found = known.get(graph);
  if (found) return found.needs;
  let needs: number | undefined;
  for (const { type, compensation, parent } of graph.byId.values()) {
    const { needs: own = 0 }: NodeType = NODE_TYPES[type];
    const undoing = parent ? NEEDS_INNER_COMPENSATIONS : NEEDS_COMPENSATIONS;
    const one = compensation ? Math.max(own, undoing) : own;
    if (one > (needs ?? 0)) needs = one;
  }
  known.set(graph, { needs });
  return needs;
}
