import { definitionNode, type DefinitionNode } from "./definition.ts";
import type { Faults } from "./faults.ts";

/** A node as it was read, with its place in the definition's list, which counts those that could not be read. */
export interface ReadNode {
  node: DefinitionNode;
  index: number;
}

/** The nodes that have the form of one, by id; what is wrong with the others goes to the faults. */
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

/** The ids of all nodes, also of those that could not be read: what names one of them names something. */
export const givenIds = (raw: readonly unknown[]): ReadonlySet<string> =>
  new Set(raw.map(givenId).filter(id => id !== undefined));
