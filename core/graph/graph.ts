import type { Template } from "../expressions/template.ts";
import type { Policy } from "./definition.ts";
import type { NodeTypeName } from "./node-types.ts";

export interface Edge {
  source: GraphNode;
  target: GraphNode;
  handle: string;
}

export interface GraphNode {
  id: string;
  type: NodeTypeName;
  name: string;
  /** Place in the definition; what happens at the same time happens in this order. */
  index: number;
  data: Record<string, unknown>;
  template: Template;
  policy: Policy;
  in: Edge[];
  out: Edge[];
}

/** A definition that can run: acyclic, every edge between known nodes, every expression compiled. */
export interface Graph {
  nodes: GraphNode[];
  byId: ReadonlyMap<string, GraphNode>;
}

/** The first node on a cycle, or null (Kahn's algorithm, 1962). */
export function findCycle(nodes: GraphNode[]): GraphNode | null {
  const waiting = new Map(nodes.map(node => [node, node.in.length]));
  const free = nodes.filter(node => node.in.length === 0);
  let done = 0;
  for (let node = free.pop(); node; node = free.pop()) {
    done++;
    for (const { target } of node.out) {
      const left = (waiting.get(target) ?? 0) - 1;
      waiting.set(target, left);
      if (left === 0) free.push(target);
    }
  }
  return done === nodes.length ? null : (nodes.find(node => (waiting.get(node) ?? 0) > 0) ?? null);
}
