import type { GraphNode } from "./graph.ts";

/** This node and all nodes behind it. */
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

/**
 * Says which nodes are behind which others, for many pairs of nodes of one definition. Each node has a row with a bit for
 * each node behind it, which is made of the rows of its successors. So all rows together take one pass over the edges,
 * from the last nodes to the first ones (Kahn, 1962). The nodes must have no cycle.
 */
export class Downstream {
  readonly #places: ReadonlyMap<GraphNode, number>;
  readonly #rows = new Map<GraphNode, Uint32Array>();

  constructor(nodes: readonly GraphNode[]) {
    this.#places = new Map(nodes.map((node, place) => [node, place]));
    const waiting = new Map(nodes.map(node => [node, node.out.length]));
    const ready = nodes.filter(node => node.out.length === 0);
    // Iterating over a list includes items that are added meanwhile.
    for (const node of ready) {
      this.#rows.set(node, this.#rowOf(node));
      for (const { source } of node.in) {
        const left = (waiting.get(source) ?? 0) - 1;
        waiting.set(source, left);
        if (left === 0) ready.push(source);
      }
    }
  }

  /** Whether `other` is behind `node`. */
  has(node: GraphNode, other: GraphNode): boolean {
    const [row, place] = [this.#rows.get(node), this.#places.get(other)];
    return row !== undefined && place !== undefined && isSet(row, place);
  }

  #rowOf({ out }: GraphNode): Uint32Array {
    const row = new Uint32Array(Math.ceil(this.#places.size / BITS));
    for (const { target } of out) {
      const place = this.#places.get(target) ?? 0;
      if (isSet(row, place)) continue;
      row[Math.floor(place / BITS)]! |= 1 << (place % BITS);
      this.#rows.get(target)?.forEach((bits, index) => (row[index]! |= bits));
    }
    return row;
  }
}

const BITS = 32;
const isSet = (row: Uint32Array, place: number): boolean =>
  ((row[Math.floor(place / BITS)]! >>> (place % BITS)) & 1) === 1;
