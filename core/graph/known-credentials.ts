import type { Faults } from "./faults.ts";
import type { GraphNode } from "./graph.ts";
import { NODE_TYPES } from "./node-types.ts";
import { CALLER_CREDENTIALS } from "./wait-data.ts";

/**
 * Reports a credential that the space does not have. Also reports a `wait` step that no caller could call: callers
 * cannot send a credential of its type, or it signs without saying how. `types` has the types of the definition's
 * credentials by id; null for one that the space does not have.
 */
export function checkCredential(
  { id, type: nodeType, data }: GraphNode,
  at: readonly PropertyKey[],
  types: ReadonlyMap<string, string | null>,
  faults: Faults,
): void {
  const { credential, signature } = data;
  const type = typeof credential === "string" ? types.get(credential) : undefined;
  if (type === null)
    faults.add(id, [...at, "credential"], "There is no such credential, or this space may not use it.");
  if (!type || !NODE_TYPES[nodeType].takesCalls) return;
  if (!(CALLER_CREDENTIALS as readonly string[]).includes(type)) {
    const message = `Callers cannot send a credential of the type \`${type}\`. Use one of ${CALLER_CREDENTIALS.join(", ")}.`;
    faults.add(id, [...at, "credential"], message);
  } else if (type === "hmac" && signature === undefined)
    faults.add(id, [...at, "signature"], "Is missing: say how callers sign with the credential of the type `hmac`.");
  else if (type !== "hmac" && signature !== undefined)
    faults.add(id, [...at, "signature"], `Needs a credential of the type \`hmac\`. This one has the type \`${type}\`.`);
}
