import { randomBytes, timingSafeEqual } from "node:crypto";
import { parse, stringify } from "uuid";
import { keyedHash } from "../../service-kit/keyed-hash.ts";

const ID_BYTES = 16;
const SECRET_BYTES = 32;
const TAG_BYTES = 16;
const PREFIX = "wfr_";

const tagOf = (key: string, body: Uint8Array) => keyedHash(key, "refresh token tag", body).subarray(0, TAG_BYTES);

function tokenOf(key: string, sessionId: string, secret: Uint8Array): string {
  const body = Buffer.concat([parse(sessionId), secret]);
  return PREFIX + Buffer.concat([body, tagOf(key, body)]).toString("base64url");
}

/**
 * The first refresh token of a session: the session's id, 32 random bytes, and a tag that only this service can create.
 * The tag distinguishes a previous token from an invented one without a list of previous tokens. Only a previous token
 * ends the session.
 */
export const makeRefreshToken = (key: string, sessionId: string): string =>
  tokenOf(key, sessionId, randomBytes(SECRET_BYTES));

/**
 * The token that replaces this one. It is derived from the token and the service's key, so every node computes the same
 * successor, and the store holds no usable token. Neither the token nor the key alone is enough to compute it.
 */
export const successorOf = (key: string, sessionId: string, token: string): string =>
  tokenOf(key, sessionId, keyedHash(key, "refresh token successor", token));

/**
 * The session that a token was created for, or null if this service did not create it. The token may have been replaced
 * since.
 */
export function sessionOfRefreshToken(key: string, token: string): string | null {
  if (!token.startsWith(PREFIX)) return null;
  const bytes = Buffer.from(token.slice(PREFIX.length), "base64url");
  if (bytes.length !== ID_BYTES + SECRET_BYTES + TAG_BYTES) return null;
  const body = bytes.subarray(0, ID_BYTES + SECRET_BYTES);
  if (!timingSafeEqual(tagOf(key, body), bytes.subarray(body.length))) return null;
  return stringify(body.subarray(0, ID_BYTES));
}

/** The stored hash of a token. It cannot be reversed, and without the key it cannot be checked. */
export const refreshTokenHash = (key: string, token: string): string =>
  keyedHash(key, "refresh token", token).toString("base64url");
