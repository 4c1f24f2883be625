import * as oauth from "oauth4webapi";
import type { CredentialData } from "../../contracts/credentials/types.ts";
import { clip } from "../../core/clip.ts";
import { OutboundError } from "../net/outbound-error.ts";
import { type Fetch, libraryFetch } from "./library-fetch.ts";

/** Loaded at first use, because few credentials need it. */
export const jose = () => import("jose");

export interface Tokens {
  accessToken: string;
  refreshToken?: string | undefined;
  /** When the access token expires, in ms since 1970 by this node's clock. */
  expiresAt?: number | undefined;
}

/** No tokens were obtained. `final`: another attempt with the same credential would also fail. */
export class TokenError extends Error {
  override readonly name = "TokenError";
  readonly final: boolean;

  constructor(message: string, final: boolean, cause?: unknown) {
    super(message, { cause });
    this.final = final;
  }
}

const MAX_TEXT = 300;
/** The life of an assertion. It begins a little before now, for servers whose clock is behind. */
const ASSERTION_SECONDS = 300;
const SKEW_SECONDS = 30;
const ASSERTION_GRANT = "urn:ietf:params:oauth:grant-type:jwt-bearer";
/** Temporary errors of RFC 6749. */
const PASSING: ReadonlySet<string> = new Set(["server_error", "temporarily_unavailable", "slow_down"]);
const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/** Whether credentials may be sent to this address: by https, or to this machine. */
export function isSecureEndpoint(address: string): boolean {
  const url = URL.parse(address);
  return url !== null && (url.protocol === "https:" || LOOPBACK.test(url.hostname));
}

/** Removes the ID token. It is not used, and checking it would require more knowledge of the server. */
function withoutIdToken(text: string): string {
  try {
    const body = JSON.parse(text) as Record<string, unknown>;
    delete body.id_token;
    return JSON.stringify(body);
  } catch {
    // The library reports the fault.
    return text;
  }
}

const optionsFor = (fetch: Fetch, endpoint: string) => ({
  [oauth.customFetch]: libraryFetch(fetch, { change: withoutIdToken }),
  // Only loopback addresses pass `isSecureEndpoint` without TLS.
  [oauth.allowInsecureRequests]: endpoint.startsWith("http:"),
});

const serverOf = ({
  tokenUrl,
  issuer = new URL(tokenUrl).origin,
}: {
  tokenUrl: string;
  issuer?: string | undefined;
}) => ({
  issuer,
  token_endpoint: tokenUrl,
});

export const clientAuth = (secret: string | undefined, auth: "basic" | "body") =>
  secret === undefined
    ? oauth.None()
    : auth === "basic"
      ? oauth.ClientSecretBasic(secret)
      : oauth.ClientSecretPost(secret);

const plain = (text: unknown) => clip(String(text).replace(/\p{Cc}/gu, " "), MAX_TEXT);

/** Describes why a request failed, for people. */
function describe(error: unknown, host: string): TokenError {
  if (error instanceof TokenError) return error;
  if (error instanceof OutboundError)
    return new TokenError(`${host} was not reached: ${error.message}`, error.code === "outbound_refused", error);
  if (error instanceof oauth.ResponseBodyError) {
    const said = [error.error, error.error_description].filter(Boolean).map(plain).join(": ");
    const passing = error.status >= 500 || error.status === 429 || PASSING.has(error.error);
    return new TokenError(`${host} gave no token: ${said}`, !passing, error);
  }
  const { cause } = error as { cause?: unknown };
  const status = cause instanceof Response ? cause.status : (error as { status?: number }).status;
  const passing = status !== undefined && (status >= 500 || status === 429);
  const what = status === undefined ? plain((error as Error).message) : `it answered ${status}`;
  return new TokenError(`${host} gave no usable token: ${what}`, !passing, error);
}

async function tokensOf(
  endpoint: string,
  request: () => Promise<Response>,
  process: (response: Response) => Promise<oauth.TokenEndpointResponse>,
): Promise<Tokens> {
  if (!isSecureEndpoint(endpoint)) throw new TokenError("The token endpoint is not an https address.", true);
  // The life of a token counts from before the request, by this node's clock.
  const asked = Date.now();
  try {
    const { access_token, refresh_token, expires_in, token_type } = await process(await request());
    if (token_type !== "bearer") throw new TokenError(`Tokens of the type ${plain(token_type)} cannot be used.`, true);
    return {
      accessToken: access_token,
      refreshToken: refresh_token,
      expiresAt: expires_in === undefined ? undefined : asked + expires_in * 1_000,
    };
  } catch (error) {
    throw describe(error, new URL(endpoint).host);
  }
}

/**
 * Requests tokens with client credentials.
 * @throws {TokenError}
 */
export function requestByClient(fetch: Fetch, data: CredentialData<"oauth2_client">): Promise<Tokens> {
  const { tokenUrl, clientId, clientSecret, scope, audience, auth } = data;
  const [server, client] = [serverOf(data), { client_id: clientId }];
  const parameters = { ...(scope !== undefined && { scope }), ...(audience !== undefined && { audience }) };
  const options = optionsFor(fetch, tokenUrl);
  return tokensOf(
    tokenUrl,
    () => oauth.clientCredentialsGrantRequest(server, client, clientAuth(clientSecret, auth), parameters, options),
    response => oauth.processClientCredentialsResponse(server, client, response),
  );
}

/**
 * Requests tokens with a signed assertion.
 * @throws {TokenError}
 */
export function requestByAssertion(fetch: Fetch, data: CredentialData<"jwt">): Promise<Tokens> {
  const { tokenUrl, privateKey, algorithm, keyId, issuer, subject = issuer, audience = tokenUrl, scope, claims } = data;
  const [server, client] = [serverOf({ tokenUrl }), { client_id: issuer }];
  const now = Math.floor(Date.now() / 1_000);
  const assertion = async () => {
    const { importPKCS8, SignJWT } = await jose();
    return new SignJWT({ ...claims, ...(scope !== undefined && { scope }) })
      .setProtectedHeader({ alg: algorithm, typ: "JWT", ...(keyId !== undefined && { kid: keyId }) })
      .setIssuer(issuer)
      .setSubject(subject)
      .setAudience(audience)
      .setIssuedAt(now - SKEW_SECONDS)
      .setExpirationTime(now + ASSERTION_SECONDS)
      .setJti(crypto.randomUUID())
      .sign(await importPKCS8(privateKey, algorithm));
  };
  return tokensOf(
    tokenUrl,
    async () => {
      const parameters = { assertion: await assertion(), ...(scope !== undefined && { scope }) };
      // The assertion identifies the client (RFC 7523, section 3.1). Strict servers refuse a second identification.
      return oauth.genericTokenEndpointRequest(
        server,
        client,
        () => undefined,
        ASSERTION_GRANT,
        parameters,
        optionsFor(fetch, tokenUrl),
      );
    },
    response => oauth.processGenericTokenEndpointResponse(server, client, response),
  );
}

/**
 * Requests tokens with a refresh token.
 * @throws {TokenError}
 */
export function requestByRefresh(
  fetch: Fetch,
  data: CredentialData<"oauth2_code">,
  refreshToken: string,
): Promise<Tokens> {
  const { tokenUrl, clientId, clientSecret, auth } = data;
  const [server, client] = [serverOf(data), { client_id: clientId }];
  return tokensOf(
    tokenUrl,
    () =>
      oauth.refreshTokenGrantRequest(
        server,
        client,
        clientAuth(clientSecret, auth),
        refreshToken,
        optionsFor(fetch, tokenUrl),
      ),
    response => oauth.processRefreshTokenResponse(server, client, response),
  );
}

/** Whether a private key can sign with the algorithm. */
export const isPrivateKey = (key: string, algorithm: string): Promise<boolean> =>
  jose()
    .then(({ importPKCS8 }) => importPKCS8(key, algorithm))
    .then(
      () => true,
      () => false,
    );

/**
 * Exchanges a code for tokens. `checked` are callback parameters that the library has checked.
 * @throws {TokenError}
 */
export function requestByCode(
  fetch: Fetch,
  { tokenUrl, clientId, clientSecret, auth }: CredentialData<"oauth2_code">,
  server: oauth.AuthorizationServer,
  checked: URLSearchParams,
  redirectUri: string,
  verifier: string,
): Promise<Tokens> {
  const client = { client_id: clientId };
  const authentication = clientAuth(clientSecret, auth);
  return tokensOf(
    tokenUrl,
    () =>
      oauth.authorizationCodeGrantRequest(
        server,
        client,
        authentication,
        checked,
        redirectUri,
        verifier,
        optionsFor(fetch, tokenUrl),
      ),
    response => oauth.processAuthorizationCodeResponse(server, client, response),
  );
}
