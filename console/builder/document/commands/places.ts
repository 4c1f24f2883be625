import { words } from "../../../messages/en-builder.ts";
import type { Command } from "../history.ts";
import { withTiedNotes } from "./notes.ts";
import { type DocumentState, type Point, positionOf, type RawNode } from "../state.ts";

/** Places of nodes by id, relative to their containers. */
export type Places = ReadonlyMap<string, Point>;

/** Moves several nodes by the same distance. */
export interface Shift {
  ids: Iterable<string>;
  dx: number;
  dy: number;
}

/** Moves nodes to other places. Fields of a position that Weft does not know stay. */
export function moved(state: DocumentState, places: Places | undefined): DocumentState {
  const nodes = new Map(state.nodes);
  let changed = false;
  for (const [id, { x, y }] of places ?? []) {
    const node = nodes.get(id);
    const at = positionOf(node);
    if (!node || (at?.x === x && at.y === y)) continue;
    nodes.set(id, { ...node, position: { ...(node.position as object), x, y } } satisfies RawNode);
    changed = true;
  }
  return changed ? { ...state, nodes } : state;
}

export function shifted(state: DocumentState, shift: Shift | undefined): DocumentState {
  const places = new Map<string, Point>();
  for (const id of shift?.ids ?? []) {
    const at = positionOf(state.nodes.get(id));
    if (at && shift) places.set(id, { x: at.x + shift.dx, y: at.y + shift.dy });
  }
  return moved(state, places);
}

/** Moves nodes. Moves with the same `merge`, such as repeated arrow keys, are one edit. */
export const moveNodes = (places: Places, merge?: string): Command => ({
  label: words.command.move(places.size),
  ...(merge !== undefined && { merge }),
  apply: state => withTiedNotes(state, moved(state, places)),
});

export const tidy = (places: Places): Command => ({ ...moveNodes(places), label: words.command.tidy });
