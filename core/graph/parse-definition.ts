import type { z } from "zod";
import type { DefinitionFault } from "../../contracts/entities/workflow.ts";
import { MAX_PARSE_WORK } from "../expressions/limits.ts";
import { parseBudget, type ParseBudget } from "../expressions/parse.ts";
import { compileTemplates } from "../expressions/template.ts";
import {
  definitionEdge,
  definitionNode,
  MAX_EDGES,
  MAX_NODES,
  policy,
  type DefinitionEdge,
  type DefinitionNode,
} from "./definition.ts";
import { findCycle, type Graph, type GraphNode } from "./graph.ts";
import { isNodeType, NODE_TYPES } from "./node-types.ts";

/** More faults than this help nobody. */
const MAX_FAULTS = 100;
/** Handles that a fault names; a switch may have many more. */
const MAX_HANDLES_SHOWN = 10;
const EMPTY: Graph = { nodes: [], byId: new Map() };

/** `work` is what parsing its expressions took, of MAX_PARSE_WORK. */
export type ParsedDefinition =
  { graph: Graph; work: number; faults?: undefined } | { graph?: undefined; faults: DefinitionFault[] };

class Faults {
  list: DefinitionFault[] = [];

  get areEnough(): boolean {
    return this.list.length >= MAX_FAULTS;
  }

  add(nodeId: string | null, path: string, message: string): void {
    if (!this.areEnough) this.list.push({ nodeId, path, message });
  }

  /** Issues of a zod check, but for those at a value that an expression will only give when it runs. */
  issues(nodeId: string | null, base: string, issues: z.core.$ZodIssue[], templated?: unknown): void {
    for (const issue of issues) {
      if (this.areEnough) return;
      if (templated !== undefined && isTemplated(templated, issue.path)) continue;
      this.add(nodeId, [base, ...issue.path.map(String)].filter(Boolean).join("."), issue.message);
    }
  }
}

function isTemplated(data: unknown, path: PropertyKey[]): boolean {
  let value = data;
  for (const key of path) {
    if (value === null || typeof value !== "object") break;
    value = (value as Record<PropertyKey, unknown>)[key];
  }
  return typeof value === "string" && value.includes("{{");
}

function readNodes(raw: unknown[], faults: Faults): Map<string, DefinitionNode> {
  const nodes = new Map<string, DefinitionNode>();
  raw.forEach((value, index) => {
    const parsed = definitionNode.safeParse(value);
    const given = (value as { id?: unknown } | null)?.id;
    const nodeId = typeof given === "string" ? given : null;
    if (!parsed.success) faults.issues(nodeId, `nodes.${index}`, parsed.error.issues);
    else if (nodes.has(parsed.data.id))
      faults.add(nodeId, `nodes.${index}.id`, "Another node has this id; ids are unique.");
    else nodes.set(parsed.data.id, parsed.data);
  });
  return nodes;
}

function compileNode(
  node: DefinitionNode,
  index: number,
  nodes: Map<string, DefinitionNode>,
  faults: Faults,
  budget: ParseBudget,
): GraphNode | null {
  const at = `nodes.${index}`;
  if (!isNodeType(node.type)) {
    const known = Object.keys(NODE_TYPES).join(", ");
    faults.add(node.id, `${at}.type`, `There is no node type "${node.type}". Use one of ${known}.`);
    return null;
  }
  if (node.parentId !== undefined && !nodes.has(node.parentId)) {
    faults.add(node.id, `${at}.parentId`, `There is no node "${node.parentId}" to be inside of.`);
  }
  const data = node.data ?? {};
  const checked = NODE_TYPES[node.type].data.safeParse(data);
  if (!checked.success) faults.issues(node.id, `${at}.data`, checked.error.issues, data);
  const template = compileTemplates(data, budget);
  for (const fault of template.faults)
    faults.add(node.id, [at, "data", fault.path].filter(Boolean).join("."), fault.message);
  const { id, type, name = id, policy: given = policy.parse({}) } = node;
  if (given.onError === "continue" && !NODE_TYPES[type].handles(data).includes("out")) {
    const message = `A ${type} step has no handle "out" to continue by: use route, and an edge that leaves by "error".`;
    faults.add(id, `${at}.policy.onError`, message);
  }
  return { id, type, name, index, data, template, policy: given, in: [], out: [] };
}

/** The handles that edges may leave a node by. */
function handlesOf({ type, data, policy: { onError } }: GraphNode): Set<string> {
  const own = NODE_TYPES[type].handles(data);
  return new Set(onError === "route" ? [...own, "error"] : own);
}

function connect(
  edge: DefinitionEdge,
  index: number,
  byId: Map<string, GraphNode>,
  known: Map<string, unknown>,
  handlesByNode: Map<GraphNode, Set<string>>,
  faults: Faults,
): void {
  for (const end of ["source", "target"] as const) {
    if (!known.has(edge[end])) faults.add(edge[end], `edges.${index}.${end}`, `There is no node "${edge[end]}".`);
  }
  const source = byId.get(edge.source);
  const target = byId.get(edge.target);
  if (!source || !target) return;
  const handle = edge.sourceHandle ?? "out";
  const handles = handlesByNode.get(source) ?? handlesOf(source);
  handlesByNode.set(source, handles);
  if (!handles.has(handle)) {
    const shown = [...handles].slice(0, MAX_HANDLES_SHOWN).join(", ");
    const choice = handles.size > 0 ? `It has ${shown}.` : "Nothing leaves it.";
    faults.add(source.id, `edges.${index}.sourceHandle`, `"${source.id}" has no handle "${handle}". ${choice}`);
    return;
  }
  const made = { source, target, handle };
  source.out.push(made);
  target.in.push(made);
}

/**
 * Reads any JSON as a step graph. `null`, an object without nodes and an empty list of nodes give the empty graph;
 * whatever cannot run comes back as faults, each with the node it belongs to, its path and what to do.
 */
export function parseDefinition(definition: unknown): ParsedDefinition {
  if (definition === null || definition === undefined) return { graph: EMPTY, work: 0 };
  const faults = new Faults();
  if (typeof definition !== "object" || Array.isArray(definition)) {
    faults.add(null, "", "A definition is an object with nodes and edges.");
    return { faults: faults.list };
  }
  const { nodes: rawNodes = [], edges: rawEdges = [] } = definition as { nodes?: unknown; edges?: unknown };
  if (!Array.isArray(rawNodes)) faults.add(null, "nodes", "nodes is a list.");
  else if (rawNodes.length > MAX_NODES)
    faults.add(null, "nodes", `At most ${MAX_NODES} nodes; these are ${rawNodes.length}.`);
  if (!Array.isArray(rawEdges)) faults.add(null, "edges", "edges is a list.");
  else if (rawEdges.length > MAX_EDGES)
    faults.add(null, "edges", `At most ${MAX_EDGES} edges; these are ${rawEdges.length}.`);
  if (faults.list.length > 0) return { faults: faults.list };

  const read = readNodes(rawNodes as unknown[], faults);
  const byId = new Map<string, GraphNode>();
  const budget = parseBudget();
  for (const [index, node] of [...read.values()].entries()) {
    const compiled = compileNode(node, index, read, faults, budget);
    if (compiled) byId.set(compiled.id, compiled);
    if (faults.areEnough) return { faults: faults.list };
  }
  const handlesByNode = new Map<GraphNode, Set<string>>();
  (rawEdges as unknown[]).forEach((value, index) => {
    const edge = definitionEdge.safeParse(value);
    if (!edge.success) faults.issues(null, `edges.${index}`, edge.error.issues);
    else connect(edge.data, index, byId, read, handlesByNode, faults);
  });
  const nodes = [...byId.values()];
  const cyclic = findCycle(nodes);
  if (cyclic) faults.add(cyclic.id, "edges", `"${cyclic.id}" is on a cycle; a graph runs in one direction.`);
  return faults.list.length > 0
    ? { faults: faults.list }
    : { graph: { nodes, byId }, work: MAX_PARSE_WORK - budget.left };
}
