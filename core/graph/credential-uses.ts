import { isObject } from "../json.ts";

/** More nodes than a definition that runs has. It bounds the loop for all others. */
const MAX_NODES = 10_000;
/** The most credentials that are recorded of one workflow. */
const MAX_USES = 500;
const SECRET = /(?<![\w.`$])secrets\s*\.\s*(?:`([^`]{1,200})`|([A-Za-z_]\w{0,199}))/g;

/** The key of a credential that expressions name: `{{ secrets.<name>.<field> }}`. Ids are keys by themselves. */
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
 * The keys of the credentials that a definition uses, by id or by name. A name in an expression counts wherever it
 * stands. A definition without credentials gives an empty list.
 */
export function credentialUses(definition: unknown): string[] {
  const keys = new Set<string>();
  const nodes: unknown = isObject(definition) ? definition.nodes : undefined;
  for (const node of Array.isArray(nodes) ? nodes.slice(0, MAX_NODES) : []) {
    if (!isObject(node) || !isObject(node.data)) continue;
    const { credential } = node.data;
    if (typeof credential === "string" && credential !== "") keys.add(credential);
    addNames(node.data, keys);
  }
  return [...keys].slice(0, MAX_USES);
}
