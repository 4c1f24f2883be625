import { Branches } from "./branches.ts";
import { type Flow, isKnown, MAP_ITEM, oneOf, type Expressions, type Source, stepOutput, stepPlace } from "./flow.ts";
import { givenBy, type LoopResult, turnOf } from "./loop-turns.ts";
import { batchOutput, LOOP_TYPE, type Loops } from "./loops.ts";
import type { NodeGraph } from "./node-graph.ts";
import { Untranslatable } from "./untranslatable.ts";
import type { N8nLink, N8nNode } from "./workflow.ts";

const SEVERAL = { why: "several nodes lead to it at the same time, and n8n runs it once for each" };

/** Only cycles reach this depth, because nodes are visited in the order in which they run. */
const MAX_DEPTH = 200;
/** The most characters of a value. Each of several merges in a row may double it. */
const MAX_LENGTH = 4_000;
/** The most expressions of one workflow, because their translation takes the event loop. */
const MAX_EXPRESSIONS = 5_000;

/** How values flow through one type of node. */
export interface FlowKind {
  /** The node's output, if it differs from the output of its step. */
  gives?(node: N8nNode, flows: Flows): Flow;
  /** The number of the node's outputs, without the one for errors. The default is 1. */
  outputs?(node: N8nNode): number;
  /**
   * Whether the step with this id took an output. Only for nodes that send each input to exactly one of their outputs.
   */
  took?(node: N8nNode, output: number, id: string): Expressions;
}

/** What flows into and out of each node, as Weft has it. */
export class Flows {
  readonly #graph: NodeGraph;
  readonly #loops: Loops;
  readonly #kindOf: (node: N8nNode) => FlowKind | undefined;
  readonly #branches: Branches;
  readonly #known = new Map<string, Flow>();
  readonly #open = new Set<string>();
  readonly #turns = new Map<string, LoopResult>();
  #expressions = 0;
  /** The time zone of the workflow; undefined for the time zone of the installation. */
  readonly zone: string | undefined;

  constructor(graph: NodeGraph, loops: Loops, kindOf: (node: N8nNode) => FlowKind | undefined, zone?: string) {
    this.zone = zone;
    this.#graph = graph;
    this.#loops = loops;
    this.#kindOf = kindOf;
    this.#branches = new Branches(
      name => this.links(name),
      name => {
        const node = graph.nodes.get(name)!;
        return kindOf(node)?.took !== undefined || node.onError === "continueErrorOutput";
      },
    );
    for (const name of this.#inOrder()) {
      this.areExclusive(this.links(name));
      this.into(name);
    }
  }

  /** The names of the nodes, each after the nodes that lead to it (Kahn, 1962). Nodes on a cycle come last. */
  #inOrder(): Iterable<string> {
    const names = [...this.#graph.nodes.keys()];
    const waiting = new Map(names.map(name => [name, this.links(name).length]));
    const order = new Set(names.filter(name => waiting.get(name) === 0));
    for (const name of order) {
      for (const { to } of this.#graph.outOf(name)) {
        const left = waiting.get(to)! - 1;
        waiting.set(to, left);
        if (left === 0) order.add(to);
      }
    }
    return order.union(new Set(names));
  }

  /** @throws {Untranslatable} when the workflow has too many expressions */
  countExpression(): void {
    if (++this.#expressions > MAX_EXPRESSIONS)
      throw new Untranslatable(`expressions beyond the first ${MAX_EXPRESSIONS} of the workflow`);
  }

  idOf(name: string): string {
    return this.#graph.ids.get(name)!;
  }

  /** The nodes that serve a node in this role, such as `ai_tool`, or in any role if none is given. */
  subNodes(name: string, role?: string): N8nNode[] {
    return this.#graph.subNodes(name, role);
  }

  /** The value that flows into a node, or into one of its inputs. */
  into(name: string, input?: number): Flow {
    const key = `${input ?? ""} ${name}`;
    const known = this.#known.get(key);
    if (known) return known;
    if (this.#open.has(key) || this.#open.size > MAX_DEPTH) return { why: "it is part of a cycle" };
    this.#open.add(key);
    const flow = this.#join(this.links(name, input));
    this.#open.delete(key);
    this.#known.set(key, flow);
    return flow;
  }

  /** The links that bring values to a node, without the links back to a loop. */
  links(name: string, input?: number): N8nLink[] {
    const { body } = this.#loops.get(name) ?? {};
    const links = this.#graph.into(name).filter(({ from }) => !body?.has(from));
    return input === undefined ? links : links.filter(link => link.input === input);
  }

  /** Whether n8n would run a node more than once because several links lead to it. */
  isRepeated(name: string): boolean {
    return this.into(name) === SEVERAL;
  }

  areExclusive(links: readonly N8nLink[]): boolean {
    return this.#branches.exclude(links);
  }

  #join(links: readonly N8nLink[]): Flow {
    const flows = links.map(link => this.#along(link));
    const isOne = new Set(flows.map(flow => (isKnown(flow) ? flow.jsonata : flow.why))).size === 1;
    return isOne || this.areExclusive(links) ? oneOf(flows) : SEVERAL;
  }

  #along({ from, output }: N8nLink): Flow {
    const node = this.#graph.nodes.get(from)!;
    const isLoop = this.#loops.get(from)?.body !== undefined;
    if (isLoop && output === batchOutput(node)) return this.#itemOf(from);
    const isError = node.onError === "continueErrorOutput" && output === this.outputsOf(node);
    if (isError) return stepOutput(this.idOf(from));
    const flow = this.outOf(from);
    const took = node.disabled ? undefined : this.#kindOf(node)?.took?.(node, output, this.idOf(from));
    return took && isKnown(flow) ? { ...flow, guard: took } : flow;
  }

  /** The number of a node's outputs, without the one for errors. */
  outputsOf(node: N8nNode): number {
    return this.#kindOf(node)?.outputs?.(node) ?? 1;
  }

  /** What returns to a loop at the end of a turn; undefined for a loop that does not become a map. */
  turn(name: string): LoopResult | undefined {
    const { body } = this.#loops.get(name) ?? {};
    if (!body) return undefined;
    const known = this.#turns.get(name);
    if (known) return known;
    const back = this.#graph.into(name).filter(({ from }) => body.has(from));
    const ways = back.map(link => ({ flow: this.#along(link), step: stepPlace(this.idOf(link.from)) }));
    const joined = this.#join(back);
    const turn = turnOf(name, ways, joined === SEVERAL ? undefined : joined);
    this.#turns.set(name, turn);
    return turn;
  }

  #itemOf(loop: string): Source {
    if (!this.#loops.areNested) return MAP_ITEM;
    const place = `steps.${this.idOf(loop)}.item`;
    return { jsonata: place, js: place, guard: null, list: false };
  }

  /** The value that flows out of a node after it has run. */
  outOf(name: string): Flow {
    const node = this.#graph.nodes.get(name)!;
    const id = this.idOf(name);
    if (node.disabled) return stepOutput(id);
    const turn = this.turn(name);
    if (turn) return givenBy(turn, id);
    if (node.type === LOOP_TYPE) return stepOutput(id, true);
    const kind = this.#kindOf(node);
    const given = kind?.gives?.(node, this) ?? stepOutput(id);
    return isKnown(given) && given.jsonata.length > MAX_LENGTH ? { why: "too many nodes before it are merged" } : given;
  }

  /** The value that an expression in `viewer` sees under another node's name. */
  named(name: string, viewer: string): Flow {
    if (!this.#graph.nodes.has(name)) return { why: `there is no node "${name}"` };
    if (this.#loops.get(name)?.body?.has(viewer)) return this.#itemOf(name);
    const hidden = this.#loops.around(name).find(loop => !this.#loops.get(loop)?.body?.has(viewer));
    if (hidden !== undefined) return { why: `"${name}" is inside the loop "${hidden}"` };
    return this.outOf(name);
  }
}
