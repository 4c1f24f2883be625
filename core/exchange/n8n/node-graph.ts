import { slugify } from "../../slug.ts";
import type { N8nLink, N8nNode, N8nWorkflow } from "./workflow.ts";

/** Words that JSONata does not accept as names. */
const RESERVED = new Set(["and", "or", "in", "true", "false", "null", "function"]);

/** The ids in use, each with the number that was last added to it. */
type Taken = Map<string, number>;

function newId(name: string, taken: Taken): string {
  const slug = slugify(name, "step").replaceAll("-", "_");
  const plain = /^[a-z]/.test(slug) && !RESERVED.has(slug) ? slug : `step_${slug}`;
  let id = plain;
  let count = taken.get(plain) ?? 1;
  while (taken.has(id)) id = `${plain}_${++count}`;
  taken.set(plain, count);
  if (id !== plain) taken.set(id, 1);
  return id;
}

function add(links: Map<string, N8nLink[]>, name: string, link: N8nLink): void {
  const list = links.get(name);
  if (list) list.push(link);
  else links.set(name, [link]);
}

/** The nodes of an n8n workflow by name, with the links between them. */
export class NodeGraph {
  readonly nodes: ReadonlyMap<string, N8nNode>;
  /** The ids of the nodes in Weft: plain names, so that expressions can use `steps.<id>`. */
  readonly ids: ReadonlyMap<string, string>;
  readonly #taken: Taken = new Map();
  readonly #into = new Map<string, N8nLink[]>();
  readonly #outOf = new Map<string, N8nLink[]>();
  /** The links from models, memories and tools to the nodes that use them. */
  readonly #serves = new Map<string, N8nLink[]>();

  constructor({ nodes, links }: N8nWorkflow) {
    this.nodes = new Map(nodes.map(node => [node.name, node]));
    const ids = new Map<string, string>();
    for (const { name } of nodes) ids.set(name, newId(name, this.#taken));
    this.ids = ids;
    for (const link of links) {
      if (!this.nodes.has(link.from) || !this.nodes.has(link.to)) continue;
      if (link.kind !== "main") {
        add(this.#serves, link.to, link);
        continue;
      }
      add(this.#into, link.to, link);
      add(this.#outOf, link.from, link);
    }
  }

  /** A free id for a step that has no node of its own in n8n. */
  freeId(name: string): string {
    return newId(name, this.#taken);
  }

  into(name: string): readonly N8nLink[] {
    return this.#into.get(name) ?? [];
  }

  /** The nodes that serve a node in this role, such as `ai_tool`, or in any role if none is given. */
  subNodes(name: string, role?: string): N8nNode[] {
    const links = (this.#serves.get(name) ?? []).filter(({ kind }) => role === undefined || kind === role);
    return links.map(({ from }) => this.nodes.get(from)!).filter(({ disabled }) => !disabled);
  }

  outOf(name: string): readonly N8nLink[] {
    return this.#outOf.get(name) ?? [];
  }
}
