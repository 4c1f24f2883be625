import { startsNothing, type Graph, type GraphNode } from "../graph/graph.ts";
import { NODE_TYPES } from "../graph/node-types.ts";
import type { Frame, NodeState } from "./frame.ts";
import type { RunState } from "./state.ts";

export interface Plan {
  start: GraphNode[];
  skip: GraphNode[];
}

export const isSettled = (node: NodeState | undefined): node is NodeState =>
  node?.status === "completed" || node?.status === "failed" || node?.status === "skipped";

/** Handles that also take edges at a plain `out`. */
const AS_OUT: ReadonlySet<string | null> = new Set(["approved", "received"]);

/** An edge is taken when its source was left at the edge's handle. A plain `out` of an approval means approved. */
function isTaken(source: NodeState, handle: string): boolean {
  return source.handle === handle || (handle === "out" && AS_OUT.has(source.handle));
}

/** Whether a node runs as soon as one of its incoming branches was taken. A disabled merge waits for all. */
export const joinsAny = (node: GraphNode): boolean =>
  !node.disabled && NODE_TYPES[node.type].joins?.(node.data) === "any";

/** The edges that lead to a node: those that were taken, and those whose source has neither settled nor been skipped. */
interface Sources {
  taken: number;
  open: number;
}

function sourcesOf(node: GraphNode, frame: Frame, skipped: ReadonlySet<GraphNode>): Sources {
  const sources: Sources = { taken: 0, open: 0 };
  for (const { source, handle } of node.in) {
    const before = frame.nodes.get(source.id);
    if (isSettled(before)) sources.taken += isTaken(before, handle) ? 1 : 0;
    else if (!skipped.has(source)) sources.open++;
  }
  return sources;
}

function readiness(node: GraphNode, { taken, open }: Sources): "ready" | "skip" | "wait" {
  if (node.in.length === 0) return startsNothing(node) ? "skip" : "ready";
  if (joinsAny(node) && taken > 0) return "ready";
  if (open > 0) return "wait";
  return taken > 0 ? "ready" : "skip";
}

/**
 * Which nodes of a frame start now, and which are skipped. `settled` names the nodes that settled since the last plan.
 * Without it, the whole graph is planned. A node that was started or skipped is never planned again.
 */
export function plan(graph: Graph, frame: Frame, settled?: Iterable<string> | null): Plan {
  const skipped = new Set<GraphNode>();
  const start = new Set<GraphNode>();
  // A node that waits for several sources is reached once for each. Its edges are counted only the first time.
  const known = new Map<GraphNode, Sources>();
  const queue: GraphNode[] = [];
  if (!settled) queue.push(...graph.nodes);
  else for (const id of settled) queue.push(...(graph.byId.get(id)?.out.map(edge => edge.target) ?? []));
  for (let node = queue.pop(); node; node = queue.pop()) {
    if (node.undoes || frame.nodes.has(node.id) || start.has(node) || skipped.has(node)) continue;
    const sources = known.get(node) ?? sourcesOf(node, frame, skipped);
    if (node.in.length > 1) known.set(node, sources);
    const ready = readiness(node, sources);
    if (ready === "ready") start.add(node);
    if (ready === "skip") {
      skipped.add(node);
      for (const { target } of node.out) {
        const waiting = known.get(target);
        if (waiting) waiting.open--;
        queue.push(target);
      }
    }
  }
  const inOrder = (nodes: Iterable<GraphNode>) => [...nodes].sort((a, b) => a.index - b.index);
  return { start: inOrder(start), skip: inOrder(skipped) };
}

/** The outputs that reach a node, by the source's id. */
export function incoming(node: GraphNode, frame: Frame): Record<string, unknown> {
  const outputs = Object.create(null) as Record<string, unknown>;
  for (const { source, handle } of node.in) {
    const before = frame.nodes.get(source.id);
    if (isSettled(before) && isTaken(before, handle)) outputs[source.id] = before.output ?? null;
  }
  return outputs;
}

/**
 * The input of a node. For a first node it is the run's input or the item. For other nodes it is the single output that
 * flows in, or an object of several outputs by source id. A compensation gets the output of the step that it undoes.
 */
export function nodeInput(node: GraphNode, state: RunState, frame: Frame): unknown {
  if (node.undoes) return frame.steps[node.undoes.id];
  if (node.in.length === 0) return frame.parent ? frame.item : state.input;
  const outputs = incoming(node, frame);
  const ids = Object.keys(outputs);
  return ids.length === 1 ? outputs[ids[0] as string] : outputs;
}

/**
 * The output of a frame: the output of its last node, or an object by node id if several nodes end the frame. `joined`
 * marks such an object, whose size is not limited yet. A frame without nodes returns `given`.
 */
export function frameOutput(graph: Graph, frame: Frame, given: unknown): { output: unknown; joined: boolean } {
  if (graph.nodes.length === 0) return { output: given, joined: false };
  const ends = graph.nodes.filter(node => {
    const settled = frame.nodes.get(node.id);
    if (!isSettled(settled) || settled.status === "skipped") return false;
    return !node.out.some(edge => isTaken(settled, edge.handle));
  });
  const outputOf = (node: GraphNode) => frame.nodes.get(node.id)?.output ?? null;
  if (ends.length === 1) return { output: outputOf(ends[0] as GraphNode), joined: false };
  return { output: Object.fromEntries(ends.map(node => [node.id, outputOf(node)])), joined: true };
}
