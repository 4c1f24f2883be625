import type { EditorScope, ScopeStep } from "../../editor/complete.ts";
import { words } from "../../messages/en-inspector.ts";
import {
  type BuilderDocument,
  type DocumentState,
  downstreamOf,
  isStray,
  nameOf,
  parentOf,
  sourceOf,
  targetOf,
  typeOf,
} from "../document/index.ts";
import type { NodeTypes } from "../node-types.ts";
import type { SampleStore } from "./sample-store.ts";

/** The maps around a step, outermost first. */
export function mapsAround(state: DocumentState, id: string): string[] {
  const maps: string[] = [];
  for (let at = parentOf(state.nodes.get(id)); at !== undefined && !maps.includes(at);) {
    maps.unshift(at);
    at = parentOf(state.nodes.get(at));
  }
  return maps;
}

/** The steps whose output a step can read: the steps that lead to it or to the maps around it. */
export function leadingTo(state: DocumentState, id: string): Set<string> {
  const before = new Map<string, string[]>();
  for (const edge of state.edges.values()) {
    const known = before.get(targetOf(edge));
    if (known) known.push(sourceOf(edge));
    else before.set(targetOf(edge), [sourceOf(edge)]);
  }
  const reached = new Set([id, ...mapsAround(state, id)]);
  const own = new Set(reached);
  // The loop also visits ids that are added while it runs.
  for (const each of reached) for (const source of before.get(each) ?? []) reached.add(source);
  return reached.difference(own);
}

/** Reads which steps lead to a step. The list stays the same object until edges change, which forms never do. */
export function readLeading(doc: BuilderDocument, id: string): () => readonly string[] {
  let known: { edges: unknown; steps: readonly string[] } | undefined;
  return () => {
    const state = doc.getState();
    if (known?.edges !== state.edges) known = { edges: state.edges, steps: [...leadingTo(state, id)] };
    return known.steps;
  };
}

/** Why another step's output is not available to a step. Undefined if it is. */
function uselessFor(state: DocumentState, id: string, leading: ReadonlySet<string>, after: ReadonlySet<string>) {
  const maps = mapsAround(state, id);
  return (other: string): string | undefined => {
    if (leading.has(other)) return undefined;
    if (other === id) return words.useless.itself;
    if (after.has(other)) return words.useless.later;
    const parent = parentOf(state.nodes.get(other));
    return parent !== undefined && !maps.includes(parent) ? words.useless.inside : words.useless.beside;
  };
}

/** All steps. Those that lead to `id` come first. */
export function scopeSteps(state: DocumentState, id: string): ScopeStep[] {
  const why = uselessFor(state, id, leadingTo(state, id), downstreamOf(state, id));
  return [...state.nodes.keys()]
    .filter(key => !isStray(key))
    .map(key => ({ id: key, name: nameOf(state, key), useless: why(key) }));
}

const NAMES = ["input", "steps", "execution", "workflow", "trigger", "vars"];
/** The names and values that the expressions of a step can read. */
export function scopeOf(
  state: DocumentState,
  id: string,
  catalogue: NodeTypes | undefined,
  samples: SampleStore,
): EditorScope {
  const steps = scopeSteps(state, id);
  const typeNamed = (type: string) => catalogue?.types.find(one => one.type === type);
  const infoOf = (each: string) => typeNamed(typeOf(state.nodes.get(each)));
  // A service of an earlier version does not report these names.
  const given = [...mapsAround(state, id).flatMap(each => infoOf(each)?.inside ?? []), ...(infoOf(id)?.own ?? [])];
  const names = [...new Set([...NAMES, ...given])];
  const near = steps.filter(({ useless }) => useless === undefined).map(step => step.id);
  return {
    names: names.map(name => ({ name, docs: words.scope(name) })),
    steps,
    functions: catalogue?.functions ?? [],
    sample: () => samples.scope(near),
    missing: samples.missing,
    schemaOf: stepId => infoOf(stepId)?.outputSchema,
  };
}
