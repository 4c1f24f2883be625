import type { N8nLink } from "./workflow.ts";

/** By which outputs of the nodes that choose one a way leads: one of them, wherever the way is taken. */
type Choices = ReadonlyMap<string, ReadonlySet<number>>;

/** More than these are not kept: two ways that only an older choice tells apart count as taken together. */
const MAX_CHOICES = 30;
/** Nodes are asked for in the order in which they run, so that this is reached on circles alone. */
const MAX_DEPTH = 200;

/** Which choices lead to each node, so that one can say of two ways that only one of them is ever taken. */
export class Branches {
  readonly #into: (name: string) => readonly N8nLink[];
  readonly #chooses: (name: string) => boolean;
  readonly #known = new Map<string, Choices>();
  readonly #open = new Set<string>();

  /** `into` gives what leads to a node, `chooses` says whether a node sends what comes by one of its outputs only. */
  constructor(into: (name: string) => readonly N8nLink[], chooses: (name: string) => boolean) {
    this.#into = into;
    this.#chooses = chooses;
  }

  /** Whether never more than one of these is taken. */
  exclude(links: readonly N8nLink[]): boolean {
    const ways = links.map(link => this.#along(link));
    return ways.every((way, index) => ways.slice(index + 1).every(other => areApart(way, other)));
  }

  #along({ from, output }: N8nLink): Choices {
    const before = this.#before(from) ?? new Map<string, ReadonlySet<number>>();
    return this.#chooses(from) ? new Map([...before, [from, new Set([output])] as const].slice(-MAX_CHOICES)) : before;
  }

  /** Those that all the ways to a node have made, with the outputs of any of them; null on a way back to itself. */
  #before(name: string): Choices | null {
    const known = this.#known.get(name);
    if (known) return known;
    if (this.#open.has(name) || this.#open.size > MAX_DEPTH) return null;
    this.#open.add(name);
    const ways = this.#into(name)
      .filter(({ from }) => this.#before(from) !== null)
      .map(link => this.#along(link));
    this.#open.delete(name);
    const made = ways.length === 1 ? ways[0]! : inCommon(ways);
    this.#known.set(name, made);
    return made;
  }
}

function inCommon(ways: readonly Choices[]): Choices {
  const common = [...(ways[0]?.keys() ?? [])].filter(node => ways.every(way => way.has(node)));
  return new Map(common.map(node => [node, new Set(ways.flatMap(way => [...way.get(node)!]))]));
}

const areApart = (a: Choices, b: Choices): boolean =>
  [...a].some(([node, outputs]) => b.has(node) && outputs.isDisjointFrom(b.get(node)!));
