import { isRecord } from "../../data/json.ts";

/** A node as in its definition, including fields that only other tools know. */
export type RawNode = Readonly<Record<string, unknown>>;
/** An edge as in its definition. */
export type RawEdge = Readonly<Record<string, unknown>>;

/** What is saved besides the definition. */
export interface Meta {
  readonly name: string;
  readonly description: string | null;
}

/**
 * A definition for editing. A state never changes: each edit creates a new one that shares the unchanged parts. The
 * maps have the order of the lists in the definition.
 */
export interface DocumentState {
  readonly meta: Meta;
  /** Nodes by id. Invalid nodes, and nodes that repeat an id, have a key for which `isStray` is true. */
  readonly nodes: ReadonlyMap<string, RawNode>;
  /** Edges by a key of the document. The definition does not contain the keys. */
  readonly edges: ReadonlyMap<string, RawEdge>;
  /** The other fields of the definition. Its lists of nodes and edges are empty here, and only keep their position. */
  readonly root: unknown;
  /** The number in the key of the next edge. */
  readonly nextKey: number;
}

const STRAY = "\u0000";

/** Whether a key belongs to an entry that cannot be edited. Such entries are kept unchanged. */
export const isStray = (key: string): boolean => key.startsWith(STRAY);

/** Copies an object without one of its fields. */
export const without = (value: Readonly<Record<string, unknown>>, field: string): Record<string, unknown> =>
  Object.fromEntries(Object.entries(value).filter(([key]) => key !== field));

function nodesOf(list: readonly unknown[]): Map<string, RawNode> {
  const nodes = new Map<string, RawNode>();
  list.forEach((node, index) => {
    const id = isRecord(node) && typeof node.id === "string" && !isStray(node.id) ? node.id : undefined;
    nodes.set(id === undefined || nodes.has(id) ? `${STRAY}${index}` : id, node as RawNode);
  });
  return nodes;
}

const isEdge = (edge: unknown) => isRecord(edge) && typeof edge.source === "string" && typeof edge.target === "string";

const edgesOf = (list: readonly unknown[]) =>
  new Map(list.map((edge, index) => [isEdge(edge) ? `e${index}` : `${STRAY}${index}`, edge as RawEdge]));

/** Reads any JSON. A value that is not a definition stays unchanged until the first node is added. */
export function readDefinition(definition: unknown, meta: Meta = { name: "", description: null }): DocumentState {
  if (!isRecord(definition)) return { meta, nodes: new Map(), edges: new Map(), root: definition, nextKey: 0 };
  const { nodes, edges } = definition;
  const root = {
    ...definition,
    ...(Array.isArray(nodes) && { nodes: [] }),
    ...(Array.isArray(edges) && { edges: [] }),
  };
  return {
    meta,
    nodes: nodesOf(Array.isArray(nodes) ? nodes : []),
    edges: edgesOf(Array.isArray(edges) ? edges : []),
    root,
    nextKey: Array.isArray(edges) ? edges.length : 0,
  };
}

/** The definition of a state. Without edits it has the same bytes as the definition that was read. */
export function definitionOf({ nodes, edges, root }: DocumentState): unknown {
  if (!isRecord(root) && nodes.size === 0 && edges.size === 0) return root;
  const own = isRecord(root) ? root : {};
  return {
    ...own,
    ...((Array.isArray(own.nodes) || nodes.size > 0) && { nodes: [...nodes.values()] }),
    ...((Array.isArray(own.edges) || edges.size > 0) && { edges: [...edges.values()] }),
  };
}

const textOf = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined);

export const typeOf = (node: RawNode | undefined): string => textOf(node?.type) ?? "unknown";
export const parentOf = (node: RawNode | undefined): string | undefined => textOf(node?.parentId);
/** The id of the step that undoes a step when the run fails. */
export const compensationOf = (node: RawNode | undefined): string | undefined =>
  isRecord(node?.policy) ? textOf(node.policy.compensate) : undefined;
export const isDisabled = (node: RawNode | undefined): boolean => node?.disabled === true;
const NO_DATA = {};
/** The settings of a node. The object stays the same until they change. */
export const dataOf = (node: RawNode | undefined): Readonly<Record<string, unknown>> =>
  isRecord(node?.data) ? node.data : NO_DATA;

/** The displayed name of a step: its own name, or else its id. */
export const nameOf = (state: DocumentState, id: string): string => textOf(state.nodes.get(id)?.name) || id;

export interface Point {
  readonly x: number;
  readonly y: number;
}

/** The place of a node, relative to its container. Undefined if the definition has none. */
export function positionOf(node: RawNode | undefined): Point | undefined {
  const at = node?.position;
  return isRecord(at) && Number.isFinite(at.x) && Number.isFinite(at.y)
    ? { x: at.x as number, y: at.y as number }
    : undefined;
}

export const sourceOf = (edge: RawEdge): string => textOf(edge.source) ?? "";
export const targetOf = (edge: RawEdge): string => textOf(edge.target) ?? "";
export const handleOf = (edge: RawEdge): string => textOf(edge.sourceHandle) ?? "out";
