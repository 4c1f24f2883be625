import { isRecord, sameJson } from "../../data/json.ts";
import { definitionOf, type DocumentState, type Meta, readDefinition } from "../document/index.ts";
import { pointerOf, withValueAt } from "../document/index.ts";
import type { WorkflowContent } from "../draft.ts";

/** A part of a workflow and its location. */
interface PartLocation {
  kind: "meta" | "node" | "edge" | "root";
  /** The id of the node, or the key of the edge. */
  id: string;
  /** A JSON Pointer to the field. Empty for the whole node or edge. */
  pointer: string;
}

/** A field that both sides changed differently. `undefined` means deleted. */
export interface MergeConflict extends PartLocation {
  base: unknown;
  mine: unknown;
  theirs: unknown;
}

export interface Merged {
  /** The result with my value at every clash. */
  side: WorkflowContent;
  clashes: MergeConflict[];
  /** What only they changed. */
  taken: PartLocation[];
}

/**
 * The parts of a workflow by kind and id. Edges are identified by their ends, because their keys may differ between the
 * two sides.
 */
interface Things {
  meta: Map<string, unknown>;
  node: Map<string, unknown>;
  edge: Map<string, unknown>;
  root: Map<string, unknown>;
}
type Kind = keyof Things;
const KINDS: readonly Kind[] = ["meta", "node", "edge", "root"];

function thingsOf({ meta, definition }: WorkflowContent): Things {
  const { nodes, edges, root } = readDefinition(definition);
  const edge = new Map<string, unknown>();
  for (const value of edges.values()) {
    const ends = isRecord(value) ? [value.source, value.sourceHandle ?? "out", value.target] : [value];
    let key = JSON.stringify(ends);
    while (edge.has(key)) key += "+";
    edge.set(key, value);
  }
  const others = isRecord(root) ? Object.entries(root).filter(([key]) => key !== "nodes" && key !== "edges") : [];
  return { meta: new Map(Object.entries(meta)), node: new Map(nodes), edge, root: new Map(others) };
}

interface Found {
  clashes: MergeConflict[];
  taken: PartLocation[];
}

/** Merges one value. Objects are merged field by field, lists as a whole. */
function mergeValue(base: unknown, mine: unknown, theirs: unknown, place: PartLocation, found: Found): unknown {
  if (sameJson(mine, theirs) || sameJson(base, theirs)) return mine;
  if (sameJson(base, mine)) {
    found.taken.push(place);
    return theirs;
  }
  if (isRecord(mine) && isRecord(theirs) && (isRecord(base) || base === undefined)) {
    const keys = new Set([...Object.keys(mine), ...Object.keys(theirs)]);
    let merged: unknown = mine;
    for (const key of keys) {
      const part = { ...place, pointer: place.pointer + pointerOf([key]) };
      const value = mergeValue(isRecord(base) ? base[key] : undefined, mine[key], theirs[key], part, found);
      if (value !== mine[key]) merged = withValueAt(merged, pointerOf([key]), value);
    }
    return merged;
  }
  found.clashes.push({ ...place, base, mine, theirs });
  return mine;
}

function mergeThings(base: Things, mine: Things, theirs: Things, found: Found): Things {
  const merged: Things = { meta: new Map(), node: new Map(), edge: new Map(), root: new Map() };
  for (const kind of KINDS) {
    // The order is mine, followed by their new parts.
    for (const id of new Set([...mine[kind].keys(), ...theirs[kind].keys(), ...base[kind].keys()])) {
      const values = [base[kind].get(id), mine[kind].get(id), theirs[kind].get(id)] as const;
      const value = mergeValue(...values, { kind, id, pointer: "" }, found);
      if (value !== undefined) merged[kind].set(id, value);
    }
  }
  return merged;
}

/** Removes edges whose source or target one side deleted. */
function sideOf({ meta, node, edge, root }: Things, mine: WorkflowContent): WorkflowContent {
  const nodes = [...node.values()];
  const ids = new Set(nodes.map(each => (isRecord(each) ? each.id : undefined)));
  const edges = [...edge.values()].filter(each => !isRecord(each) || (ids.has(each.source) && ids.has(each.target)));
  const empty: DocumentState = readDefinition(isRecord(mine.definition) ? mine.definition : {});
  const state: DocumentState = {
    ...empty,
    nodes: new Map(nodes.map((each, n) => [String(n), each as never])),
    edges: new Map(edges.map((each, n) => [String(n), each as never])),
    root: { ...(isRecord(empty.root) && keepLists(empty.root)), ...Object.fromEntries(root) },
  };
  const { name, description } = Object.fromEntries(meta) as unknown as Meta;
  return { meta: { name, description }, definition: definitionOf(state) };
}

const keepLists = ({ nodes, edges }: Readonly<Record<string, unknown>>) => ({
  ...(nodes !== undefined && { nodes }),
  ...(edges !== undefined && { edges }),
});

/**
 * Merges the changes that two people made to a version, by node, edge, field and setting. Changes of different fields
 * are combined. If both changed the same field, it is a clash, and my value stands until the user chooses.
 */
export function merge(base: WorkflowContent, mine: WorkflowContent, theirs: WorkflowContent): Merged {
  const found: Found = { clashes: [], taken: [] };
  const things = mergeThings(thingsOf(base), thingsOf(mine), thingsOf(theirs), found);
  return { side: sideOf(things, mine), ...found };
}

/** The merge with their values at the chosen clashes, given by index. */
export function resolveMerge(
  base: WorkflowContent,
  mine: WorkflowContent,
  theirs: WorkflowContent,
  takeTheirs: ReadonlySet<number>,
): WorkflowContent {
  const found: Found = { clashes: [], taken: [] };
  const things = mergeThings(thingsOf(base), thingsOf(mine), thingsOf(theirs), found);
  found.clashes.forEach(({ kind, id, pointer, theirs: value }, n) => {
    if (!takeTheirs.has(n)) return;
    const whole = withValueAt(things[kind].get(id), pointer, value);
    if (whole === undefined) things[kind].delete(id);
    else things[kind].set(id, whole);
  });
  return sideOf(things, mine);
}
