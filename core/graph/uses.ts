import { isObject } from "../json.ts";
import { NODE_TYPES, type NodeType } from "./node-types.ts";

/** Bounds the loop for definitions that cannot run. Definitions that run have fewer nodes. */
const MAX_NODES = 10_000;
/** The most credentials that are recorded for one workflow. */
const MAX_USES = 500;
const SECRET = /(?<![\w.`$])secrets\s*\.\s*(?:`([^`]{1,200})`|([A-Za-z_]\w{0,199}))/g;

/** The data of the nodes of a definition, which may be invalid. */
function dataOf(definition: unknown): { id: unknown; type: unknown; data: Record<string, unknown> }[] {
  const nodes: unknown = isObject(definition) ? definition.nodes : undefined;
  const list: unknown[] = Array.isArray(nodes) ? nodes.slice(0, MAX_NODES) : [];
  return list.flatMap(node =>
    isObject(node) && isObject(node.data) ? [{ id: node.id, type: node.type, data: node.data }] : [],
  );
}

/**
 * The key of a credential that expressions name as `{{ secrets.<name>.<field> }}`. Credentials that are used by id have
 * the id as key.
 */
export const keyOfName = (name: string): string => `~${name}`;

function addNames(value: unknown, keys: Set<string>): void {
  if (typeof value === "string") {
    if (!value.includes("{{")) return;
    for (const [, quoted, plain] of value.matchAll(SECRET)) keys.add(keyOfName((quoted ?? plain)!));
  } else if (typeof value === "object" && value !== null) {
    for (const part of Object.values(value)) addNames(part, keys);
  }
}

/**
 * The keys of the credentials that a definition uses, by id or by name. A name in an expression counts anywhere. A
 * definition without credentials gives an empty list.
 */
export function credentialUses(definition: unknown): string[] {
  const keys = new Set<string>();
  for (const { data } of dataOf(definition)) {
    if (typeof data.credential === "string" && data.credential !== "") keys.add(data.credential);
    addNames(data, keys);
  }
  return [...keys].slice(0, MAX_USES);
}

/** The types whose nodes run another workflow. */
const RUNNERS: ReadonlySet<unknown> = new Set(
  Object.entries<NodeType>(NODE_TYPES).flatMap(([type, { runsWorkflow }]) => (runsWorkflow ? [type] : [])),
);

/** A node of a definition that runs another workflow. `version` is null if it names none. */
export interface WorkflowCall {
  nodeId: string;
  version: number | "deployed" | null;
}

/** The nodes of a definition that run this workflow. The definition may be invalid. */
export function callsOf(definition: unknown, workflowId: string): WorkflowCall[] {
  return dataOf(definition).flatMap(({ id: nodeId, type, data }) => {
    if (typeof nodeId !== "string" || !RUNNERS.has(type) || data.workflowId !== workflowId) return [];
    const { version } = data;
    return [{ nodeId, version: version === "deployed" || typeof version === "number" ? version : null }];
  });
}

/**
 * The nodes of a definition that name these tools (or any tools) as `toolId` or in `toolIds`. Maps tool ids to node
 * ids.
 */
export function toolUses(definition: unknown, toolIds?: ReadonlySet<string>): Map<string, string[]> {
  const uses = new Map<string, string[]>();
  for (const { id: nodeId, data } of dataOf(definition)) {
    if (typeof nodeId !== "string") continue;
    const { toolId, toolIds: several } = data;
    for (const id of new Set([toolId, ...(Array.isArray(several) ? (several as unknown[]) : [])])) {
      if (typeof id !== "string" || toolIds?.has(id) === false) continue;
      const own = uses.get(id);
      if (own) own.push(nodeId);
      else uses.set(id, [nodeId]);
    }
  }
  return uses;
}
