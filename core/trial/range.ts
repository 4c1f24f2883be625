import type { Graph, GraphNode } from "../graph/graph.ts";
import type { KeptEntry } from "../run/advance.ts";
import { isObject } from "../json.ts";

/** A node with all nodes that lead to it, or all that it leads to. */
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
export interface Given {
  output: unknown;
  handle?: string | undefined;
}

/**
 * The entries with which a run begins at a step: the steps that lead to it count as done, with what `given` says or
 * null, and leave by a handle that leads on to it. Other steps that `given` knows are done too, and the rest that the
 * step does not lead to is skipped. The graph is changed: what was not performed has no compensation.
 */
export function keptBefore(graph: Graph, from: GraphNode, given: (nodeId: string) => Given | undefined): KeptEntry[] {
  const earlier = before(from);
  const performed = behind(from);
  return graph.nodes.flatMap((node): KeptEntry[] => {
    // A compensation is performed after a failure only. One that is skipped would count as begun.
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
 * The definition without what the step does not need. The steps that lead to it stay, with all inside of them and with
 * their compensations.
 */
export function upTo(definition: unknown, until: GraphNode): unknown {
  if (!isObject(definition)) return definition;
  const kept = new Set([...before(until)].flatMap(({ id, compensation }) => [id, compensation?.id]));
  const { nodes = [], edges = [] } = definition as { nodes?: unknown[]; edges?: unknown[] };
  const parentOf = new Map(nodes.map(node => [idOf(node), isObject(node) ? node.parentId : undefined]));
  const outermost = (id: unknown): unknown => {
    let at = id;
    // Definitions that were parsed have no cycle of parents.
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
