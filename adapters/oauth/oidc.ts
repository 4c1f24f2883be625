import type { FetchImplementation, JWTVerifyGetKey } from "jose";
import * as oauth from "oauth4webapi";
import { type Fetch, libraryFetch } from "./library-fetch.ts";
import { SignInFault, signInFault } from "./sign-in-fault.ts";
import { clientAuth, isSecureEndpoint, jose } from "./token-requests.ts";

/** What a client needs to know about a provider. */
export interface OidcSettings {
  issuer: string;
  clientId: string;
  clientSecret: string | undefined;
  scope: string;
  groupsClaim: string;
}

/** The secrets of one sign-in. */
export interface OidcAttempt {
  state: string;
  nonce: string;
  verifier: string;
}

/** What a provider says about a person. */
export interface ProvedPerson {
  issuer: string;
  subject: string;
  email: unknown;
  /** The provider has verified the address. */
  emailVerified: boolean;
  name: unknown;
  groups: string[];
  /** The person used several factors at the provider (RFC 8176). */
  severalFactors: boolean;
  /** The session at the provider. A logout names it. */
  sid: string | undefined;
}

/** What a logout at the provider ends: one session, or all sessions of a person. */
export interface ProviderLogout {
  issuer: string;
  /** Identifies the token. A token is accepted once. */
  tokenId: string;
  /** In seconds since 1970. */
  issuedAt: number;
  subject: string | undefined;
  sid: string | undefined;
}

/** Signatures with keys that only the provider has. HMAC and `none` are excluded, even if a provider lists them. */
const ALGORITHMS = ["RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA"];
/** The tolerated difference between the provider's clock and ours, in seconds. */
const SKEW_S = 60;
const DISCOVERY_MS = 600_000;
const MAX_DOCUMENT = 1_048_576;
const MAX_GROUPS = 2_000;
const MAX_GROUP = 300;
const LOGOUT_EVENT = "http://schemas.openid.net/event/backchannel-logout";

const textOr = (value: unknown) => (typeof value === "string" && value !== "" ? value : undefined);
const isTrue = (value: unknown) => value === true || value === "true";

function groupsIn(value: unknown): string[] {
  const all = Array.isArray(value) ? (value as unknown[]) : [value];
  const named = all.filter((group): group is string => typeof group === "string" && group.length <= MAX_GROUP);
  return [...new Set(named)].slice(0, MAX_GROUPS);
}

export const newAttempt = (): OidcAttempt => ({
  state: oauth.generateRandomState(),
  nonce: oauth.generateRandomNonce(),
  verifier: oauth.generateRandomCodeVerifier(),
});

interface Options {
  [oauth.customFetch]: ReturnType<typeof libraryFetch>;
  [oauth.allowInsecureRequests]: boolean;
}

/** Signs people in with one OpenID Connect provider: code flow with PKCE, state and nonce. */
export class OidcClient {
  readonly #settings: OidcSettings;
  readonly #host: string;
  readonly #client: oauth.Client;
  readonly #options: Options;
  readonly #keys: oauth.ExportedJWKSCache | Record<string, never> = {};
  #server: { at: number; document: oauth.AuthorizationServer; logoutKeys: JWTVerifyGetKey } | undefined;

  /** `fetch` reaches the issuer. Other addresses need the permission of the guard of outgoing calls. */
  constructor(fetch: Fetch, settings: OidcSettings) {
    this.#settings = settings;
    this.#host = new URL(settings.issuer).host;
    this.#client = { client_id: settings.clientId, [oauth.clockTolerance]: SKEW_S };
    this.#options = {
      [oauth.customFetch]: libraryFetch(fetch, { maxBytes: MAX_DOCUMENT }),
      // The settings allow http only for this machine, and endpoints elsewhere are refused.
      [oauth.allowInsecureRequests]: settings.issuer.startsWith("http:"),
    };
  }

  /**
   * The address at which the person signs in.
   * @throws {SignInFault} when the provider's document cannot be read
   */
  async authorizeUrl({ state, nonce, verifier }: OidcAttempt, redirectUri: string): Promise<string> {
    const { authorization_endpoint: endpoint } = await this.#discover();
    const url = new URL(endpoint ?? "");
    const parameters = {
      response_type: "code",
      client_id: this.#settings.clientId,
      redirect_uri: redirectUri,
      scope: this.#settings.scope,
      state,
      nonce,
      code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
      code_challenge_method: "S256",
    };
    for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
    return url.href;
  }

  /**
   * Exchanges the code of the browser's callback for the person.
   * @throws {SignInFault} when the provider does not prove who the person is
   */
  async prove(callback: URLSearchParams, attempt: OidcAttempt, redirectUri: string): Promise<ProvedPerson> {
    const server = await this.#discover();
    try {
      const checked = oauth.validateAuthResponse(server, this.#client, callback, attempt.state);
      const secret = clientAuth(this.#settings.clientSecret, this.#secretIn(server));
      const { verifier, nonce: expectedNonce } = attempt;
      const asked = [server, this.#client, secret, checked, redirectUri, verifier, this.#options] as const;
      const response = await oauth.authorizationCodeGrantRequest(...asked);
      const expected = { expectedNonce, requireIdToken: true };
      const tokens = await oauth.processAuthorizationCodeResponse(server, this.#client, response, expected);
      const keys = { ...this.#options, [oauth.jwksCache]: this.#keys };
      await oauth.validateApplicationLevelSignature(server, response, keys);
      const claims = oauth.getValidatedIdTokenClaims(tokens)!;
      if (claims.iat > Date.now() / 1_000 + SKEW_S) throw new SignInFault("The ID token is from the future (iat).");
      return await this.#personOf(server, claims, tokens.access_token);
    } catch (error) {
      throw signInFault(error, this.#host);
    }
  }

  /**
   * Reads a logout token (OpenID Connect Back-Channel Logout 1.0, section 2.6).
   * @throws {SignInFault} when the token is not valid
   */
  async readLogout(token: string): Promise<ProviderLogout> {
    const { issuer } = await this.#discover();
    try {
      const { jwtVerify } = await jose();
      const { payload } = await jwtVerify(token, this.#server!.logoutKeys, {
        issuer,
        audience: this.#settings.clientId,
        algorithms: ALGORITHMS,
        clockTolerance: SKEW_S,
        maxTokenAge: 600,
        requiredClaims: ["iat", "jti", "events"],
      });
      const { jti = "", iat: issuedAt = 0, sub: subject, sid, events, nonce } = payload;
      const isLogout = typeof events === "object" && events !== null && LOGOUT_EVENT in events;
      if (!isLogout || nonce !== undefined || jti === "" || (subject ?? sid) === undefined)
        throw new SignInFault("The token is not a logout token.");
      return { issuer, tokenId: jti, issuedAt, subject, sid: textOr(sid) };
    } catch (error) {
      throw signInFault(error, this.#host);
    }
  }

  /** The provider's discovery document, cached for ten minutes. */
  async #discover(): Promise<oauth.AuthorizationServer> {
    if (this.#server && Date.now() - this.#server.at < DISCOVERY_MS) return this.#server.document;
    try {
      const issuer = new URL(this.#settings.issuer);
      const response = await oauth.discoveryRequest(issuer, { ...this.#options, algorithm: "oidc" });
      const found = await oauth.processDiscoveryResponse(issuer, response);
      const listed = found.id_token_signing_alg_values_supported ?? ["RS256"];
      const document = {
        ...found,
        id_token_signing_alg_values_supported: listed.filter(name => ALGORITHMS.includes(name)),
      };
      for (const name of ["authorization_endpoint", "token_endpoint", "jwks_uri"] as const) {
        if (!isSecureEndpoint(document[name] ?? ""))
          throw new SignInFault(`The ${name} of the provider is not an https address.`);
      }
      this.#server = { at: Date.now(), document, logoutKeys: await this.#logoutKeys(document.jwks_uri ?? "") };
      return document;
    } catch (error) {
      throw signInFault(error, this.#host);
    }
  }

  /**
   * Fetches the keys at most twice a minute, so that strangers who send tokens cannot make this node call the provider
   * for each token.
   */
  async #logoutKeys(address: string): Promise<JWTVerifyGetKey> {
    const { createRemoteJWKSet, customFetch } = await jose();
    const fetch = this.#options[oauth.customFetch];
    const ask: FetchImplementation = (url, { method, headers }) =>
      fetch(url, { method, headers: Object.fromEntries(headers) });
    return createRemoteJWKSet(new URL(address), {
      [customFetch]: ask,
      cacheMaxAge: DISCOVERY_MS,
    });
  }

  #secretIn({ token_endpoint_auth_methods_supported: methods }: oauth.AuthorizationServer): "basic" | "body" {
    return methods?.includes("client_secret_post") && !methods.includes("client_secret_basic") ? "body" : "basic";
  }

  /** The claims of the ID token, plus claims that only the userinfo endpoint gives. */
  async #personOf(server: oauth.AuthorizationServer, claims: oauth.IDToken, token: string): Promise<ProvedPerson> {
    const { groupsClaim } = this.#settings;
    const isWhole = claims.email !== undefined && claims[groupsClaim] !== undefined;
    let more: Record<string, unknown> = {};
    if (!isWhole && isSecureEndpoint(server.userinfo_endpoint ?? "")) {
      const response = await oauth.userInfoRequest(server, this.#client, token, this.#options);
      more = await oauth.processUserInfoResponse(server, this.#client, claims.sub, response);
    }
    // The address and its verification must come from the same document.
    const { email, email_verified: verified } = claims.email === undefined ? more : claims;
    return {
      issuer: server.issuer,
      subject: claims.sub,
      email,
      emailVerified: isTrue(verified),
      name: claims.name ?? more.name,
      groups: groupsIn(claims[groupsClaim] ?? more[groupsClaim]),
      severalFactors: Array.isArray(claims.amr) && claims.amr.includes("mfa"),
      sid: textOr(claims.sid),
    };
  }
}
