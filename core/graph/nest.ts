import type { Faults } from "./faults.ts";
import type { GraphNode } from "./graph.ts";
import { NODE_TYPES } from "./node-types.ts";
import type { ReadNode } from "./read-nodes.ts";

/** The most nested maps and loops. Each level multiplies the number of steps that run at a time. */
const MAX_LEVELS = 5;

function levelOf(node: GraphNode, parentOf: (node: GraphNode) => GraphNode | undefined): number {
  let level = 0;
  for (let up = parentOf(node); up && level <= MAX_LEVELS; up = parentOf(up)) level++;
  return level;
}

/** Puts each node inside the map or loop that its `parentId` names. Returns the nodes of the run itself. */
export function nest(
  byId: ReadonlyMap<string, GraphNode>,
  read: ReadonlyMap<string, ReadNode>,
  known: ReadonlySet<string>,
  faults: Faults,
): GraphNode[] {
  const parentOf = (node: GraphNode) => byId.get(read.get(node.id)?.node.parentId ?? "");
  for (const node of byId.values()) {
    const parentId = read.get(node.id)?.node.parentId;
    if (parentId === undefined) continue;
    const path = ["nodes", node.index, "parentId"];
    const parent = byId.get(parentId);
    if (!known.has(parentId)) faults.add(node.id, path, `The parent node \`${parentId}\` does not exist.`);
    else if (parent && !NODE_TYPES[parent.type].contains)
      faults.add(
        node.id,
        path,
        `The parent \`${parentId}\` is a ${parent.type} step. Only a map or a loop can contain nodes.`,
      );
    else if (levelOf(node, parentOf) > MAX_LEVELS)
      faults.add(node.id, path, `The node is inside more than ${MAX_LEVELS} maps and loops, or inside itself.`);
    else if (parent) node.parent = parent;
  }
  const roots: GraphNode[] = [];
  for (const node of byId.values()) (node.parent?.body?.nodes ?? roots).push(node);
  return roots;
}
