import { type Ends, whyNot } from "./commands/edges.ts";
import type { DocumentState } from "./state.ts";
import { containersAround } from "./within.ts";

/** A step and the containers around it, innermost first. */
const chainOf = (state: DocumentState, id: string): string[] => [id, ...containersAround(state, id)];

/**
 * Finds what can be connected instead of two steps in different containers: the containers around them that are on the
 * same level. Edges leave a container by `out`.
 */
export function connectableAncestors(
  state: DocumentState,
  { source, handle, target }: Required<Ends>,
  startsRun: (id: string) => boolean,
): Required<Ends>[] {
  return chainOf(state, source).flatMap(from => {
    const way = from === source ? handle : "out";
    return chainOf(state, target).flatMap(to => {
      const ends = { source: from, handle: way, target: to };
      return whyNot(state, ends, startsRun) === undefined ? [ends] : [];
    });
  });
}
