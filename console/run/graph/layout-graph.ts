import dagre from "@dagrejs/dagre";
import type { Graph, GraphEdge, GraphStep } from "./definition.ts";
import { type Box, EMPTY, HEADER, PAD, STEP } from "./sizes.ts";

interface Placed {
  boxes: Map<string, Box>;
  width: number;
  height: number;
}

type Pair = { left: string; right: string };

/**
 * The vertical order of steps, so that edges from the same step do not cross. Pairs that contradict earlier ones are
 * left out, because dagre drops steps whose order has a cycle.
 */
function orderOf(edges: readonly GraphEdge[]): Pair[] {
  const above = new Map<string, string[]>();
  const leads = (from: string, to: string): boolean => {
    const seen = new Set([from]);
    for (const id of seen) for (const next of above.get(id) ?? []) seen.add(next);
    return seen.has(to);
  };
  const pairs: Pair[] = [];
  for (const leaving of Map.groupBy(edges, ({ source }) => source).values()) {
    const targets = [...new Set(leaving.map(({ target }) => target))];
    for (const [n, right] of targets.entries()) {
      const left = targets[n - 1];
      if (left === undefined || leads(right, left)) continue;
      above.set(left, [...(above.get(left) ?? []), right]);
      pairs.push({ left, right });
    }
  }
  return pairs;
}

/** Places the steps of one level. The content of containers comes first, because it decides their size. */
function placeLevel(graph: Graph, childrenOf: ReadonlyMap<string | undefined, GraphStep[]>, parent?: string): Placed {
  const level = childrenOf.get(parent) ?? [];
  const inner = new Map<string, Placed>();
  const layout = new dagre.graphlib.Graph();
  layout.setGraph({ rankdir: "LR", nodesep: 28, ranksep: 72, marginx: 0, marginy: 0 });
  layout.setDefaultEdgeLabel(() => ({}));
  for (const { id, height } of level) {
    if (!childrenOf.has(id)) {
      layout.setNode(id, { width: STEP.width, height: height ?? STEP.height });
      continue;
    }
    const placed = placeLevel(graph, childrenOf, id);
    inner.set(id, placed);
    layout.setNode(id, {
      width: Math.max(EMPTY.width, placed.width + 2 * PAD),
      height: Math.max(EMPTY.height, placed.height + PAD + HEADER),
    });
  }
  const here = new Set(level.map(({ id }) => id));
  const edges = graph.edges.filter(({ source, target }) => here.has(source) && here.has(target) && source !== target);
  for (const { source, target } of edges) layout.setEdge(source, target);
  dagre.layout(layout, { constraints: orderOf(edges) });
  const boxes = new Map<string, Box>();
  let width = 0;
  let height = 0;
  for (const { id } of level) {
    const { x, y, width: w, height: h } = layout.node(id) as Box;
    // Dagre returns centres. Inside a container, positions are relative to its corner.
    const shift = parent === undefined ? { x: 0, y: 0 } : { x: PAD, y: HEADER };
    boxes.set(id, { x: x - w / 2 + shift.x, y: y - h / 2 + shift.y, width: w, height: h });
    width = Math.max(width, x + w / 2);
    height = Math.max(height, y + h / 2);
  }
  for (const placed of inner.values()) for (const [id, box] of placed.boxes) boxes.set(id, box);
  return { boxes, width, height };
}

/**
 * Places every step of a graph from left to right, with dagre for each container. The steps after a step are in the
 * order of its edges. Positions inside a container are relative to it.
 */
export function layoutGraph(graph: Graph): Map<string, Box> {
  const childrenOf = new Map<string | undefined, GraphStep[]>();
  for (const step of graph.steps) childrenOf.set(step.parentId, [...(childrenOf.get(step.parentId) ?? []), step]);
  return placeLevel(graph, childrenOf).boxes;
}
