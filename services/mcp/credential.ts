import type { McpAuth, McpOAuth } from "../../adapters/mcp/port.ts";
import type { AuthType } from "../../contracts/entities/mcp-server.ts";
import { AppError, type Fault } from "../../contracts/errors.ts";

/** The fields of a request about the credential. */
export interface GivenCredential {
  accessToken?: string | undefined;
  refreshToken?: string | undefined;
  clientId?: string | undefined;
  clientSecret?: string | undefined;
  tokenUrl?: string | undefined;
  scope?: string | undefined;
}

const FIELDS = ["accessToken", "refreshToken", "clientId", "clientSecret", "tokenUrl", "scope"] as const;

export const pickCredential = (params: GivenCredential): GivenCredential =>
  Object.fromEntries(FIELDS.filter(field => params[field] !== undefined).map(field => [field, params[field]]));

const refuse = (errors: Fault[]) => new AppError("validation_failed", { errors });
export const bothCredentialsError = () =>
  refuse([{ path: "/credentialId", message: "Not allowed together with a credential of the server's own" }]);
const NEEDED = "Required: a credential given for another address or another authType is not reused";

const TAKEN: Record<AuthType, readonly (keyof GivenCredential)[]> = {
  none: [],
  api_key: ["accessToken"],
  bearer: ["accessToken"],
  oauth: FIELDS,
};

function oauthOf(given: GivenCredential, kept: McpOAuth | null): McpOAuth {
  const { accessToken, expiresAt, ...rest } = { ...kept };
  const auth: McpOAuth = { ...rest, ...given, type: "oauth" };
  const renewable = auth.refreshToken !== undefined || (auth.clientId !== undefined && auth.clientSecret !== undefined);
  // Changing how tokens are obtained also requires a new token.
  const again = given.accessToken === undefined && renewable && Object.keys(given).length > 0;
  if (accessToken !== undefined && given.accessToken === undefined && !again) {
    Object.assign(auth, { accessToken, ...(expiresAt !== undefined && { expiresAt }) });
  }
  if (auth.clientSecret !== undefined && auth.clientId === undefined)
    throw refuse([{ path: "/clientId", message: "Required together with `clientSecret`" }]);
  if (auth.accessToken === undefined && !renewable) throw refuse([{ path: "/accessToken", message: NEEDED }]);
  return auth;
}

/**
 * The credential that results from the fields of a request and the stored credential. Callers must not pass a stored
 * credential that was entered for another address.
 * @throws {AppError} validation_failed when the fields do not form a credential
 */
export function authOf(authType: AuthType, given: GivenCredential, kept: McpAuth | null): McpAuth {
  const strange = FIELDS.filter(field => given[field] !== undefined && !TAKEN[authType].includes(field));
  if (strange.length > 0) {
    throw refuse(
      strange.map(field => ({ path: `/${field}`, message: `Not allowed when \`authType\` is \`${authType}\`` })),
    );
  }
  switch (authType) {
    case "none":
      return { type: "none" };
    case "oauth":
      return oauthOf(given, kept?.type === "oauth" ? kept : null);
    case "api_key":
    case "bearer": {
      const before = kept?.type === "api_key" ? kept.key : kept?.type === "bearer" ? kept.token : undefined;
      const secret = given.accessToken ?? (kept?.type === authType ? before : undefined);
      if (secret === undefined) throw refuse([{ path: "/accessToken", message: NEEDED }]);
      return authType === "api_key" ? { type: authType, key: secret } : { type: authType, token: secret };
    }
  }
}

/**
 * The resource that an address names. On one origin, another path or query may belong to another owner (RFC 8707,
 * section 2).
 */
function resourceOf(address: string | undefined): string | undefined {
  const url = address === undefined ? null : URL.parse(address);
  if (url) url.hash = "";
  return url?.href;
}

/**
 * Whether the stored credential may still be sent. It must never reach another owner than the one that it was entered
 * for.
 */
export function isSameOwner(
  before: { url: string; authType: AuthType; auth: McpAuth },
  now: { url: string; authType: AuthType; tokenUrl?: string | undefined },
): boolean {
  const tokenUrl = before.auth.type === "oauth" ? before.auth.tokenUrl : undefined;
  return (
    before.authType === now.authType &&
    resourceOf(before.url) === resourceOf(now.url) &&
    (now.tokenUrl === undefined || resourceOf(now.tokenUrl) === resourceOf(tokenUrl))
  );
}
