import type { GraphNode } from "./graph.ts";

/** This node and all nodes behind it. Their outputs do not exist when the node runs. */
export function selfAndDownstream(node: GraphNode | undefined): Set<string> {
  const found = new Set<string>();
  const queue = node ? [node] : [];
  for (let next = queue.pop(); next; next = queue.pop()) {
    if (found.has(next.id)) continue;
    found.add(next.id);
    queue.push(...next.out.map(({ target }) => target));
  }
  return found;
}
