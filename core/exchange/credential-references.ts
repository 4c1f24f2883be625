import type { ImportWarning } from "../../contracts/entities/workflow-document.ts";
import { ID_PATTERN } from "../../contracts/primitives.ts";
import { CREDENTIAL_TYPES, type CredentialTypeName } from "../../contracts/credentials/types.ts";
import { credentialMark, shownCredential, type WantedCredential, wantedBy } from "../credentials/wanted.ts";
import { isObject, type JsonObject } from "../json.ts";

/** A credential as a workflow file names it: ids mean nothing in another installation. */
export interface CredentialName {
  name: string;
  type: string;
}

type Change = (credential: unknown, node: JsonObject) => unknown;

/** The definition with the `credential` of each node changed. */
function mapCredentials(definition: unknown, change: Change): unknown {
  if (!isObject(definition) || !Array.isArray(definition.nodes)) return definition;
  const nodes = definition.nodes.map((node: unknown) => {
    if (!isObject(node) || !isObject(node.data) || !Object.hasOwn(node.data, "credential")) return node;
    return { ...node, data: { ...node.data, credential: change(node.data.credential, node) } };
  });
  return { ...definition, nodes };
}

/** The ids of the credentials that the nodes of a definition name. */
export function namedCredentials(definition: unknown): string[] {
  const ids = new Set<string>();
  mapCredentials(definition, credential => {
    if (typeof credential === "string" && ID_PATTERN.test(credential)) ids.add(credential);
    return credential;
  });
  return [...ids];
}

/** The definition for a file. An id that is not known stays. */
export const withCredentialNames = (definition: unknown, known: ReadonlyMap<string, CredentialName>): unknown =>
  mapCredentials(definition, credential => {
    const found = typeof credential === "string" ? known.get(credential) : undefined;
    return found ? credentialMark({ name: found.name, type: found.type }) : credential;
  });

const fits = (wanted: WantedCredential, { name, type }: CredentialName) =>
  name === wanted.name &&
  (wanted.type === undefined ? CREDENTIAL_TYPES[type as CredentialTypeName].use === "calls" : type === wanted.type);

/** The names of the credentials that a file wants. */
export function wantedCredentials(definition: unknown): WantedCredential[] {
  const wanted: WantedCredential[] = [];
  mapCredentials(definition, credential => {
    const named = wantedBy(credential);
    if (named) wanted.push(named);
    return credential;
  });
  return wanted;
}

/** The definition of a file, bound to the credentials that are here. What is not here stays as it is, with a warning. */
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

/** The definition with some id in place of each mark, to check everything else of it. */
export const bindAll = (definition: unknown): unknown =>
  mapCredentials(definition, credential => (wantedBy(credential) ? ANY_ID : credential));
