import type { N8nLink } from "./workflow.ts";

/**
 * For each choosing node on a way, the outputs by which the way may leave it. Each pass along the way takes one of
 * these outputs.
 */
type Choices = ReadonlyMap<string, ReadonlySet<number>>;

/**
 * Older choices beyond this number are dropped. If only a dropped choice separates two ways, they count as taken
 * together.
 */
const MAX_CHOICES = 30;
/** More ways to one node are not compared in pairs. They count as taken together. */
const MAX_WAYS = 300;
/** Only cycles reach this depth, because nodes are visited in the order in which they run. */
const MAX_DEPTH = 200;

/** Tracks the choices that lead to each node, to tell whether two ways exclude each other. */
export class Branches {
  readonly #into: (name: string) => readonly N8nLink[];
  readonly #chooses: (name: string) => boolean;
  readonly #known = new Map<string, Choices>();
  readonly #open = new Set<string>();

  /**
   * `into` returns the links that lead to a node. `chooses` says whether a node sends each input to one of its outputs
   * only.
   */
  constructor(into: (name: string) => readonly N8nLink[], chooses: (name: string) => boolean) {
    this.#into = into;
    this.#chooses = chooses;
  }

  /** Whether at most one of these links is ever taken. */
  exclude(links: readonly N8nLink[]): boolean {
    if (links.length > MAX_WAYS) return false;
    const ways = links.map(link => this.#along(link));
    return ways.every((way, index) => ways.slice(index + 1).every(other => areApart(way, other)));
  }

  #along({ from, output }: N8nLink): Choices {
    const before = this.#before(from) ?? new Map<string, ReadonlySet<number>>();
    return this.#chooses(from) ? new Map([...before, [from, new Set([output])] as const].slice(-MAX_CHOICES)) : before;
  }

  /**
   * The choices that all ways to a node share, each with the union of its outputs; null on a way back to the node
   * itself.
   */
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
