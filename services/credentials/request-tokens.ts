import type { Fetch } from "../../adapters/oauth/library-fetch.ts";
import {
  requestByAssertion,
  requestByClient,
  requestByRefresh,
  TokenError,
  type Tokens,
} from "../../adapters/oauth/token-requests.ts";
import { type CredentialData, secretValues } from "../../contracts/credentials/types.ts";
import { AppError } from "../../contracts/errors.ts";
import { maskerOf } from "../../core/credentials/mask.ts";
import type { CredentialDoc } from "./model.ts";
import { type Data, dataOf, type Self, type StoredTokens } from "./service.ts";

/** A token is renewed when it expires within this time, or within a quarter of its lifetime if that is less. */
const MARGIN_MS = 60_000;

/** Caches opened tokens by document object, for as long as the store caches the document. */
const opened = new WeakMap<object, StoredTokens>();

/** The tokens of a credential, which must not be changed; null if there are none, or they cannot be decrypted. */
export function tokensOf({ tokenSealer, warn }: Self, doc: Readonly<CredentialDoc>): StoredTokens | null {
  const { id, tokens } = doc;
  if (!tokens) return null;
  const before = opened.get(doc);
  if (before) return before;
  try {
    const stored = Object.freeze(JSON.parse(tokenSealer.open(tokens, id)) as StoredTokens);
    opened.set(doc, stored);
    return stored;
  } catch (error) {
    warn("The tokens of a credential cannot be opened.", error);
    return null;
  }
}

export const isAlive = ({ expiresAt = Infinity }: StoredTokens, now: number) => now < expiresAt;

/** Whether a token is far enough from its expiry. `lifeMs` is its original lifetime. */
export const isFresh = ({ expiresAt = Infinity }: StoredTokens, lifeMs: number, now: number) =>
  now < expiresAt - Math.min(MARGIN_MS, lifeMs / 4);

export function needsAuthorization({ name, lastError }: Pick<CredentialDoc, "name" | "lastError">): AppError {
  const why = lastError ? ` ${lastError}` : "";
  return new AppError("credential_needs_authorization", { detail: `The credential "${name}" gives no token.${why}` });
}

/** The same error without secrets. Some servers repeat secrets in their messages. */
export function withoutSecrets(error: unknown, type: CredentialDoc["type"], data: Data, held: StoredTokens | null) {
  if (!(error instanceof TokenError)) return error;
  const known = [...secretValues(type, data), held?.accessToken, held?.refreshToken].filter(one => one !== undefined);
  return new TokenError(maskerOf(known)(error.message), error.final);
}

/**
 * Requests new tokens for a credential, with the refresh token if it has one.
 * @throws {TokenError}
 * @throws {AppError} credential_unreadable
 */
export async function requestTokens(self: Self, doc: CredentialDoc, held: StoredTokens | null): Promise<Tokens> {
  const data = dataOf(self, doc);
  return request(self, doc, data, held).catch((error: unknown) => {
    throw withoutSecrets(error, doc.type, data, held);
  });
}

async function request(self: Self, doc: CredentialDoc, data: Data, held: StoredTokens | null): Promise<Tokens> {
  const fetch: Fetch = asked => self.net.fetch(asked);
  switch (doc.type) {
    case "oauth2_client":
      return requestByClient(fetch, data as CredentialData<"oauth2_client">);
    case "jwt":
      return requestByAssertion(fetch, data as CredentialData<"jwt">);
    case "oauth2_code": {
      const refreshToken = held?.refreshToken;
      if (refreshToken === undefined)
        throw new TokenError("There is no refresh token, and the access token has ended.", true);
      const tokens = await requestByRefresh(fetch, data as CredentialData<"oauth2_code">, refreshToken);
      // A server that does not rotate refresh tokens returns none.
      return { ...tokens, refreshToken: tokens.refreshToken ?? refreshToken };
    }
    default:
      throw new TypeError(`Credentials of the type ${doc.type} have no tokens`);
  }
}
