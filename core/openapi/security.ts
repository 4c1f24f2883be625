import { isObject } from "../json.ts";
import type { SecurityScheme } from "./operation.ts";

type Json = Record<string, unknown>;

const MAX_SCHEMES = 50;
const MAX_NAME = 100;

const TOKENS = ["bearer", "oauth2_client", "oauth2_code", "jwt"];

/**
 * The description of a scheme, and the types of credentials that fit it; undefined for a scheme that no credential
 * fits.
 */
function readScheme(scheme: Json): Omit<SecurityScheme, "name"> | undefined {
  const { type, name, in: place, scheme: kind } = scheme;
  const shown = typeof name === "string" ? name.slice(0, MAX_NAME) : "";
  switch (type) {
    case "apiKey":
      if (place === "query")
        return { description: `API key in the query parameter ${shown}`, credentialTypes: ["query"] };
      return {
        description: `API key in the ${place === "cookie" ? "cookie" : "header"} ${shown}`,
        credentialTypes: ["header"],
      };
    case "http": {
      const way = typeof kind === "string" ? kind.toLowerCase() : "";
      if (way === "basic") return { description: "User name and password (basic)", credentialTypes: ["basic"] };
      if (way === "bearer") return { description: "Bearer token", credentialTypes: TOKENS };
      return { description: `HTTP authentication ${way.slice(0, MAX_NAME)}`, credentialTypes: ["header", "aws"] };
    }
    case "oauth2":
      return { description: "OAuth 2", credentialTypes: TOKENS };
    case "openIdConnect":
      return { description: "OpenID Connect", credentialTypes: TOKENS };
    default:
      return undefined;
  }
}

/** The security schemes of a document. */
export function readSchemes(document: Json): SecurityScheme[] {
  const components = isObject(document.components) ? document.components : {};
  const schemes = isObject(components.securitySchemes) ? components.securitySchemes : {};
  return Object.entries(schemes)
    .slice(0, MAX_SCHEMES)
    .flatMap(([name, scheme]) => {
      const read = isObject(scheme) && name.length <= MAX_NAME ? readScheme(scheme) : undefined;
      return read ? [{ name, ...read }] : [];
    });
}

/**
 * The ways to authenticate that an operation or the document lists. An empty list means that no authentication is
 * needed.
 */
export function readSecurity(value: unknown): string[][] {
  if (!Array.isArray(value)) return [];
  const ways = value.slice(0, MAX_SCHEMES).filter(isObject).map(Object.keys);
  return ways.some(way => way.length === 0) ? [] : ways;
}
