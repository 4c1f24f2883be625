import type { WorkflowDiff } from "../contracts/entities/workflow-diff.ts";
import { DiffBudget, diffJson } from "./diff/json-diff.ts";
import { JsonIdentity } from "./diff/json-identity.ts";
import { isObject } from "./json.ts";
import type { Content } from "./workflow-versions.ts";

/**
 * The bound of all values and paths together, as JSON. In any script it stays below the size limit of a message between
 * nodes.
 */
export const MAX_DIFF_CHARS = 256 * 1024;

interface GraphNode {
  id: string;
}

interface GraphParts {
  nodes: GraphNode[];
  edges: unknown[];
  settings: Record<string, unknown>;
  rest: Record<string, unknown>;
}

/** The parts of a definition that has edges and nodes with ids; null for any other definition. */
function graphParts(definition: unknown): GraphParts | null {
  if (!isObject(definition)) return null;
  const { nodes, edges, settings, ...rest } = definition;
  if (!Array.isArray(nodes) || !Array.isArray(edges)) return null;
  const ids = nodes.map(node => (isObject(node) && typeof node.id === "string" ? node.id : null));
  if (ids.includes(null) || new Set(ids).size < ids.length) return null;
  return { nodes: nodes as GraphNode[], edges, settings: settings === undefined ? {} : { settings }, rest };
}

const isSameOrder = (a: readonly unknown[], b: readonly unknown[]) => a.every((item, index) => item === b[index]);

function diffNodes(a: GraphNode[], b: GraphNode[], identity: JsonIdentity, budget: DiffBudget): WorkflowDiff["nodes"] {
  const before = new Map(a.map(node => [node.id, node]));
  const after = new Map(b.map(node => [node.id, node]));
  const changed = b.flatMap(node => {
    const old = before.get(node.id);
    const changes = old ? diffJson(old, node, identity, budget) : [];
    return changes.length > 0 ? [{ id: node.id, changes }] : [];
  });
  const stayed = a.filter(({ id }) => after.has(id)).map(({ id }) => id);
  const now = b.filter(({ id }) => before.has(id)).map(({ id }) => id);
  return {
    added: b.filter(node => !before.has(node.id) && budget.take([node])),
    removed: a.filter(node => !after.has(node.id) && budget.take([node])),
    changed,
    reordered: !isSameOrder(stayed, now),
  };
}

/** Splits a list into items that the other list also has (counting repeats), and the remaining items. */
function match(list: unknown[], other: unknown[], identity: JsonIdentity): { kept: number[]; extra: unknown[] } {
  const counts = new Map<number, number>();
  for (const item of other) counts.set(identity.of(item), (counts.get(identity.of(item)) ?? 0) + 1);
  const kept: number[] = [];
  const extra: unknown[] = [];
  for (const item of list) {
    const key = identity.of(item);
    const left = counts.get(key) ?? 0;
    counts.set(key, left - 1);
    if (left > 0) kept.push(key);
    else extra.push(item);
  }
  return { kept, extra };
}

function diffEdges(a: unknown[], b: unknown[], identity: JsonIdentity, budget: DiffBudget): WorkflowDiff["edges"] {
  const before = match(a, b, identity);
  const after = match(b, a, identity);
  return {
    added: after.extra.filter(edge => budget.take([edge])),
    removed: before.extra.filter(edge => budget.take([edge])),
    reordered: !isSameOrder(before.kept, after.kept),
  };
}

const NO_NODES: WorkflowDiff["nodes"] = { added: [], removed: [], changed: [], reordered: false };
const NO_EDGES: WorkflowDiff["edges"] = { added: [], removed: [], reordered: false };

/**
 * The differences between two contents of a workflow. Graphs are compared node by node and edge by edge; a changed edge
 * counts as one removed and one added. Any other definition is compared by path. The result stays within
 * MAX_DIFF_CHARS.
 */
export function diffWorkflows(a: Content, b: Content): Omit<WorkflowDiff, "from" | "to"> {
  const identity = new JsonIdentity();
  const budget = new DiffBudget(MAX_DIFF_CHARS);
  const text = (from: string, to: string) => (from === to ? null : { from, to });
  const [from, to] = [graphParts(a.definition), graphParts(b.definition)];
  const graphs = from && to ? { from, to } : null;
  const parts = {
    name: text(a.name, b.name),
    description: text(a.description, b.description),
    nodes: graphs ? diffNodes(graphs.from.nodes, graphs.to.nodes, identity, budget) : NO_NODES,
    edges: graphs ? diffEdges(graphs.from.edges, graphs.to.edges, identity, budget) : NO_EDGES,
    settings: graphs ? diffJson(graphs.from.settings, graphs.to.settings, identity, budget) : [],
    definition: graphs
      ? diffJson(graphs.from.rest, graphs.to.rest, identity, budget)
      : diffJson(a.definition, b.definition, identity, budget),
  };
  return { ...parts, truncated: budget.truncated };
}
