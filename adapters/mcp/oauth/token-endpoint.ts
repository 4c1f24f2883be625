import type { AuthorizationServerMetadata, FetchLike } from "@modelcontextprotocol/client";
import { McpError } from "../mcp-error.ts";
import type { McpOAuth } from "../port.ts";
import type { Sdk } from "../sdk.ts";

/** The details of a refused token (RFC 6750, section 3; RFC 9728, section 5.1). */
export interface Challenge {
  resourceMetadataUrl?: URL | undefined;
  scope?: string | undefined;
}

export interface TokenEndpoint {
  url: URL;
  /** The client authentication methods that the server supports, best first. Empty if the server does not say. */
  methods: string[];
  /** The resource to name in the token request, if the server names one (RFC 8707). */
  resource?: string | undefined;
  scope?: string | undefined;
}

/** Well-known addresses are tried in several spellings. A well-behaved server needs no more requests than these. */
const MAX_REQUESTS = 12;

/** A fetch that fails after this number of requests. */
export function boundedFetch(fetch: FetchLike, signal: AbortSignal): FetchLike {
  let left = MAX_REQUESTS;
  return (url, init) => {
    if (left-- <= 0)
      return Promise.reject(new McpError("mcp_protocol", "The token endpoint redirects, which is not followed"));
    return fetch(url, { ...init, signal });
  };
}

function secure(sdk: Sdk, address: string | URL): URL {
  try {
    return sdk.assertSecureTokenEndpoint(address);
  } catch {
    throw new McpError("mcp_refused", "The token endpoint is not an https address: credentials are not sent there");
  }
}

const methodsOf = (metadata: AuthorizationServerMetadata | undefined) =>
  metadata?.token_endpoint_auth_methods_supported ?? [];

/**
 * Finds the token endpoint: the one that the owner configured, else the one that the server's metadata leads to (RFC
 * 9728, RFC 8414), else `/token` as in the protocol of 2025-03-26.
 * @throws {McpError} when the endpoint is not secure, or the metadata describes another resource.
 * @throws {OutboundError} when a call fails; also the library's errors.
 */
export async function findTokenEndpoint(
  sdk: Sdk,
  fetch: FetchLike,
  serverUrl: string,
  auth: McpOAuth,
  challenge: Challenge,
): Promise<TokenEndpoint> {
  if (auth.tokenUrl !== undefined) return { url: secure(sdk, auth.tokenUrl), methods: [], scope: challenge.scope };
  const { authorizationServerUrl, authorizationServerMetadata, resourceMetadata } = await sdk.discoverOAuthServerInfo(
    serverUrl,
    { fetchFn: fetch, ...(challenge.resourceMetadataUrl && { resourceMetadataUrl: challenge.resourceMetadataUrl }) },
  );
  const resource = resourceMetadata?.resource;
  if (
    resource !== undefined &&
    !sdk.checkResourceAllowed({
      requestedResource: sdk.resourceUrlFromServerUrl(serverUrl),
      configuredResource: resource,
    })
  )
    throw new McpError("mcp_refused", "The server's metadata names a resource other than this server");
  return {
    url: secure(sdk, authorizationServerMetadata?.token_endpoint ?? new URL("/token", authorizationServerUrl)),
    methods: methodsOf(authorizationServerMetadata),
    resource,
    scope: challenge.scope ?? resourceMetadata?.scopes_supported?.join(" "),
  };
}
