import type { Graph, GraphNode } from "../graph/graph.ts";
import type { KeptEntry } from "../run/advance.ts";
import { isObject } from "../json.ts";

/** A node with all its predecessors, or with all its successors, depending on `next`. */
function reach(node: GraphNode, next: (node: GraphNode) => GraphNode[]): Set<GraphNode> {
  const found = new Set<GraphNode>();
  const queue = [node];
  for (let one = queue.pop(); one; one = queue.pop()) {
    if (found.has(one)) continue;
    found.add(one);
    queue.push(...next(one));
  }
  return found;
}

const before = (node: GraphNode) => reach(node, ({ in: edges }) => edges.map(({ source }) => source));
const behind = (node: GraphNode) => reach(node, ({ out }) => out.map(({ target }) => target));

/** The output of a step that is not performed. */
export interface GivenOutput {
  output: unknown;
  handle?: string | undefined;
}

/**
 * The entries with which a run begins at a step. The steps that lead to it count as done, with the output that `given`
 * returns or null, and leave at a handle that leads to it. Other steps that `given` knows are done too. The rest is
 * skipped, except the step and its successors. Changes the graph: steps that were not performed have no compensation.
 */
export function keptBefore(
  graph: Graph,
  from: GraphNode,
  given: (nodeId: string) => GivenOutput | undefined,
): KeptEntry[] {
  const earlier = before(from);
  const performed = behind(from);
  return graph.nodes.flatMap((node): KeptEntry[] => {
    // A compensation is performed only after a failure. A skipped one would count as begun.
    if (performed.has(node) || node.undoes) return [];
    const known = given(node.id);
    if (!known && !earlier.has(node)) return [{ event: "step.skipped", nodeId: node.id }];
    const onward = node.out.find(({ target }) => earlier.has(target))?.handle;
    const handle = known?.handle ?? onward ?? "out";
    const message = "Not performed: the test run begins behind the step.";
    node.compensation = null;
    return [{ event: "step.completed", nodeId: node.id, attempt: 1, output: known?.output ?? null, handle, message }];
  });
}

const idOf = (value: unknown) => (isObject(value) ? value.id : undefined);

/**
 * The definition without the parts that the step does not need. The steps that lead to it stay, with their content and
 * their compensations.
 */
export function upTo(definition: unknown, until: GraphNode): unknown {
  if (!isObject(definition)) return definition;
  const kept = new Set([...before(until)].flatMap(({ id, compensation }) => [id, compensation?.id]));
  const { nodes = [], edges = [] } = definition as { nodes?: unknown[]; edges?: unknown[] };
  const parentOf = new Map(nodes.map(node => [idOf(node), isObject(node) ? node.parentId : undefined]));
  const outermost = (id: unknown): unknown => {
    let at = id;
    // Parsed definitions have no cycle of parents.
    for (let parent = parentOf.get(at); typeof parent === "string"; parent = parentOf.get(at)) at = parent;
    return at;
  };
  const stays = (id: unknown) => kept.has(outermost(id) as string);
  return {
    ...definition,
    nodes: nodes.filter(node => stays(idOf(node))),
    edges: edges.filter(edge => isObject(edge) && stays(edge.source) && stays(edge.target)),
  };
}
