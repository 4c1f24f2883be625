import type { Faults } from "./faults.ts";
import type { GraphNode } from "./graph.ts";
import { NODE_TYPES } from "./node-types.ts";

/** Why a step cannot undo another one; null if it can. */
function refusal(node: GraphNode, undoing: GraphNode): string | null {
  const { id } = undoing;
  if (undoing === node) return "A step cannot compensate itself.";
  if (node.parent !== undoing.parent)
    return `\`${node.id}\` and \`${id}\` are not inside the same map or loop. A compensation cannot cross its border.`;
  if (NODE_TYPES[undoing.type].startsRun) return `The step \`${id}\` starts the run, so it compensates nothing.`;
  if (undoing.undoes) return `The step \`${id}\` compensates \`${undoing.undoes.id}\` already.`;
  if (undoing.policy.compensate !== undefined)
    return `The step \`${id}\` compensates another one, so it has none itself.`;
  if (undoing.in.length + undoing.out.length > 0)
    return `The step \`${id}\` compensates another one, so no edge leads to or from it.`;
  return null;
}

/** The compensation that contains a step; null if there is none. */
function undoingAround({ parent }: GraphNode): GraphNode | null {
  for (let at = parent; at; at = at.parent) if (at.undoes) return at;
  return null;
}

/** Links each step to the step that its policy names as its compensation. */
export function linkCompensations(
  byId: ReadonlyMap<string, GraphNode>,
  known: ReadonlySet<string>,
  faults: Faults,
): void {
  for (const node of byId.values()) {
    const { compensate } = node.policy;
    if (compensate === undefined) continue;
    const path = ["nodes", node.index, "policy", "compensate"];
    const undoing = byId.get(compensate);
    if (!known.has(compensate)) faults.add(node.id, path, `The node \`${compensate}\` does not exist.`);
    if (!undoing) continue;
    const message = refusal(node, undoing);
    if (message) faults.add(node.id, path, message);
    else {
      node.compensation = undoing;
      undoing.undoes = node;
    }
  }
  for (const node of byId.values()) {
    const around = node.compensation && undoingAround(node);
    if (!around) continue;
    const message = `The step is part of the compensation \`${around.id}\`, so it has none itself.`;
    faults.add(node.id, ["nodes", node.index, "policy", "compensate"], message);
  }
}
