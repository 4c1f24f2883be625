import type { DefinitionFault } from "../../contracts/entities/workflow.ts";
import { MAX_PARSE_WORK } from "../expressions/limits.ts";
import { parseBudget } from "../expressions/parse.ts";
import { linkCompensations } from "./compensations.ts";
import { compileNode } from "./compile-node.ts";
import { Connector } from "./connect.ts";
import { definitionEdge, MAX_EDGES, MAX_NODES } from "./definition.ts";
import { Faults } from "./faults.ts";
import { findCycle, type GraphNode, type WorkflowGraph } from "./graph.ts";
import { warnOfLikelyMistakes } from "./likely-mistakes.ts";
import { nest } from "./nest.ts";
import { givenIds, readNodes } from "./read-nodes.ts";
import { parseSettings } from "./settings.ts";
import { checkStrictly, type KnownNames } from "./strict.ts";

const EMPTY: WorkflowGraph = { nodes: [], byId: new Map(), settings: {} };

/**
 * `work` is the cost of parsing the expressions, at most MAX_PARSE_WORK. `warnings` are probable mistakes, reported
 * with `strict`. `partial` is the readable part of a definition with faults. No run uses it, but one of its nodes may
 * be tried.
 */
export type ParsedDefinition =
  | { graph: WorkflowGraph; work: number; warnings: DefinitionFault[]; faults?: undefined }
  | { graph?: undefined; faults: DefinitionFault[]; partial?: WorkflowGraph };

export interface ParseOptions extends KnownNames {
  /** Also reports parts that a run ignores: keys without a meaning, and expressions that name nothing. */
  strict?: boolean;
}

interface RawDefinition {
  nodes: unknown[];
  edges: unknown[];
  settings?: unknown;
}

/** The parts of a definition, if they are lists of an allowed length. Otherwise reports faults and returns null. */
function partsOf(definition: object, faults: Faults): RawDefinition | null {
  const { nodes = [], edges = [], settings } = definition as { nodes?: unknown; edges?: unknown; settings?: unknown };
  if (!Array.isArray(nodes)) faults.add(null, ["nodes"], "`nodes` must be a list.");
  else if (nodes.length > MAX_NODES)
    faults.add(null, ["nodes"], `A definition is limited to ${MAX_NODES} nodes. This one has ${nodes.length}.`);
  if (!Array.isArray(edges)) faults.add(null, ["edges"], "`edges` must be a list.");
  else if (edges.length > MAX_EDGES)
    faults.add(null, ["edges"], `A definition is limited to ${MAX_EDGES} edges. This one has ${edges.length}.`);
  return faults.list.length > 0 ? null : { nodes: nodes as unknown[], edges: edges as unknown[], settings };
}

/**
 * Reads any JSON as a step graph. `null`, an object without nodes and an empty list of nodes give the empty graph.
 * Everything that cannot run is reported as a fault. A fault has its node, its path, and a message that says what to
 * do.
 */
export function parseDefinition(
  definition: unknown,
  { strict = false, vars, credentials }: ParseOptions = {},
): ParsedDefinition {
  if (definition === null || definition === undefined) return { graph: EMPTY, work: 0, warnings: [] };
  const faults = new Faults();
  if (typeof definition !== "object" || Array.isArray(definition)) {
    faults.add(null, [], "A definition must be an object with `nodes` and `edges`.");
    return { faults: faults.list };
  }
  const raw = partsOf(definition, faults);
  if (!raw) return { faults: faults.list };

  const read = readNodes(raw.nodes, faults);
  const nodeIds = givenIds(raw.nodes);
  const byId = new Map<string, GraphNode>();
  const budget = parseBudget();
  for (const node of read.values()) {
    const compiled = compileNode(node, byId, faults, budget);
    if (compiled) byId.set(compiled.id, compiled);
    if (faults.areEnough) return { faults: faults.list, partial: { ...EMPTY, byId } };
  }
  const roots = nest(byId, read, nodeIds, faults);
  const connector = new Connector(byId, nodeIds, faults);
  raw.edges.forEach((value, index) => {
    const edge = definitionEdge.safeParse(value);
    if (!edge.success) faults.issues(null, ["edges", index], edge.error.issues);
    else connector.connect(edge.data, index);
  });
  linkCompensations(byId, nodeIds, faults);
  const settings = parseSettings(raw.settings, faults, budget);
  const cyclic = findCycle([...byId.values()]);
  if (cyclic)
    faults.add(cyclic.id, ["edges"], `The node \`${cyclic.id}\` is part of a cycle. Edges must not form cycles.`);
  const graph = { nodes: roots, byId, settings };
  if (strict) checkStrictly(definition, raw, graph, { nodeIds, vars, credentials }, faults);
  if (faults.list.length > 0) return { faults: faults.list, partial: graph };
  if (strict) warnOfLikelyMistakes(graph, definition, faults);
  return { graph, work: MAX_PARSE_WORK - budget.left, warnings: faults.warnings };
}
