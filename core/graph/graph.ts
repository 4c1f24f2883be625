import type { Template } from "../expressions/template.ts";
import type { Policy } from "./definition.ts";
import { NODE_TYPES, type NodeTypeName } from "./node-types.ts";
import type { Settings } from "./settings.ts";

export interface Edge {
  source: GraphNode;
  target: GraphNode;
  handle: string;
}

export interface GraphNode {
  id: string;
  type: NodeTypeName;
  name: string;
  /** The position in the definition. Things that happen at the same time happen in this order. */
  index: number;
  data: Record<string, unknown>;
  template: Template;
  /** The fields whose expressions the step evaluates itself: see `NodeType.later`. */
  later?: Readonly<Record<string, Template>>;
  policy: Policy;
  /** A disabled node is not performed. It passes its input on. */
  disabled: boolean;
  in: Edge[];
  out: Edge[];
  /** The map or loop that contains the node; null for a node of the run itself. */
  parent: GraphNode | null;
  /** The graph that a map runs for each item, and a loop in each round; null for all other nodes. */
  body: Graph | null;
  /** The step that undoes this one when the run fails. */
  compensation: GraphNode | null;
  /** The step that this one undoes. The run itself never starts such a step. */
  undoes: GraphNode | null;
}

/** A disabled trigger starts nothing. Any other disabled node passes its input on. */
export const startsNothing = ({ type, disabled }: GraphNode): boolean =>
  disabled && NODE_TYPES[type].startsRun === true;

/** The nodes of one level: those of the run, or those inside one map or loop. Edges never lead from one level to another. */
export interface Graph {
  nodes: GraphNode[];
  /** The nodes of all levels. */
  byId: ReadonlyMap<string, GraphNode>;
}

/** A definition that can run: acyclic, every edge between known nodes, every expression compiled. */
export interface WorkflowGraph extends Graph {
  settings: Settings;
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
