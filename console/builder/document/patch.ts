import type { DocumentState, Meta, RawEdge, RawNode } from "./state.ts";

interface Splice {
  at: number;
  removed: readonly string[];
  inserted: readonly string[];
}

interface MapPatch<T> {
  /** Key, value before, and value after. Undefined means absent. */
  changed: readonly (readonly [string, T | undefined, T | undefined])[];
  /** Absent if the order of the keys stays. */
  order?: Splice;
}

/** The changes of one command, so that it can be undone and redone. It holds plain values, so it can be stored. */
export interface Patch {
  nodes?: MapPatch<RawNode>;
  edges?: MapPatch<RawEdge>;
  root?: readonly [before: unknown, after: unknown];
  meta?: readonly [before: Meta, after: Meta];
}

function spliceBetween(before: readonly string[], after: readonly string[]): Splice | undefined {
  let at = 0;
  while (at < before.length && before[at] === after[at]) at++;
  let tail = 0;
  const most = Math.min(before.length, after.length) - at;
  while (tail < most && before[before.length - 1 - tail] === after[after.length - 1 - tail]) tail++;
  const removed = before.slice(at, before.length - tail);
  const inserted = after.slice(at, after.length - tail);
  return removed.length === 0 && inserted.length === 0 ? undefined : { at, removed, inserted };
}

function mapPatch<T>(before: ReadonlyMap<string, T>, after: ReadonlyMap<string, T>): MapPatch<T> | undefined {
  if (before === after) return undefined;
  const changed: [string, T | undefined, T | undefined][] = [];
  for (const [key, value] of before) if (after.get(key) !== value) changed.push([key, value, after.get(key)]);
  for (const [key, value] of after) if (!before.has(key)) changed.push([key, undefined, value]);
  const order = spliceBetween([...before.keys()], [...after.keys()]);
  return changed.length === 0 && !order ? undefined : { changed, ...(order && { order }) };
}

/** The patch from one state to another. Undefined if they are the same. */
export function patchBetween(before: DocumentState, after: DocumentState): Patch | undefined {
  const nodes = mapPatch(before.nodes, after.nodes);
  const edges = mapPatch(before.edges, after.edges);
  const patch: Patch = {
    ...(nodes && { nodes }),
    ...(edges && { edges }),
    ...(before.root !== after.root && { root: [before.root, after.root] as const }),
    ...(before.meta !== after.meta && { meta: [before.meta, after.meta] as const }),
  };
  return Object.keys(patch).length === 0 ? undefined : patch;
}

function invertMap<T>({ changed, order }: MapPatch<T>): MapPatch<T> {
  return {
    changed: changed.map(([key, before, after]) => [key, after, before]),
    ...(order && { order: { at: order.at, removed: order.inserted, inserted: order.removed } }),
  };
}

export function invert({ nodes, edges, root, meta }: Patch): Patch {
  return {
    ...(nodes && { nodes: invertMap(nodes) }),
    ...(edges && { edges: invertMap(edges) }),
    ...(root && { root: [root[1], root[0]] as const }),
    ...(meta && { meta: [meta[1], meta[0]] as const }),
  };
}

function patchMap<T>(map: ReadonlyMap<string, T>, patch: MapPatch<T> | undefined): ReadonlyMap<string, T> {
  if (!patch) return map;
  const values = new Map(map);
  for (const [key, , after] of patch.changed) {
    if (after === undefined) values.delete(key);
    else values.set(key, after);
  }
  if (!patch.order) return values;
  const { at, removed, inserted } = patch.order;
  const keys = [...map.keys()].toSpliced(at, removed.length, ...inserted);
  return new Map(keys.map(key => [key, values.get(key) as T]));
}

export function applyPatch(state: DocumentState, patch: Patch): DocumentState {
  return {
    meta: patch.meta ? patch.meta[1] : state.meta,
    nodes: patchMap(state.nodes, patch.nodes),
    edges: patchMap(state.edges, patch.edges),
    root: patch.root ? patch.root[1] : state.root,
    nextKey: state.nextKey,
  };
}

/** The nodes that a patch changes or adds. */
export const nodesIn = ({ nodes }: Patch): string[] =>
  (nodes?.changed ?? []).filter(([, , after]) => after !== undefined).map(([id]) => id);
