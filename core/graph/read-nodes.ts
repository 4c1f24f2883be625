import { definitionNode, type DefinitionNode } from "./definition.ts";
import type { Faults } from "./faults.ts";

/** A node that was read, with its index in the definition's list. Unreadable nodes count in the index too. */
export interface ReadNode {
  node: DefinitionNode;
  index: number;
}

/** The nodes that can be read, by id. Reports the faults of all other nodes. */
export function readNodes(raw: readonly unknown[], faults: Faults): Map<string, ReadNode> {
  const nodes = new Map<string, ReadNode>();
  raw.forEach((value, index) => {
    const parsed = definitionNode.safeParse(value);
    const at = ["nodes", index];
    if (!parsed.success) faults.issues(givenId(value) ?? null, at, parsed.error.issues);
    else if (nodes.has(parsed.data.id))
      faults.add(parsed.data.id, [...at, "id"], "Another node has the same id. Ids must be unique.");
    else nodes.set(parsed.data.id, { node: parsed.data, index });
  });
  return nodes;
}

const givenId = (value: unknown): string | undefined => {
  const id = (value as { id?: unknown } | null)?.id;
  return typeof id === "string" ? id : undefined;
};

/** The ids of all nodes, including unreadable ones. A name that refers to such a node is not a fault. */
export const givenIds = (raw: readonly unknown[]): ReadonlySet<string> =>
  new Set(raw.map(givenId).filter(id => id !== undefined));
