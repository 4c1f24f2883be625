import { MAX_NOTE_CHARS } from "../../graph/notes.ts";
import type { ImportWarning } from "../../../contracts/entities/workflow-document.ts";
import type { Content } from "../../workflow-versions.ts";
import { partsOfAgents } from "./agent-parts.ts";
import { Flows } from "./flows.ts";
import { isTrigger, kindOf, STICKY_NOTE } from "./kinds/index.ts";
import { type Edge, endOf, type Exit, type Graph, type Step, stepAtEnd, usedExits } from "./loop-ends.ts";
import { batchOutput, Loops } from "./loops.ts";
import { NodeGraph } from "./node-graph.ts";
import { type ConvertedNode, toStep } from "./to-step.ts";
import { type N8nLink, type N8nNode, type N8nWorkflow, WIDER } from "./workflow.ts";

const MAX_NAME = 200;
const MAX_DESCRIPTION = 10_000;
const MAX_WARNINGS = 500;
const ONCE = "n8n runs a step once for each item that reaches it. Here a step runs once, with all items as its input.";
/** Settings that change the behaviour of a workflow. */
const SETTINGS = ["errorWorkflow", "executionTimeout", "timezone"];

/** Converts an n8n workflow to a definition of Weft. */
class Import {
  readonly #workflow: N8nWorkflow;
  readonly #graph: NodeGraph;
  readonly #loops: Loops;
  readonly #flows: Flows;
  /** The models, memories and tools that became parts of other steps. */
  readonly #parts: ReadonlySet<string>;
  readonly #warnings: ImportWarning[] = [];

  constructor(workflow: N8nWorkflow) {
    const nodes = workflow.nodes.filter(({ type }) => type !== STICKY_NOTE);
    const { timezone } = workflow.settings;
    const zone = typeof timezone === "string" && timezone !== "DEFAULT" ? timezone : undefined;
    this.#workflow = workflow;
    this.#graph = new NodeGraph({ ...workflow, nodes });
    this.#loops = new Loops(this.#graph);
    this.#flows = new Flows(this.#graph, this.#loops, node => kindOf(node.type, this.#loops), zone);
    this.#parts = partsOfAgents(workflow, this.#graph, node => kindOf(node.type, this.#loops));
  }

  run(): { content: Content; warnings: ImportWarning[] } {
    const { name, description = "" } = this.#workflow;
    this.#warnOfTheWhole();
    // The builder expects child nodes after their parent.
    const steps = [...this.#graph.nodes.values()].filter(({ name }) => !this.#parts.has(name));
    const nodes = steps.map((node, index) => ({ node, index }));
    const depth = ({ node }: { node: N8nNode }) => this.#loops.around(node.name).length;
    nodes.sort((a, b) => depth(a) - depth(b) || a.index - b.index);
    const made = nodes.map(({ node }) => this.#node(node));
    const edges = this.#workflow.links.flatMap((link, index) => this.#edge(link, index));
    const before = { nodes: made, used: usedExits(edges) };
    const ends = steps.map(loop => this.#endOf(loop, before));
    const definition = {
      nodes: [...made, ...ends.flatMap(end => end.nodes)],
      edges: [...edges, ...ends.flatMap(end => end.edges)],
      ...this.#notes(),
    };
    const content = {
      name: name?.slice(0, MAX_NAME) || "Imported workflow",
      description: description.slice(0, MAX_DESCRIPTION),
      definition,
    };
    return { content, warnings: this.#boundedWarnings() };
  }

  #warn(node: N8nNode | null, message: string): void {
    this.#warnings.push({ nodeId: node && (this.#graph.ids.get(node.name) ?? null), node: node && node.name, message });
  }

  #boundedWarnings(): ImportWarning[] {
    const shown = this.#warnings.slice(0, MAX_WARNINGS);
    const more = this.#warnings.length - shown.length;
    return more > 0 ? [...shown, { nodeId: null, node: null, message: `There are ${more} more warnings.` }] : shown;
  }

  #warnOfTheWhole(): void {
    const { settings, hasPinnedData } = this.#workflow;
    if (this.#graph.nodes.size > 0) this.#warn(null, ONCE);
    const starts = [...this.#graph.nodes.values()].filter(node => !node.disabled && isTrigger(node.type, this.#loops));
    if (starts.length > 1)
      this.#warn(
        null,
        "The workflow has several triggers. In n8n one of them starts a run. Here a run starts at all of them.",
      );
    const left = SETTINGS.filter(name => settings[name] !== undefined && settings[name] !== "DEFAULT");
    if (left.length > 0) this.#warn(null, `These settings are left out: ${left.join(", ")}.`);
    if (hasPinnedData) this.#warn(null, "Pinned data is left out.");
  }

  #node(node: N8nNode): Step {
    const { name, type, notes } = node;
    const { step, original, warnings } = toStep(
      node,
      kindOf(type, this.#loops),
      this.#flows,
      isTrigger(type, this.#loops),
    );
    for (const message of warnings) this.#warn(node, message);
    const [parent] = this.#loops.around(name);
    return {
      id: this.#graph.ids.get(name)!,
      type: step.type,
      name,
      ...(parent !== undefined && { parentId: this.#graph.ids.get(parent)! }),
      ...this.#position(node, parent),
      data: step.data,
      ...(step.policy && { policy: step.policy }),
      ...(notes && { notes }),
      ...(original && ({ original } satisfies Pick<ConvertedNode, "original">)),
    };
  }

  /** The step at the end of a loop's turn that produces n8n's items, if one is needed. */
  #endOf(loop: N8nNode, made: Parameters<typeof endOf>[2]): Graph {
    const turn = this.#flows.turn(loop.name);
    const id = this.#graph.ids.get(loop.name)!;
    const end = turn && endOf(turn, { id, back: this.#backTo(loop) }, made);
    if (!end) return { nodes: [], edges: [] };
    this.#warn(loop, "A step is added at its end: it gives the items that n8n takes back to the loop.");
    return stepAtEnd(end, { id: this.#graph.freeId(`${id} items`), name: `Items of ${loop.name}`.slice(0, MAX_NAME) });
  }

  /** The outputs by which a turn returns to its loop. */
  #backTo({ name }: N8nNode): Exit[] {
    const body = this.#loops.get(name)?.body;
    const links = this.#graph.into(name).filter(({ from }) => body?.has(from));
    return links.map(link => {
      const node = this.#graph.nodes.get(link.from)!;
      return { source: this.#graph.ids.get(link.from)!, sourceHandle: this.#handle(link, node) };
    });
  }

  /** The position of a child node is relative to its parent's position. */
  #position({ position }: N8nNode, parent: string | undefined): Pick<Step, "position"> {
    if (!position) return {};
    const [left, top] = (parent !== undefined && this.#graph.nodes.get(parent)?.position) || [0, 0];
    return { position: { x: position[0] - left, y: position[1] - top } };
  }

  #edge(link: N8nLink, index: number): Edge[] {
    const { from, to } = link;
    const [source, target] = [this.#graph.ids.get(from), this.#graph.ids.get(to)];
    const node = this.#graph.nodes.get(from);
    if (source === undefined || target === undefined || !node) {
      this.#warn(
        node ?? null,
        `A connection from "${from}" to "${to}" is left out: one of the two nodes does not exist.`,
      );
      return [];
    }
    if (this.#parts.has(from) || this.#isPartOfLoop(link, node)) return [];
    return [{ id: `e${index + 1}`, source, sourceHandle: this.#handle(link, node), target }];
  }

  /** Whether the link enters the inside of a map or leaves it. Edges cannot do that. */
  #isPartOfLoop({ from, to, output }: N8nLink, node: N8nNode): boolean {
    const isStart = this.#loops.get(from)?.body !== undefined && output === batchOutput(node);
    return isStart || this.#loops.get(to)?.body?.has(from) === true;
  }

  /**
   * An output without a handle gets a name that validation reports. If the edge were left out, the next node would
   * start by itself.
   */
  #handle({ output, kind }: N8nLink, node: N8nNode): string {
    if (kind !== "main") return kind;
    const other = output === 0 ? "out" : `out:${output}`;
    if (node.disabled) return isTrigger(node.type, this.#loops) ? "true" : other;
    const known = kindOf(node.type, this.#loops);
    if (node.onError === "continueErrorOutput" && output === (known?.outputs?.(node) ?? 1)) return "error";
    return known?.handle?.(node, output) ?? other;
  }

  #notes(): object {
    const notes = this.#workflow.nodes.filter(({ type }) => type === STICKY_NOTE);
    if (notes.length === 0) return {};
    this.#warn(null, "Sticky notes are kept in `notes` of the definition. They are not steps.");
    return {
      notes: notes.map(({ parameters: { content, width, height }, position: [x, y] = [0, 0] }, index) => ({
        id: `note-${index + 1}`,
        text: typeof content === "string" ? content.slice(0, MAX_NOTE_CHARS) : "",
        ...{ x, y },
        ...(typeof width === "number" && { width: Math.round(width * WIDER) }),
        ...(typeof height === "number" && { height }),
      })),
    };
  }
}

/**
 * Converts an n8n workflow. Every node becomes an equivalent step, or keeps its own type, which validation reports.
 * Everything that is left out has a warning. Expressions are translated only if the result is certain.
 */
export const importN8n = (workflow: N8nWorkflow): { content: Content; warnings: ImportWarning[] } =>
  new Import(workflow).run();
