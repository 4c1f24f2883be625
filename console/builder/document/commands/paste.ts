import { words } from "../../../messages/en-builder.ts";
import type { Command } from "../history.ts";
import { renamedIn } from "../references.ts";
import {
  type DocumentState,
  isRecord,
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
import type { IsLiteral } from "./rename.ts";

/** A part of a workflow as the clipboard holds it. */
export interface Clip {
  type: "weft-graph";
  version: 1;
  /** The workspace from which it was copied. Tools and bases that it names are those of this workspace. */
  workspaceId?: string;
  nodes: readonly RawNode[];
  edges: readonly RawEdge[];
}

/** Copies nodes, with what is inside them and the threads between them. `places` are where they are drawn. */
export function clipOf(state: DocumentState, ids: readonly string[], places?: Places, workspaceId?: string): Clip {
  const all = insideOf(
    state,
    ids.filter(id => state.nodes.has(id)),
  );
  const placed = moved(state, places && new Map([...places].filter(([id]) => all.has(id))));
  return {
    type: "weft-graph",
    version: 1,
    ...(workspaceId !== undefined && { workspaceId }),
    nodes: [...placed.nodes].filter(([id]) => all.has(id)).map(([, node]) => node),
    edges: [...state.edges.values()].filter(edge => all.has(sourceOf(edge)) && all.has(targetOf(edge))),
  };
}

/** Reads the text of a clipboard; undefined where it holds no part of a workflow. */
export function clipFrom(text: string): Clip | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  // A whole definition may be pasted as well.
  const graph = isRecord(value) && isRecord(value.definition) ? value.definition : value;
  if (!isRecord(graph) || !Array.isArray(graph.nodes)) return undefined;
  const nodes = graph.nodes.filter(
    node => isRecord(node) && typeof node.id === "string" && "type" in node,
  ) as RawNode[];
  // Nodes of n8n have a version; the service converts them.
  if (nodes.length === 0 || nodes.some(node => "typeVersion" in node || "parameters" in node)) return undefined;
  const edges = (Array.isArray(graph.edges) ? graph.edges : []).filter(isRecord);
  const from = typeof graph.workspaceId === "string" ? { workspaceId: graph.workspaceId } : {};
  return { type: "weft-graph", version: 1, ...from, nodes, edges };
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
 * Pastes a clip. Ids become unique, and expressions and code inside it name the new ones. `at` is the place of its
 * top left corner, inside `parentId`.
 */
export const paste = (
  clip: Clip,
  at: Point,
  parentId?: string,
  isLiteral: IsLiteral = type => type === "code",
): Command => ({
  label: words.command.paste(clip.nodes.length),
  apply(state) {
    const ids = idsFor(state, clip);
    const own = new Set(clip.nodes.map(node => node.id as string));
    const isTop = (node: RawNode) => !own.has(parentOf(node) ?? "");
    const tops = clip.nodes.filter(isTop).map(node => positionOf(node) ?? { x: 0, y: 0 });
    const corner = { x: Math.min(...tops.map(({ x }) => x)), y: Math.min(...tops.map(({ y }) => y)) };
    // Two passes, so that a new id that equals another node's old one is not renamed again.
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
      nodes.set(id, {
        ...without(node, "parentId"),
        id,
        ...(parent !== undefined && { parentId: parent }),
        position,
        ...data,
      });
    }
    let { nextKey } = state;
    const edges = new Map(state.edges);
    for (const edge of clip.edges) {
      const [source, target] = [ids.get(sourceOf(edge)), ids.get(targetOf(edge))];
      if (source === undefined || target === undefined) continue;
      edges.set(`e${nextKey++}`, { ...without(edge, "id"), source, target });
    }
    return { ...state, nodes, edges, nextKey };
  },
});
