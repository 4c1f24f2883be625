import { isRecord } from "../../../data/json.ts";
import { words } from "../../../messages/en-builder.ts";
import type { Command } from "../history.ts";
import { withRenamedTies } from "./notes.ts";
import { renamedIn } from "../references.ts";
import {
  compensationOf,
  type DocumentState,
  isStray,
  parentOf,
  type RawNode,
  sourceOf,
  targetOf,
  typeOf,
} from "../state.ts";

/** Whether the strings in a type's data are code instead of expressions. */
export type IsLiteral = (type: string) => boolean;

function renamedNode(node: RawNode, from: string, to: string, isLiteral: IsLiteral): RawNode {
  if (!isRecord(node)) return node;
  const data = renamedIn(node.data, from, to, isLiteral(typeOf(node)));
  const parent = parentOf(node) === from;
  const undone = compensationOf(node) === from;
  if (data === node.data && !parent && !undone) return node;
  return {
    ...node,
    data,
    ...(parent && { parentId: to }),
    ...(undone && isRecord(node.policy) && { policy: { ...node.policy, compensate: to } }),
  };
}

/** The steps whose expressions, code or compensation name a step. The user sees them before the id changes. */
export const namedBy = (state: DocumentState, id: string, isLiteral: IsLiteral): string[] =>
  [...state.nodes]
    .filter(
      ([, node]) =>
        isRecord(node) &&
        (compensationOf(node) === id || renamedIn(node.data, id, `${id}\u0000`, isLiteral(typeOf(node))) !== node.data),
    )
    .map(([key]) => key);

/** Changes the id of a node everywhere: in edges, containers, compensations, expressions and code. */
export const renameId = (from: string, to: string, isLiteral: IsLiteral = () => false): Command => ({
  label: words.command.renameId(from, to),
  apply(state) {
    const node = state.nodes.get(from);
    if (!node || to === "" || to.length > 200 || isStray(to) || state.nodes.has(to)) return state;
    const nodes = [...state.nodes].map(([key, each]): [string, RawNode] => {
      const next = renamedNode(each, from, to, isLiteral);
      return key === from ? [to, { ...next, id: to }] : [key, next];
    });
    const edges = [...state.edges].map(([key, edge]): [string, typeof edge] => {
      if (isStray(key) || (sourceOf(edge) !== from && targetOf(edge) !== from)) return [key, edge];
      const ends = {
        source: sourceOf(edge) === from ? to : edge.source,
        target: targetOf(edge) === from ? to : edge.target,
      };
      return [key, { ...edge, ...ends }];
    });
    return withRenamedTies({ ...state, nodes: new Map(nodes), edges: new Map(edges) }, from, to);
  },
});
