import type { TemplateNode } from "../expressions/template-node.ts";
import { isObject } from "../json.ts";
import { Downstream } from "./downstream.ts";
import type { Faults } from "./faults.ts";
import { type GraphNode, startsNothing, type WorkflowGraph } from "./graph.ts";
import { warnOfMistakenData } from "./mistaken-data.ts";
import { NODE_TYPES, type NodeType } from "./node-types.ts";
import { warnOfUnseenNames } from "./unseen-names.ts";

/** The rules of a node's type. */
const rulesOf = ({ type }: GraphNode): NodeType => NODE_TYPES[type];
/** A step that may stop the run on purpose is useful without its output. */
const MAY_STOP = /\bthrow\b|\$(assert|error)\b/;
/** Uses of `steps` that do not name the step directly, such as `steps[id]` or `$lookup(steps, id)`. */
const ANY_STEP = /\bsteps\b(?!\s*\??\.\s*[`\w])/;
/** The most characters that are searched for ids, over all ids. Larger definitions do not get these warnings. */
const MAX_SEARCHED = 50_000_000;
const MAX_DEPTH = 100;

/** Collects all texts in a value. */
function textsIn(value: unknown, into: string[], depth = 0): void {
  if (depth > MAX_DEPTH) return;
  if (typeof value === "string") into.push(value);
  else if (Array.isArray(value)) for (const item of value) textsIn(item, into, depth + 1);
  else if (isObject(value)) for (const item of Object.values(value)) textsIn(item, into, depth + 1);
}

const textOf = (value: unknown): string => {
  const texts: string[] = [];
  textsIn(value, texts);
  return texts.join("\n");
};

/** Whether the step takes the output of the previous step without naming it. */
const takesWhatComes = (node: GraphNode): boolean =>
  node.disabled || rulesOf(node).takesWhatComes?.(node.data) === true;

function isLeftOver(node: GraphNode, text: string): boolean {
  const { id, data, disabled, out, compensation, undoes } = node;
  if (disabled || compensation || undoes || !rulesOf(node).onlyGives) return false;
  const followers = out.filter(({ handle }) => handle === "out");
  // The output of a step without a successor is an output of the run, the item or the round.
  if (followers.length === 0 || followers.some(({ target }) => takesWhatComes(target))) return false;
  return !text.includes(id) && !MAY_STOP.test(textOf(data));
}

/** The value of a condition without an expression; undefined if it depends on the run. */
function fixedChoice(node: GraphNode): boolean | undefined {
  const { choosesBy } = rulesOf(node);
  if (choosesBy === undefined || node.disabled) return undefined;
  const { root }: { root: TemplateNode } = node.template;
  const value = root.kind === "constant" && isObject(root.value) ? root.value[choosesBy] : undefined;
  return typeof value === "boolean" ? value : undefined;
}

/** The nodes that no run reaches, because all ways to them begin at nodes that no run passes. */
function unreachable(nodes: readonly GraphNode[]): Set<GraphNode> {
  const reached = new Set(nodes.filter(node => node.in.length === 0 && !startsNothing(node)));
  // Iterating over a set includes values that are added meanwhile.
  for (const node of reached) {
    const choice = fixedChoice(node);
    for (const { target, handle } of node.out)
      if (choice === undefined || handle === String(choice)) reached.add(target);
  }
  return new Set(nodes.filter(node => node.in.length > 0 && !reached.has(node)));
}

/**
 * Warns of probable mistakes: steps that no run reaches, names without a value, and outputs that no expression reads.
 */
export function warnOfLikelyMistakes({ byId }: WorkflowGraph, definition: object, faults: Faults): void {
  const nodes = [...byId.values()];
  const never = unreachable(nodes);
  for (const node of never)
    faults.warn(node.id, ["nodes", node.index], "No run reaches this step: nothing that leads to it can be taken.");
  const behind = new Downstream(nodes);
  for (const node of nodes) {
    warnOfMistakenData(node, faults);
    warnOfUnseenNames(node, byId, behind, faults);
  }
  const candidates = nodes.filter(node => rulesOf(node).onlyGives);
  if (candidates.length === 0) return;
  const text = textOf([nodes.map(({ data }) => data), (definition as { settings?: unknown }).settings]);
  if (ANY_STEP.test(text) || text.length * candidates.length > MAX_SEARCHED) return;
  for (const node of candidates) {
    if (never.has(node) || !isLeftOver(node, text)) continue;
    faults.warn(
      node.id,
      ["nodes", node.index],
      `Nothing reads the output of this step: no expression names \`steps.${node.id}\`.`,
    );
  }
}
