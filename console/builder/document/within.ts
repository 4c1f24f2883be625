import { type DocumentState, parentOf } from "./state.ts";

/** The containers around a step, innermost first. */
export function containersAround(state: DocumentState, id: string): string[] {
  const around: string[] = [];
  for (let at = parentOf(state.nodes.get(id)); at !== undefined && !around.includes(at);) {
    if (state.nodes.has(at)) around.push(at);
    at = parentOf(state.nodes.get(at));
  }
  return around;
}

/** The containers around a step and the step itself, outermost first. */
export const pathTo = (state: DocumentState, id: string | undefined): string[] =>
  id === undefined ? [] : [...containersAround(state, id).toReversed(), id];

/**
 * Whether a step is a container or somewhere inside it. `undefined` as the container means the workflow, which contains
 * every step.
 */
export const isWithin = (state: DocumentState, id: string, container: string | undefined): boolean =>
  container === undefined || id === container || containersAround(state, id).includes(container);
