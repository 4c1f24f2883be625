import { isDeepStrictEqual } from "node:util";
import type { Graph, GraphNode } from "../graph/graph.ts";

const linksOf = (node: GraphNode) => node.in.map(({ source, handle }) => `${handle} ${source.id}`).sort();

/**
 * Compares the steps of two versions of a definition. Each pair is compared once, because many items of a map ask for
 * the same steps.
 */
export class SameSteps {
  readonly #was: Graph;
  readonly #known = new Map<GraphNode, boolean>();

  constructor(was: Graph) {
    this.#was = was;
  }

  /** The step with this id in the earlier version. */
  formerOf({ id }: GraphNode): GraphNode | undefined {
    return this.#was.byId.get(id);
  }

  /**
   * Whether a step does the same in both versions: it has the same data and inner steps, and the same edges lead to it.
   */
  has(node: GraphNode): boolean {
    const known = this.#known.get(node) ?? this.#isSame(this.formerOf(node), node);
    this.#known.set(node, known);
    return known;
  }

  #isSame(a: GraphNode | undefined, b: GraphNode): boolean {
    return (
      a?.type === b.type &&
      a.disabled === b.disabled &&
      isDeepStrictEqual([a.data, linksOf(a)], [b.data, linksOf(b)]) &&
      this.#isSameBody(a, b)
    );
  }

  /** Whether two maps or loops have the same inner steps. One different step makes them different. */
  #isSameBody(a: GraphNode, b: GraphNode): boolean {
    const [was, is] = [a.body?.nodes ?? [], b.body?.nodes ?? []];
    return was.length === is.length && is.every(node => this.formerOf(node)?.parent === a && this.has(node));
  }
}
