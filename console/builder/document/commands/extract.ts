import { isRecord } from "../../../data/json.ts";
import { words } from "../../../messages/en-builder.ts";
import type { Command } from "../history.ts";
import { type Keys, keyOf, type OutsideName, outsideNames, readFromInput } from "../outside-names.ts";
import { asName, renamedIn } from "../references.ts";
import {
  compensationOf,
  type DocumentState,
  handleOf,
  isStray,
  parentOf,
  type Point,
  positionOf,
  type RawNode,
  sourceOf,
  targetOf,
  typeOf,
  without,
} from "../state.ts";
import { insideOf, type NewNode, rawOf } from "./nodes.ts";
import { clipOf } from "./paste.ts";
import type { Places } from "./places.ts";
import type { IsLiteral } from "./rename.ts";

/** Why the selected steps cannot become a workflow of their own. */
export type ExtractRefusal = "none" | "start" | "level" | "entries" | "exits" | "names";

export interface Extraction {
  /** The steps that move, with their content and the steps that compensate for them. */
  ids: readonly string[];
  /** The definition of the new workflow. */
  definition: unknown;
  /** The input that the replacing step passes on. Undefined if the steps read nothing from outside. */
  input: unknown;
  /** The step whose output is the output of the workflow. Undefined if several steps end it. */
  last: string | undefined;
  /** The top left corner of the steps. */
  at: Point;
  parentId: string | undefined;
}

interface Options {
  places?: Places;
  isLiteral: IsLiteral;
  startsRun: (id: string) => boolean;
}

/** The selected steps, with the steps that compensate for them. */
function withUndoing(state: DocumentState, ids: readonly string[]): string[] {
  const own = ids.filter(id => state.nodes.has(id) && !isStray(id));
  const undoing = own.flatMap(id => compensationOf(state.nodes.get(id)) ?? []);
  return [...new Set([...own, ...undoing.filter(id => state.nodes.has(id))])];
}

function handedIn(needs: readonly OutsideName[]): { input: unknown; keys: Keys } {
  const [only] = needs;
  if (!only) return { input: undefined, keys: new Map() };
  // Steps that read only the input of the run get the whole input.
  if (needs.length === 1 && only.name === "input" && only.kind === "root") {
    return { input: "{{ input }}", keys: new Map() };
  }
  const keys = new Map<string, string>();
  const input: Record<string, string> = {};
  for (const need of needs) {
    let key = need.name;
    while (key in input) key = `${key}_`;
    keys.set(keyOf(need), key);
    input[key] = need.kind === "root" ? `{{ ${need.name} }}` : `{{ steps.${asName(need.name)} }}`;
  }
  return { input, keys };
}

/** Whether the data of a step names the output of another one. */
function reads(state: DocumentState, id: string, name: string, isLiteral: IsLiteral): boolean {
  const node = state.nodes.get(id);
  return isRecord(node) && renamedIn(node.data, name, `${name}\u0000`, isLiteral(typeOf(node))) !== node.data;
}

/**
 * The parts of a selection: `all` are its steps with their contents, `tops` those that no other one contains, `last` the
 * only step that ends it, and `outside` the remaining steps of the workflow.
 */
function partsOf(state: DocumentState, selected: readonly string[]) {
  const tops = withUndoing(state, selected).filter(id => !selected.includes(parentOf(state.nodes.get(id)) ?? ""));
  const all = insideOf(state, tops);
  const inner = new Set([...state.edges.values()].filter(edge => all.has(targetOf(edge))).map(sourceOf));
  const undoing = new Set(tops.map(id => compensationOf(state.nodes.get(id))));
  const lasts = tops.filter(id => !inner.has(id) && !undoing.has(id));
  const outside = [...state.nodes.keys()].filter(id => !isStray(id) && !all.has(id));
  return { tops, all, last: lasts.length === 1 ? lasts[0] : undefined, outside };
}

/** Which steps outside of a selection read the output of a step that does not end it, by ids. */
export function readInside(
  state: DocumentState,
  selected: readonly string[],
  isLiteral: IsLiteral,
): { reader: string; read: string }[] {
  const { all, last, outside } = partsOf(state, selected);
  return outside.flatMap(reader =>
    [...all].filter(id => id !== last && reads(state, reader, id, isLiteral)).map(read => ({ reader, read })),
  );
}

/** Prepares the extraction of steps into a workflow of their own, or returns why that is not possible. */
export function extraction(
  state: DocumentState,
  selected: readonly string[],
  { places, isLiteral, startsRun }: Options,
): Extraction | ExtractRefusal {
  const { tops, all, last, outside } = partsOf(state, selected);
  const first = tops[0];
  if (first === undefined) return "none";
  if ([...all].some(startsRun)) return "start";
  const parentId = parentOf(state.nodes.get(first));
  if (tops.some(id => parentOf(state.nodes.get(id)) !== parentId)) return "level";
  const edges = [...state.edges.values()];
  const entering = edges.filter(edge => !all.has(sourceOf(edge)) && all.has(targetOf(edge)));
  if (new Set(entering.map(targetOf)).size > 1) return "entries";
  const leaving = edges.filter(edge => all.has(sourceOf(edge)) && !all.has(targetOf(edge)));
  if (leaving.some(edge => sourceOf(edge) !== last || handleOf(edge) !== "out")) return "exits";
  if (readInside(state, selected, isLiteral).length > 0) return "names";

  const clip = clipOf(state, tops, places);
  const needs = new Map<string, OutsideName>();
  for (const node of clip.nodes)
    for (const need of outsideNames(node.data, outside, isLiteral(typeOf(node)))) {
      // Inside a container that moves along, these names belong to the container.
      const isOwn = parentOf(node) !== parentId && need.kind === "root" && /^(?:item|index|loop)$/.test(need.name);
      if (!isOwn) needs.set(keyOf(need), need);
    }
  const { input, keys } = handedIn([...needs.values()]);
  const corner = { x: Infinity, y: Infinity };
  for (const node of clip.nodes) {
    const at = positionOf(node);
    if (!at || !tops.includes(node.id as string)) continue;
    corner.x = Math.min(corner.x, at.x);
    corner.y = Math.min(corner.y, at.y);
  }
  const at = Number.isFinite(corner.x) ? corner : { x: 0, y: 0 };
  const nodes = clip.nodes.map((node): RawNode => {
    const isTop = tops.includes(node.id as string);
    const own = isTop ? keys : new Map([...keys].filter(([key]) => !/^root (?:item|index|loop)$/.test(key)));
    const data = readFromInput(node.data, own, outside, isLiteral(typeOf(node)));
    const place = positionOf(node) ?? { x: 0, y: 0 };
    const position = isTop ? { x: place.x - at.x, y: place.y - at.y } : place;
    return { ...(isTop ? without(node, "parentId") : node), ...("data" in node && { data }), position };
  });
  const notes = clip.notes?.map(note => ({ ...note, x: note.x - at.x, y: note.y - at.y }));
  const definition = { nodes, edges: clip.edges, ...(notes && { notes }) };
  return { ids: [...all], definition, input, last, at, parentId };
}

/**
 * Replaces the extracted steps with one step. Their outer edges lead to and from it, and other steps read its output.
 */
export const extract = ({ ids, last }: Extraction, node: NewNode, isLiteral: IsLiteral): Command => ({
  label: words.command.extract(ids.length),
  apply(state) {
    const gone = new Set(ids);
    if (state.nodes.has(node.id) || ids.some(id => !state.nodes.has(id))) return state;
    const nodes = new Map<string, RawNode>();
    for (const [id, each] of state.nodes) {
      if (id === ids[0]) nodes.set(node.id, rawOf(node));
      if (gone.has(id)) continue;
      const data =
        isRecord(each) && last !== undefined ? renamedIn(each.data, last, node.id, isLiteral(typeOf(each))) : undefined;
      nodes.set(id, isRecord(each) && last !== undefined && data !== each.data ? { ...each, data } : each);
    }
    const edges = [...state.edges].flatMap(([key, edge]) => {
      const [from, to] = [gone.has(sourceOf(edge)), gone.has(targetOf(edge))];
      if (isStray(key) || (!from && !to)) return [[key, edge] as const];
      if (from && to) return [];
      return [[key, { ...edge, ...(from ? { source: node.id } : { target: node.id }) }] as const];
    });
    return { ...state, nodes, edges: new Map(edges) };
  },
});
