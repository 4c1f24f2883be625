import { randomBytes, timingSafeEqual } from "node:crypto";
import { parse, stringify } from "uuid";
import { keyedHash } from "../../mixins/keyed-hash.ts";

const ID_BYTES = 16;
const SECRET_BYTES = 32;
const TAG_BYTES = 16;
const PREFIX = "wfr_";

const tagOf = (key: string, body: Uint8Array) => keyedHash(key, "refresh token tag", body).subarray(0, TAG_BYTES);

/**
 * A refresh token: the session's id, 32 random bytes, and a tag that only we can make. The tag lets a token that was used
 * before be told from one that was made up, without keeping every token that ever was: only the first ends the session.
 */
export function makeRefreshToken(key: string, sessionId: string): string {
  const body = Buffer.concat([parse(sessionId), randomBytes(SECRET_BYTES)]);
  return PREFIX + Buffer.concat([body, tagOf(key, body)]).toString("base64url");
}

/** The session that a token of ours was made for, or null. It says nothing of whether the token is still good. */
export function sessionOfRefreshToken(key: string, token: string): string | null {
  if (!token.startsWith(PREFIX)) return null;
  const bytes = Buffer.from(token.slice(PREFIX.length), "base64url");
  if (bytes.length !== ID_BYTES + SECRET_BYTES + TAG_BYTES) return null;
  const body = bytes.subarray(0, ID_BYTES + SECRET_BYTES);
  if (!timingSafeEqual(tagOf(key, body), bytes.subarray(body.length))) return null;
  return stringify(body.subarray(0, ID_BYTES));
}

/** What is stored of a token: it cannot be turned back, nor checked without the key. */
export const refreshTokenHash = (key: string, token: string): string =>
  keyedHash(key, "refresh token", token).toString("base64url");
