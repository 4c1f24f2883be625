import type { CredentialTypeName } from "../../../contracts/credentials/types.ts";
import { isObject } from "../../json.ts";
import { credentialMark } from "../../credentials/wanted.ts";
import { textAt, type Translation } from "./translation.ts";
import type { N8nNode } from "./workflow.ts";

/** Weft's types for the types of n8n that are not made for a single service. */
const TYPES: Readonly<Record<string, CredentialTypeName>> = {
  httpHeaderAuth: "header",
  httpQueryAuth: "query",
  httpBasicAuth: "basic",
  httpBearerAuth: "bearer",
  oAuth2Api: "oauth2_code",
  aws: "aws",
  googleApi: "jwt",
  smtp: "smtp",
};
/** Types without a counterpart. */
const FOREIGN = new Set(["httpDigestAuth", "httpCustomAuth", "oAuth1Api", "httpSslAuth"]);
const MAX_NAME = 200;

/** Weft's type for a type of n8n; undefined if it is unknown how the service signs calls. */
const typeOf = (theirs: string): CredentialTypeName | undefined =>
  Object.hasOwn(TYPES, theirs) ? TYPES[theirs] : theirs.endsWith("OAuth2Api") ? "oauth2_code" : undefined;

/** In old files, n8n stores the name of a credential as a text. In newer files, it is a field next to the id. */
function nameOf(given: unknown): string | undefined {
  const name = isObject(given) ? given.name : given;
  return typeof name === "string" && name.trim() !== "" ? name.trim().slice(0, MAX_NAME) : undefined;
}

/**
 * A placeholder for the credential of a node that calls one service. If the credential has no name, the placeholder has
 * the node's name.
 */
export function credentialFor({ credentials = {}, name }: N8nNode, type: CredentialTypeName): object {
  const [held] = Object.values(credentials);
  return credentialMark({ name: nameOf(held) ?? name.slice(0, MAX_NAME), type });
}

/**
 * A placeholder for the credential of a node that sends a request, by name and type. A node may store several
 * credentials and use one.
 */
export function credentialOf({ parameters, credentials = {} }: N8nNode, t: Translation): object | undefined {
  const authentication = textAt(parameters.authentication, "none");
  const held = Object.keys(credentials);
  if (authentication === "none" && held.length === 0) return undefined;
  const chosen = textAt(parameters.genericAuthType ?? parameters.nodeCredentialType, "");
  const theirs = held.includes(chosen) ? chosen : held.length === 1 ? held[0]! : "";
  const name = nameOf(credentials[theirs]);
  if (name === undefined || FOREIGN.has(theirs)) {
    t.warn("Its authentication is left out. Choose a credential for the step.");
    return undefined;
  }
  const type = typeOf(theirs);
  return credentialMark({ name, ...(type && { type }) });
}
