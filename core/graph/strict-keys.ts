import { didYouMean, nearest } from "../nearest.ts";
import { definitionEdge, definitionNode, policy } from "./definition.ts";
import type { Faults } from "./faults.ts";
import { NODE_TYPES, type NodeTypeName } from "./node-types.ts";
import { knownKeys, unknownKeys } from "./unknown-keys.ts";

/** The key under which visual builders keep a caption in a node's data. */
const CAPTION = "label";
/** The most known keys that a message lists. */
const MAX_SHOWN = 30;
const POLICY_KEYS = Object.keys(policy.shape);
const NODE_KEYS = Object.keys(definitionNode.shape);
const EDGE_KEYS = [...Object.keys(definitionEdge.shape), "targetHandle"];

const shown = (known: readonly string[]) =>
  known.length === 0 ? "No keys are allowed here." : `Known keys: ${known.slice(0, MAX_SHOWN).join(", ")}.`;

const unknownKey = (key: string, known: readonly string[]) =>
  `Unknown key \`${key}\`.${didYouMean(key, known)} ${shown(known)}`;

/** Reports meaningless keys in a node's data and policy. */
export function checkKeys(
  { id, type }: { id: string; type: NodeTypeName },
  at: PropertyKey[],
  { data, policy: given }: { data?: unknown; policy?: unknown },
  faults: Faults,
): void {
  const named = [
    ...unknownKeys(NODE_TYPES[type].data, data, ["data"]).filter(({ path }) => path.length > 2 || path[1] !== CAPTION),
    ...unknownKeys(policy, given, ["policy"]),
  ];
  for (const { path, known } of named) faults.add(id, [...at, ...path], () => unknownKey(String(path.at(-1)), known));
}

/**
 * Reports misspelt keys. Builders store keys of their own next to the known ones, so a key is a fault only if it
 * resembles a known key that is missing.
 */
function checkMisspelt(
  id: string | null,
  at: PropertyKey[],
  value: object,
  known: readonly string[],
  faults: Faults,
): void {
  for (const key of Object.keys(value)) {
    if (faults.areEnough) return;
    if (known.includes(key)) continue;
    const meant = nearest(key, known);
    if (meant !== undefined && !Object.hasOwn(value, meant))
      faults.add(id, [...at, key], `Unknown key \`${key}\`. Did you mean "${meant}"?`);
  }
}

/** Reports keys next to a node's data and policy that belong inside one of these, or are misspelt. */
export function checkNodeKeys(
  { id, type }: { id: string; type: NodeTypeName },
  at: PropertyKey[],
  node: Record<string, unknown>,
  faults: Faults,
): void {
  const dataKeys = knownKeys(NODE_TYPES[type].data);
  for (const key of Object.keys(node).filter(each => !NODE_KEYS.includes(each))) {
    const place = POLICY_KEYS.includes(key) ? "policy" : dataKeys.includes(key) ? "data" : undefined;
    if (place) faults.add(id, [...at, key], `\`${key}\` belongs in the \`${place}\` of the node.`);
  }
  checkMisspelt(id, at, node, NODE_KEYS, faults);
}

export const checkEdgeKeys = (at: PropertyKey[], edge: object, faults: Faults) =>
  checkMisspelt(null, at, edge, EDGE_KEYS, faults);

export const checkTopKeys = (definition: object, faults: Faults) =>
  checkMisspelt(null, [], definition, ["nodes", "edges", "settings", "notes", "tests"], faults);
