import { isObject } from "../json.ts";

/** More nodes than a definition that runs has. It bounds the loop for all others. */
const MAX_NODES = 10_000;

/** The nodes of a definition that name these tools, as `toolId` or in `toolIds`: node ids by tool id. */
export function toolUses(definition: unknown, toolIds: ReadonlySet<string>): Map<string, string[]> {
  const uses = new Map<string, string[]>();
  const nodes: unknown = isObject(definition) ? definition.nodes : undefined;
  for (const node of Array.isArray(nodes) ? nodes.slice(0, MAX_NODES) : []) {
    if (!isObject(node) || typeof node.id !== "string" || !isObject(node.data)) continue;
    const { toolId, toolIds: several } = node.data;
    const named = new Set([toolId, ...(Array.isArray(several) ? (several as unknown[]) : [])]);
    for (const id of named) {
      if (typeof id !== "string" || !toolIds.has(id)) continue;
      const own = uses.get(id);
      if (own) own.push(node.id);
      else uses.set(id, [node.id]);
    }
  }
  return uses;
}
