import * as oauth from "oauth4webapi";
import type { CredentialData } from "../../contracts/credentials/types.ts";
import type { Fetch } from "./library-fetch.ts";
import { requestByCode, TokenError, type Tokens } from "./token-requests.ts";

type Data = CredentialData<"oauth2_code">;

export const newVerifier = () => oauth.generateRandomCodeVerifier();

/** The issuer that a callback must come from (RFC 9207). */
const issuerOf = ({ issuer, authorizeUrl }: Data) => issuer ?? new URL(authorizeUrl).origin;

/** The address at which a person authorizes the credential. It always uses PKCE with S256. */
export async function authorizeUrl(data: Data, state: string, verifier: string, redirectUri: string): Promise<string> {
  const url = new URL(data.authorizeUrl);
  for (const [name, value] of Object.entries(data.parameters ?? {})) url.searchParams.set(name, value);
  const own = {
    response_type: "code",
    client_id: data.clientId,
    redirect_uri: redirectUri,
    state,
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: "S256",
    ...(data.scope !== undefined && { scope: data.scope }),
  };
  for (const [name, value] of Object.entries(own)) url.searchParams.set(name, value);
  return url.href;
}

/**
 * Exchanges the code of a callback for tokens.
 * @throws {TokenError} when the callback is not valid, the person refused, or the server gives no tokens
 */
export function tokensByCallback(
  fetch: Fetch,
  data: Data,
  callback: URLSearchParams,
  { state, verifier, redirectUri }: { state: string; verifier: string; redirectUri: string },
): Promise<Tokens> {
  const server = { issuer: issuerOf(data), token_endpoint: data.tokenUrl };
  let checked: URLSearchParams;
  try {
    checked = oauth.validateAuthResponse(server, { client_id: data.clientId }, callback, state);
  } catch (error) {
    const refused = error instanceof oauth.AuthorizationResponseError;
    const why = refused ? `the authorization server answered ${error.error}` : (error as Error).message;
    throw new TokenError(`Not authorized: ${why.slice(0, 300)}`, true, error);
  }
  return requestByCode(fetch, data, server, checked, redirectUri, verifier);
}
