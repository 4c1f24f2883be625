import { words } from "../../../messages/en-builder.ts";
import type { Command } from "../history.ts";
import { type DocumentState, handleOf, nameOf, parentOf, type RawEdge, sourceOf, targetOf, without } from "../state.ts";

export interface Ends {
  source: string;
  target: string;
  /** The default is `out`. */
  handle?: string;
}

/** Why two steps cannot be connected. */
export type Refusal = "self" | "cycle" | "level" | "same" | "missing" | "start";

const edgeOf = ({ source, target, handle = "out" }: Ends): RawEdge => ({
  source,
  ...(handle !== "out" && { sourceHandle: handle }),
  target,
});

export function outOf(state: DocumentState, id: string): [string, RawEdge][] {
  return [...state.edges].filter(([, edge]) => sourceOf(edge) === id);
}

export function into(state: DocumentState, id: string): [string, RawEdge][] {
  return [...state.edges].filter(([, edge]) => targetOf(edge) === id);
}

/** The steps that can be reached from a step, including itself. */
export function downstreamOf(state: DocumentState, id: string): Set<string> {
  const next = new Map<string, string[]>();
  for (const edge of state.edges.values()) {
    const known = next.get(sourceOf(edge));
    if (known) known.push(targetOf(edge));
    else next.set(sourceOf(edge), [targetOf(edge)]);
  }
  const reached = new Set([id]);
  // The loop also visits ids that are added while it runs.
  for (const each of reached) for (const target of next.get(each) ?? []) reached.add(target);
  return reached;
}

/** Why an edge cannot connect two steps. Undefined if it can. `startsRun` tells which steps take no edges. */
export function whyNot(
  state: DocumentState,
  { source, target, handle = "out" }: Ends,
  startsRun: (id: string) => boolean = () => false,
): Refusal | undefined {
  if (!state.nodes.has(source) || !state.nodes.has(target)) return "missing";
  if (source === target) return "self";
  if (parentOf(state.nodes.get(source)) !== parentOf(state.nodes.get(target))) return "level";
  if (startsRun(target)) return "start";
  if (outOf(state, source).some(([, edge]) => targetOf(edge) === target && handleOf(edge) === handle)) return "same";
  return downstreamOf(state, target).has(source) ? "cycle" : undefined;
}

/** Adds an edge to a state. Returns the same state if the edge is not allowed. */
export function withEdge(state: DocumentState, ends: Ends): DocumentState {
  if (whyNot(state, ends)) return state;
  const edges = new Map(state.edges).set(`e${state.nextKey}`, edgeOf(ends));
  return { ...state, edges, nextKey: state.nextKey + 1 };
}

export const connect = (ends: Ends): Command => ({
  label: words.command.connect,
  apply: state => withEdge(state, ends),
});

export function withoutEdges(state: DocumentState, keys: Iterable<string>): DocumentState {
  const edges = new Map(state.edges);
  for (const key of keys) edges.delete(key);
  return edges.size === state.edges.size ? state : { ...state, edges };
}

export const withoutEdge = (state: DocumentState, key: string): DocumentState => withoutEdges(state, [key]);

export const disconnect = (keys: readonly string[]): Command => ({
  label: words.command.disconnect(keys.length),
  apply: state => withoutEdges(state, keys),
});

/** Connects an edge to another source or target. Its other fields stay. */
export const reconnect = (key: string, ends: Ends): Command => ({
  label: words.command.reconnect,
  apply(state) {
    const edge = state.edges.get(key);
    if (!edge || whyNot(withoutEdge(state, key), ends)) return state;
    const { source, target, handle = "out" } = ends;
    const sameHandle = handleOf(edge) === handle;
    const next = sameHandle
      ? { ...edge, source, target }
      : { ...without(edge, "sourceHandle"), source, sourceHandle: handle, target };
    return { ...state, edges: new Map(state.edges).set(key, next) };
  },
});

/** Describes an edge: its source, handle and target. */
export const edgeText = (state: DocumentState, edge: RawEdge): string =>
  words.edge(nameOf(state, sourceOf(edge)), handleOf(edge), nameOf(state, targetOf(edge)));
