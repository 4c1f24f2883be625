import type { ImportWarning } from "../../contracts/entities/workflow-document.ts";
import { readDocument } from "../../core/exchange/document.ts";
import { checkDefinition, errorsIn } from "../../core/graph/check-definition.ts";
import type { Json } from "./api.ts";

/** Nodes and edges as JSON, which tests access without types. */
interface Definition {
  nodes: { id: string; type: string; name: string; data: Json }[];
  edges: Json[];
  notes?: Json[];
}

/** A workflow in n8n's export format. */
export interface N8nFile {
  name?: string;
  nodes: Json[];
  connections: Record<string, Json>;
}

export interface Imported {
  nodes: Record<string, Json>;
  edges: string[];
  warnings: ImportWarning[];
  definition: Definition;
  /** The nodes that cannot run, and the paths of their faults. */
  faults: Record<string, string>;
}

/** Imports a workflow from n8n. */
export function imported(document: unknown): Imported {
  const read = readDocument(document);
  if (read.faults) throw new Error(JSON.stringify(read.faults));
  const definition = read.content.definition as Definition;
  return {
    nodes: Object.fromEntries(definition.nodes.map(node => [node.id, node])),
    edges: definition.edges.map(edge => `${edge.source}:${edge.sourceHandle} > ${edge.target}`),
    warnings: read.warnings,
    definition,
    faults: Object.fromEntries(
      errorsIn(checkDefinition(definition)).map(({ nodeId, path }) => [
        nodeId ?? "",
        path.replace(/^\/nodes\/\d+/, ""),
      ]),
    ),
  };
}

let nodes = 0;
/** A node in n8n's format. */
export const node = (type: string, parameters: object = {}, more: object = {}) => ({
  name: `N${++nodes}`,
  type: `n8n-nodes-base.${type}`,
  typeVersion: 1,
  parameters,
  position: [0, 0],
  ...more,
});

/** A workflow in which each node leads to the next one. */
export function chain(...list: Json[]): N8nFile {
  const links = list
    .slice(1)
    .map((to, index) => [list[index].name, { main: [[{ node: to.name, type: "main", index: 0 }]] }]);
  return { name: "Chain", nodes: list, connections: Object.fromEntries(links) };
}

/** The imported form of the last node of a chain. */
export function last(...list: Json[]): Json {
  const { definition } = imported(chain(node("manualTrigger"), ...list));
  return definition.nodes.at(-1);
}

/** A Set node with one field, `a`. */
export const set = (value: string) =>
  node("set", { assignments: { assignments: [{ name: "a", value, type: "string" }] } }, { typeVersion: 3.4 });
