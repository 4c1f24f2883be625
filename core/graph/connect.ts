import type { DefinitionEdge } from "./definition.ts";
import type { Faults } from "./faults.ts";
import type { GraphNode } from "./graph.ts";
import { NODE_TYPES } from "./node-types.ts";

/** The most handles that a fault names, because a switch may have many more. */
const MAX_HANDLES_SHOWN = 10;

/** The handles by which edges may leave a node. */
function handlesOf({ type, data, policy: { onError } }: GraphNode): Set<string> {
  const own = NODE_TYPES[type].handles(data);
  return new Set(onError === "route" ? [...own, "error"] : own);
}

/** Makes edges between nodes of the same level. */
export class Connector {
  readonly #byId: ReadonlyMap<string, GraphNode>;
  readonly #known: ReadonlySet<string>;
  readonly #faults: Faults;
  readonly #handles = new Map<GraphNode, Set<string>>();

  /**
   * `known` includes the nodes that could not be read. Their faults are reported for the nodes, not for their edges.
   */
  constructor(byId: ReadonlyMap<string, GraphNode>, known: ReadonlySet<string>, faults: Faults) {
    this.#byId = byId;
    this.#known = known;
    this.#faults = faults;
  }

  connect(edge: DefinitionEdge, index: number): void {
    const at = ["edges", index];
    for (const end of ["source", "target"] as const) {
      if (!this.#known.has(edge[end]))
        this.#faults.add(edge[end], [...at, end], `The node \`${edge[end]}\` does not exist.`);
    }
    const source = this.#byId.get(edge.source);
    const target = this.#byId.get(edge.target);
    if (!source || !target) return;
    if (source.parent !== target.parent) {
      const message = `\`${source.id}\` and \`${target.id}\` are not inside the same map or loop. An edge cannot cross its border.`;
      this.#faults.add(source.id, at, message);
      return;
    }
    const handle = edge.sourceHandle ?? "out";
    const handles = this.#handlesOf(source);
    if (!handles.has(handle)) {
      const shown = [...handles].slice(0, MAX_HANDLES_SHOWN).join(", ");
      const choice = handles.size > 0 ? `Its handles: ${shown}.` : "The node has no handles.";
      const message = `\`${source.id}\` has no handle \`${handle}\`. ${choice}`;
      this.#faults.add(source.id, [...at, "sourceHandle"], message);
      return;
    }
    const made = { source, target, handle };
    source.out.push(made);
    target.in.push(made);
  }

  #handlesOf(node: GraphNode): Set<string> {
    const known = this.#handles.get(node);
    if (known) return known;
    const handles = handlesOf(node);
    this.#handles.set(node, handles);
    return handles;
  }
}
