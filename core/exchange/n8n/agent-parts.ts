import type { FlowKind } from "./flows.ts";
import type { NodeGraph } from "./node-graph.ts";
import type { N8nNode, N8nWorkflow } from "./workflow.ts";

/**
 * The nodes that only serve converted nodes, such as the model of an agent, and the nodes that serve those. They become
 * fields of the step, or a warning names them.
 */
export function partsOfAgents(
  { links }: N8nWorkflow,
  { nodes }: NodeGraph,
  kindOf: (node: N8nNode) => FlowKind | undefined,
): Set<string> {
  const parts = new Set<string>();
  const outOf = Map.groupBy(links, ({ from }) => from);
  for (let size = -1; size < parts.size;) {
    size = parts.size;
    for (const [from, all] of outOf) {
      const isPart = all.every(({ kind, to }) => {
        const served = nodes.get(to);
        return kind !== "main" && served && (parts.has(to) || kindOf(served) !== undefined);
      });
      if (isPart && nodes.has(from)) parts.add(from);
    }
  }
  return parts;
}
