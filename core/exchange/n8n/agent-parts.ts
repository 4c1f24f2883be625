import type { FlowKind } from "./flows.ts";
import type { NodeGraph } from "./node-graph.ts";
import type { N8nLink, N8nNode, N8nWorkflow } from "./workflow.ts";

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
  const into = Map.groupBy(links, ({ to }) => to);
  const serves = ({ kind, to }: N8nLink) => {
    const served = nodes.get(to);
    return kind !== "main" && served && (parts.has(to) || kindOf(served) !== undefined);
  };
  const queue = [...outOf.keys()];
  for (let name = queue.pop(); name !== undefined; name = queue.pop()) {
    if (parts.has(name) || !nodes.has(name) || !outOf.get(name)?.every(serves)) continue;
    parts.add(name);
    // The nodes that serve this one may be parts now.
    queue.push(...new Set((into.get(name) ?? []).map(({ from }) => from)));
  }
  return parts;
}
