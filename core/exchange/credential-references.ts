import type { ImportWarning } from "../../contracts/entities/workflow-document.ts";
import { ID_PATTERN } from "../../contracts/primitives.ts";
import { CREDENTIAL_TYPES, type CredentialTypeName } from "../../contracts/credentials/types.ts";
import { credentialMark, shownCredential, type WantedCredential, wantedBy } from "../credentials/wanted.ts";
import { isObject, type JsonObject } from "../json.ts";

/** How a workflow file names a credential. Ids mean nothing in another installation. */
export interface CredentialName {
  name: string;
  type: string;
}

type Change = (credential: unknown, node: JsonObject) => unknown;

/** Applies `change` to the `credential` of each node. */
function mapCredentials(definition: unknown, change: Change): unknown {
  if (!isObject(definition) || !Array.isArray(definition.nodes)) return definition;
  const nodes = definition.nodes.map((node: unknown) => {
    if (!isObject(node) || !isObject(node.data) || !Object.hasOwn(node.data, "credential")) return node;
    return { ...node, data: { ...node.data, credential: change(node.data.credential, node) } };
  });
  return { ...definition, nodes };
}

/** The ids of the credentials that the nodes of a definition use. */
export function namedCredentials(definition: unknown): string[] {
  const ids = new Set<string>();
  mapCredentials(definition, credential => {
    if (typeof credential === "string" && ID_PATTERN.test(credential)) ids.add(credential);
    return credential;
  });
  return [...ids];
}

/** Replaces credential ids by names, for a file. Unknown ids stay. */
export const withCredentialNames = (definition: unknown, known: ReadonlyMap<string, CredentialName>): unknown =>
  mapCredentials(definition, credential => {
    const found = typeof credential === "string" ? known.get(credential) : undefined;
    return found ? credentialMark({ name: found.name, type: found.type }) : credential;
  });

const fits = (wanted: WantedCredential, { name, type }: CredentialName) =>
  name === wanted.name &&
  (wanted.type === undefined ? CREDENTIAL_TYPES[type as CredentialTypeName].use === "calls" : type === wanted.type);

/** The credentials that a file needs. */
export function wantedCredentials(definition: unknown): WantedCredential[] {
  const wanted: WantedCredential[] = [];
  mapCredentials(definition, credential => {
    const named = wantedBy(credential);
    if (named) wanted.push(named);
    return credential;
  });
  return wanted;
}

/**
 * Binds the definition of a file to the credentials of this installation. A credential without a match stays as it is,
 * with a warning.
 */
export function bindCredentials(
  definition: unknown,
  here: readonly (CredentialName & { id: string })[],
): { definition: unknown; warnings: ImportWarning[] } {
  const warnings: ImportWarning[] = [];
  const bound = mapCredentials(definition, (credential, node) => {
    const wanted = wantedBy(credential);
    if (!wanted) return credential;
    const found = here.find(one => fits(wanted, one));
    if (found) return found.id;
    const message = `The workspace has no credential ${shownCredential(wanted)}. Create it, or choose another for this step.`;
    const name = typeof node.name === "string" ? node.name : null;
    warnings.push({ nodeId: typeof node.id === "string" ? node.id : null, node: name, message });
    return credential;
  });
  return { definition: bound, warnings };
}

const ANY_ID = "00000000-0000-7000-8000-000000000000";

/** Replaces each placeholder by some id, so that the rest of the definition can be checked. */
export const bindAll = (definition: unknown): unknown =>
  mapCredentials(definition, credential => (wantedBy(credential) ? ANY_ID : credential));
