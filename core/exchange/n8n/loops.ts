import type { NodeGraph } from "./node-graph.ts";
import type { N8nLink, N8nNode } from "./workflow.ts";

export const LOOP_TYPE = "n8n-nodes-base.splitInBatches";

/** The output by which each batch leaves. The other output leads to the nodes after the loop. */
export const batchOutput = ({ typeVersion }: N8nNode): number => (typeVersion >= 3 ? 1 : 0);

/** A loop whose body can become the inside of a map, or the reason why it cannot. */
export type Loop = { body: ReadonlySet<string>; why?: undefined } | { body?: undefined; why: string };

/**
 * The most nodes in all loops together. Each node counts once for each loop around it. A workflow that can run has far
 * fewer, because only a few maps can be nested.
 */
const MAX_INSIDE = 100_000;

/** The nodes that are reachable from the loop's batches before they return to the loop; null if they are too many. */
function bodyOf(loop: N8nNode, graph: NodeGraph, most: number): Set<string> | null {
  const body = new Set<string>();
  const starts = graph.outOf(loop.name).filter(({ output }) => output === batchOutput(loop));
  const queue = starts.map(({ to }) => to);
  for (let name = queue.pop(); name !== undefined; name = queue.pop()) {
    if (name === loop.name || body.has(name)) continue;
    if (body.size === most) return null;
    body.add(name);
    queue.push(...graph.outOf(name).map(({ to }) => to));
  }
  return body;
}

function findLoop(loop: N8nNode, graph: NodeGraph, body: ReadonlySet<string>): Loop {
  const inBody = ({ from, output }: N8nLink) => (from === loop.name ? output === batchOutput(loop) : body.has(from));
  if (body.size === 0) return { why: "no node is inside the loop" };
  if (!graph.into(loop.name).some(({ from }) => body.has(from))) return { why: "no node leads back to the loop" };
  for (const name of body) {
    if (!graph.into(name).every(inBody)) return { why: `"${name}" is inside the loop, and a node outside leads to it` };
  }
  return { body };
}

/** The loops of a workflow, and the nodes inside each of them. */
export class Loops {
  readonly #loops = new Map<string, Loop>();
  /** The loops around each node, innermost first. */
  readonly #around = new Map<string, string[]>();
  /** Whether maps are nested. Then `item` alone is ambiguous. */
  readonly areNested: boolean;

  constructor(graph: NodeGraph) {
    let left = MAX_INSIDE;
    for (const node of graph.nodes.values()) {
      if (node.type !== LOOP_TYPE || node.disabled) continue;
      const body = bodyOf(node, graph, left);
      left -= body?.size ?? left;
      this.#loops.set(node.name, body ? findLoop(node, graph, body) : { why: "too many nodes are inside loops" });
    }
    const known = [...this.#loops].filter(([, { body }]) => body);
    known.sort(([, a], [, b]) => a.body!.size - b.body!.size);
    for (const [name, { body }] of known) {
      for (const inside of body!) {
        const around = this.#around.get(inside);
        if (around) around.push(name);
        else this.#around.set(inside, [name]);
      }
    }
    this.areNested = known.some(([name]) => this.around(name).length > 0);
  }

  get(name: string): Loop | undefined {
    return this.#loops.get(name);
  }

  /** The loops around a node that become maps, innermost first. */
  around(name: string): readonly string[] {
    return this.#around.get(name) ?? [];
  }
}
