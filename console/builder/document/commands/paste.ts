import { isRecord } from "../../../data/json.ts";
import { words } from "../../../messages/en-builder.ts";
import type { Command } from "../history.ts";
import { renamedIn } from "../references.ts";
import {
  compensationOf,
  type DocumentState,
  parentOf,
  type Point,
  positionOf,
  type RawEdge,
  type RawNode,
  sourceOf,
  targetOf,
  typeOf,
  without,
} from "../state.ts";
import { freeId, insideOf } from "./nodes.ts";
import { moved, type Places } from "./places.ts";
import { movedNotes, type Note, notesOf, withNotes } from "./notes.ts";
import type { IsLiteral } from "./rename.ts";

/** A part of a workflow in the form that the clipboard holds. */
export interface Clip {
  type: "weft-graph";
  version: 1;
  /** The workspace of the copied steps. The tools and knowledge bases that they name belong to it. */
  workspaceId?: string;
  nodes: readonly RawNode[];
  edges: readonly RawEdge[];
  /** Notes that are tied to the nodes, with their places on the canvas. */
  notes?: readonly Note[];
}

/** Copies nodes with their content and the edges between them. `places` are where they are drawn. */
export function clipOf(state: DocumentState, ids: readonly string[], places?: Places, workspaceId?: string): Clip {
  const all = insideOf(
    state,
    ids.filter(id => state.nodes.has(id)),
  );
  const placed = moved(state, places && new Map([...places].filter(([id]) => all.has(id))));
  const notes = notesOf(state)
    .filter(({ steps }) => steps?.some(id => all.has(id)))
    .map(({ index: _, ...note }) => note);
  return {
    type: "weft-graph",
    version: 1,
    ...(workspaceId !== undefined && { workspaceId }),
    nodes: [...placed.nodes].filter(([id]) => all.has(id)).map(([, node]) => node),
    edges: [...state.edges.values()].filter(edge => all.has(sourceOf(edge)) && all.has(targetOf(edge))),
    ...(notes.length > 0 && { notes }),
  };
}

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
};

const isForeignNode = (node: unknown) => isRecord(node) && ("typeVersion" in node || "parameters" in node);

/** Returns the n8n workflow in a text, or undefined. The service converts it. */
export function foreignFrom(text: string): unknown {
  const value = parsed(text);
  const isForeign = isRecord(value) && Array.isArray(value.nodes) && value.nodes.some(isForeignNode);
  return isForeign ? value : undefined;
}

/** Reads clipboard text. Returns undefined if it contains no part of a workflow. */
export const clipFrom = (text: string): Clip | undefined =>
  foreignFrom(text) === undefined ? clipIn(parsed(text)) : undefined;

/** Reads a definition or a part of one. Returns undefined for any other value. */
export function clipIn(value: unknown): Clip | undefined {
  // Users may also paste a whole definition.
  const graph = isRecord(value) && isRecord(value.definition) ? value.definition : value;
  if (!isRecord(graph) || !Array.isArray(graph.nodes)) return undefined;
  const nodes = graph.nodes.filter(
    node => isRecord(node) && typeof node.id === "string" && "type" in node,
  ) as RawNode[];
  if (nodes.length === 0) return undefined;
  const edges = (Array.isArray(graph.edges) ? graph.edges : []).filter(isRecord);
  const from = typeof graph.workspaceId === "string" ? { workspaceId: graph.workspaceId } : {};
  const notes = notesOf({ root: graph }).map(({ index: _, ...note }) => note);
  return { type: "weft-graph", version: 1, ...from, nodes, edges, ...(notes.length > 0 && { notes }) };
}

/** The ids that the nodes of a clip get in a document. */
export function idsFor(state: DocumentState, { nodes }: Clip): ReadonlyMap<string, string> {
  const taken = new Map(state.nodes);
  return new Map(
    nodes.map(node => {
      const old = node.id as string;
      const id = taken.has(old) ? freeId({ nodes: taken }, old.replace(/_\d+$/, "")) : old;
      taken.set(id, node);
      return [old, id];
    }),
  );
}

/**
 * Pastes a clip. Its nodes get unique ids, and its expressions and code use these ids. `at` is the place of its top
 * left corner inside `parentId`.
 */
export const paste = (clip: Clip, at: Point, parentId?: string, isLiteral: IsLiteral = () => false): Command => ({
  label: words.command.paste(clip.nodes.length),
  apply(state) {
    const ids = idsFor(state, clip);
    const own = new Set(clip.nodes.map(node => node.id as string));
    const isTop = (node: RawNode) => !own.has(parentOf(node) ?? "");
    const tops = clip.nodes.filter(isTop).map(node => positionOf(node) ?? { x: 0, y: 0 });
    const corner = { x: Math.min(...tops.map(({ x }) => x)), y: Math.min(...tops.map(({ y }) => y)) };
    // Two passes, because a new id may equal the old id of another node, which would then be renamed twice.
    const pairs = [...ids].filter(([old, id]) => old !== id);
    const renamed = (data: unknown, literal: boolean) => {
      const marked = pairs.reduce((value, [old], n) => renamedIn(value, old, `weft_paste_${n}_`, literal), data);
      return pairs.reduce((value, [, id], n) => renamedIn(value, `weft_paste_${n}_`, id, literal), marked);
    };
    const nodes = new Map(state.nodes);
    for (const node of clip.nodes) {
      const id = ids.get(node.id as string)!;
      const { x, y } = positionOf(node) ?? { x: 0, y: 0 };
      const position = isTop(node) ? { x: at.x + x - corner.x, y: at.y + y - corner.y } : { x, y };
      const parent = isTop(node) ? parentId : ids.get(parentOf(node)!);
      const data = "data" in node && { data: renamed(node.data, isLiteral(typeOf(node))) };
      const undone = compensationOf(node);
      const undoing = undone === undefined ? undefined : ids.get(undone);
      // A step compensates for one step only, so a copy keeps its compensation only if that was copied too.
      const policy = undone !== undefined &&
        isRecord(node.policy) && {
          policy: undoing === undefined ? without(node.policy, "compensate") : { ...node.policy, compensate: undoing },
        };
      nodes.set(id, {
        ...without(node, "parentId"),
        id,
        ...(parent !== undefined && { parentId: parent }),
        position,
        ...data,
        ...policy,
      });
    }
    let { nextKey } = state;
    const edges = new Map(state.edges);
    for (const edge of clip.edges) {
      const [source, target] = [ids.get(sourceOf(edge)), ids.get(targetOf(edge))];
      if (source === undefined || target === undefined) continue;
      edges.set(`e${nextKey++}`, { ...without(edge, "id"), source, target });
    }
    // Notes keep their distance to the steps. Containers hold no notes, so inside one a note only follows its steps.
    const by = { x: at.x - corner.x, y: at.y - corner.y };
    return withNotes({ ...state, nodes, edges, nextKey }, movedNotes(clip.notes ?? [], by, ids));
  },
});
