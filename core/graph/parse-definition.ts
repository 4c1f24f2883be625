import type { DefinitionFault } from "../../contracts/entities/workflow.ts";
import { checkCode } from "../code/check-code.ts";
import { MAX_PARSE_WORK } from "../expressions/limits.ts";
import { parseBudget, type ParseBudget } from "../expressions/parse.ts";
import { compileTemplates, type Template } from "../expressions/template.ts";
import {
  definitionEdge,
  definitionNode,
  MAX_EDGES,
  MAX_NODES,
  policy,
  type DefinitionEdge,
  type DefinitionNode,
} from "./definition.ts";
import { Faults } from "./faults.ts";
import { findCycle, type GraphNode, type WorkflowGraph } from "./graph.ts";
import { nest } from "./nest.ts";
import { isNodeType, NODE_TYPES, type NodeType } from "./node-types.ts";
import { parseSettings } from "./settings.ts";

/** Handles that a fault names; a switch may have many more. */
const MAX_HANDLES_SHOWN = 10;
const EMPTY: WorkflowGraph = { nodes: [], byId: new Map(), settings: {} };

/** `work` is what parsing its expressions took, of MAX_PARSE_WORK. */
export type ParsedDefinition =
  { graph: WorkflowGraph; work: number; faults?: undefined } | { graph?: undefined; faults: DefinitionFault[] };

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
  byId: ReadonlyMap<string, GraphNode>,
  faults: Faults,
  budget: ParseBudget,
): GraphNode | null {
  const at = `nodes.${index}`;
  if (!isNodeType(node.type)) {
    const known = Object.keys(NODE_TYPES).join(", ");
    faults.add(node.id, `${at}.type`, `There is no node type "${node.type}". Use one of ${known}.`);
    return null;
  }
  const data = node.data ?? {};
  const { type } = node;
  const { literal, ...nodeType }: NodeType = NODE_TYPES[type];
  const checked = nodeType.data.safeParse(data);
  if (!checked.success) faults.issues(node.id, `${at}.data`, checked.error.issues, literal ? undefined : data);
  if (type === "code" && checked.success) {
    const fault = checkCode((data as { code: string }).code);
    if (fault !== null) faults.add(node.id, `${at}.data.code`, fault);
  }
  const template: Template = literal
    ? { root: { kind: "constant", value: data }, faults: [] }
    : compileTemplates(data, budget);
  for (const fault of template.faults)
    faults.add(node.id, [at, "data", fault.path].filter(Boolean).join("."), fault.message);
  const { id, name = id, policy: given = policy.parse({}) } = node;
  if (given.onError === "continue" && !nodeType.handles(data).includes("out")) {
    const message = `A ${type} step has no handle "out" to continue by: use route, and an edge that leaves by "error".`;
    faults.add(id, `${at}.policy.onError`, message);
  }
  if (type === "map" && (given.timeoutMs !== undefined || given.retry.maxAttempts > 1)) {
    const message = "A map has no time limit and no retry of its own: give them to the steps inside of it.";
    faults.add(id, `${at}.policy`, message);
  }
  const body = type === "map" ? { nodes: [], byId } : null;
  return { id, type, name, index, data, template, policy: given, in: [], out: [], parent: null, body };
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
  if (source.parent !== target.parent) {
    const message = `"${source.id}" and "${target.id}" are not inside of the same map: an edge stays on its level.`;
    faults.add(source.id, `edges.${index}`, message);
    return;
  }
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
  const {
    nodes: rawNodes = [],
    edges: rawEdges = [],
    settings: rawSettings,
  } = definition as { nodes?: unknown; edges?: unknown; settings?: unknown };
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
    const compiled = compileNode(node, index, byId, faults, budget);
    if (compiled) byId.set(compiled.id, compiled);
    if (faults.areEnough) return { faults: faults.list };
  }
  const roots = nest(byId, read, faults);
  const handlesByNode = new Map<GraphNode, Set<string>>();
  (rawEdges as unknown[]).forEach((value, index) => {
    const edge = definitionEdge.safeParse(value);
    if (!edge.success) faults.issues(null, `edges.${index}`, edge.error.issues);
    else connect(edge.data, index, byId, read, handlesByNode, faults);
  });
  const settings = parseSettings(rawSettings, faults, budget);
  const cyclic = findCycle([...byId.values()]);
  if (cyclic) faults.add(cyclic.id, "edges", `"${cyclic.id}" is on a cycle; a graph runs in one direction.`);
  return faults.list.length > 0
    ? { faults: faults.list }
    : { graph: { nodes: roots, byId, settings }, work: MAX_PARSE_WORK - budget.left };
}
