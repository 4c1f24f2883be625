import { words } from "../../../messages/en-builder.ts";
import type { Command } from "../history.ts";
import { valueAt, withValueAt } from "../pointer.ts";
import {
  type DocumentState,
  handleOf,
  nameOf,
  parentOf,
  type Point,
  type RawNode,
  sourceOf,
  targetOf,
} from "../state.ts";
import { into, outOf, withEdge, withoutEdges } from "./edges.ts";
import { withTiedNotes } from "./notes.ts";
import { moved, type Places, type Shift, shifted } from "./places.ts";

export interface NewNode {
  id: string;
  type: string;
  name?: string;
  parentId?: string | undefined;
  position: Point;
  data?: Readonly<Record<string, unknown>>;
}

export const rawOf = ({ id, type, name, parentId, position, data }: NewNode): RawNode => ({
  id,
  type,
  ...(name !== undefined && { name }),
  ...(parentId !== undefined && { parentId }),
  position,
  data: data ?? {},
});

/** Returns an id that no node has, derived from a wish: `check`, `check-2`. */
export function freeId(state: Pick<DocumentState, "nodes">, wish: string): string {
  const base =
    wish
      .trim()
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}]+/gu, "_")
      .replaceAll(/^_+|_+$/g, "")
      .slice(0, 60) || "step";
  for (let n = 1; ; n++) {
    const id = n === 1 ? base : `${base}_${n}`;
    if (!state.nodes.has(id)) return id;
  }
}

const withNode = (state: DocumentState, node: NewNode): DocumentState => ({
  ...state,
  nodes: new Map(state.nodes).set(node.id, rawOf(node)),
});

export interface InsertAfter {
  node: NewNode;
  /** The step and its handle behind which the node is inserted. */
  after?: { id: string; handle: string } | undefined;
  /** Places for nodes without one, so that they do not move on the canvas. */
  places?: Places | undefined;
}

/** Adds a node. With `after`, the node is connected to that node and is in the same container. */
export const insertNode = ({ node, after, places }: InsertAfter): Command => ({
  label: words.command.insert(node.name ?? node.id),
  apply(state) {
    const parentId = after ? parentOf(state.nodes.get(after.id)) : node.parentId;
    if (state.nodes.has(node.id) || (parentId !== undefined && !state.nodes.has(parentId))) return state;
    const added = withNode(moved(state, places), { ...node, parentId });
    return after ? withEdge(added, { source: after.id, handle: after.handle, target: node.id }) : added;
  },
});

interface OnEdge {
  handle?: string | undefined;
  shift?: Shift | undefined;
  places?: Places | undefined;
}

/** Leads an edge to a node, and another one from there to the former target. */
function ledThrough(state: DocumentState, key: string, id: string, handle: string | undefined): DocumentState {
  const edge = state.edges.get(key)!;
  const led = { ...state, edges: new Map(state.edges).set(key, { ...edge, target: id }) };
  return handle === undefined ? led : withEdge(led, { source: id, handle, target: targetOf(edge) });
}

/**
 * Inserts a node on an edge, in the container of the edge. The rest of the edge starts at `handle` of the node. Without
 * a handle, the edge ends at the node.
 */
export const insertOnEdge = (key: string, node: NewNode, { handle, shift, places }: OnEdge = {}): Command => ({
  label: words.command.insert(node.name ?? node.id),
  apply(state) {
    const edge = state.edges.get(key);
    if (!edge || state.nodes.has(node.id)) return state;
    const parentId = parentOf(state.nodes.get(sourceOf(edge)));
    const placed = withTiedNotes(state, shifted(withNode(moved(state, places), { ...node, parentId }), shift));
    return ledThrough(placed, key, node.id, handle);
  },
});

/** Puts a node that has no edges onto an edge, as `insertOnEdge` does with a new one. */
export const putOnEdge = (
  key: string,
  { id, name, position }: Pick<NewNode, "id" | "position"> & { name: string },
  { handle, shift, places }: OnEdge = {},
): Command => ({
  label: words.command.insert(name),
  apply(state) {
    const edge = state.edges.get(key);
    if (!edge || !state.nodes.has(id) || into(state, id).length + outOf(state, id).length > 0) return state;
    const parentId = parentOf(state.nodes.get(sourceOf(edge)));
    if (parentId !== undefined && insideOf(state, [id]).has(parentId)) return state;
    const put = withNodeValue(moved(state, new Map([...(places ?? []), [id, position]])), id, "/parentId", parentId);
    return ledThrough(withTiedNotes(state, shifted(put, shift)), key, id, handle);
  },
});

/** The nodes inside containers, at any depth. */
export function insideOf(state: DocumentState, ids: Iterable<string>): Set<string> {
  const all = new Set(ids);
  for (let size = -1; size !== all.size;) {
    size = all.size;
    for (const [id, node] of state.nodes) if (all.has(parentOf(node) ?? "")) all.add(id);
  }
  return all;
}

function withoutNode(state: DocumentState, id: string, heal: boolean): DocumentState {
  const [before, after] = [into(state, id), outOf(state, id)];
  const nodes = new Map(state.nodes);
  nodes.delete(id);
  const [incoming, outgoing] = [before[0], after[0]];
  const heals = heal && before.length === 1 && after.length === 1 && incoming && outgoing;
  const rest = withoutEdges(
    { ...state, nodes },
    [...before, ...after].map(([key]) => key),
  );
  if (!heals) return rest;
  const ends = { source: sourceOf(incoming[1]), target: targetOf(outgoing[1]), handle: handleOf(incoming[1]) };
  return withEdge(rest, ends);
}

/**
 * Deletes nodes with their content. If a deleted node has one incoming and one outgoing edge, its neighbours are
 * connected.
 */
export const deleteNodes = (ids: readonly string[], labelOf?: string): Command => ({
  label: labelOf ?? words.command.remove(ids.length, ids[0] ?? ""),
  apply(state) {
    const own = ids.filter(id => state.nodes.has(id));
    const inside = [...insideOf(state, own)].filter(id => !own.includes(id));
    const emptied = inside.reduce((at, id) => withoutNode(at, id, false), state);
    return own.reduce((at, id) => withoutNode(at, id, true), emptied);
  },
});

function withNodeValue(state: DocumentState, id: string, pointer: string, value: unknown): DocumentState {
  const node = state.nodes.get(id);
  if (!node || pointer === "" || pointer === "/id") return state;
  if (valueAt(node, pointer) === value) return state;
  const next = withValueAt(node, pointer, value) as RawNode;
  return next === node ? state : { ...state, nodes: new Map(state.nodes).set(id, next) };
}

/**
 * Sets the value at a JSON Pointer of a node, such as `/data/url`. `undefined` removes the field. Consecutive changes
 * of one field are one edit.
 */
export const setNodeValue = (id: string, pointer: string, value: unknown): Command => ({
  label: words.command.set(pointer.split("/").at(-1) ?? "", id),
  merge: `${id} ${pointer}`,
  apply: state => withNodeValue(state, id, pointer, value),
});

export const setName = (id: string, name: string): Command => ({
  ...setNodeValue(id, "/name", name === "" ? undefined : name),
  label: words.command.name(id),
});

export const setDisabled = (ids: readonly string[], disabled: boolean): Command => ({
  label: disabled ? words.command.disable(ids.length) : words.command.enable(ids.length),
  apply: state => ids.reduce((at, id) => withNodeValue(at, id, "/disabled", disabled || undefined), state),
});

/** Moves nodes into a container or out of it. Edges that would cross its border are removed. */
export const setParent = (ids: readonly string[], parentId: string | undefined, places: Places): Command => ({
  label: words.command.parent(ids.length, parentId),
  apply(state) {
    const inside = insideOf(state, ids);
    if (parentId !== undefined && (inside.has(parentId) || !state.nodes.has(parentId))) return state;
    const put = ids.reduce((at, id) => withNodeValue(at, id, "/parentId", parentId), moved(state, places));
    const crossing = [...put.edges].filter(([, edge]) => {
      const [source, target] = [put.nodes.get(sourceOf(edge)), put.nodes.get(targetOf(edge))];
      return source && target && parentOf(source) !== parentOf(target);
    });
    return withoutEdges(
      withTiedNotes(state, put),
      crossing.map(([key]) => key),
    );
  },
});

export const nodeLabel = (state: DocumentState, ids: readonly string[]): string =>
  words.command.remove(ids.length, ids[0] === undefined ? "" : nameOf(state, ids[0]));
