import { timingSafeEqual } from "node:crypto";
import { parse, stringify } from "uuid";
import { keyedHash } from "../../service-kit/keyed-hash.ts";
import { publicUrl } from "../../service-kit/public-url.ts";

const ID_BYTES = 16;
const SECRET_BYTES = 32;
const PREFIX = "wfi_";

/** The part after the `#` is not sent to servers, so the token does not appear in their logs. */
const LINK = "/#invite=";

export const inviteLink = (token: string): string => publicUrl() + LINK + token;

const hashOf = (key: string, token: string): Buffer => keyedHash(key, "invite token", token);

/**
 * An invite's token and the hash to store. The token consists of the invite's id and a secret that only this service
 * can create. The secret is derived, so the worker that mails the invite needs no stored token. Invites of earlier
 * versions have random secrets.
 */
export function makeInviteToken(key: string, inviteId: string): { token: string; hash: string } {
  const body = Buffer.concat([parse(inviteId), keyedHash(key, "invite secret", inviteId)]);
  const token = PREFIX + body.toString("base64url");
  return { token, hash: hashOf(key, token).toString("base64url") };
}

/**
 * The id of the invite in a token, or null if the text is not a token. The caller still has to compare the token with
 * the hash.
 */
export function inviteOfToken(token: string): string | null {
  if (!token.startsWith(PREFIX)) return null;
  const bytes = Buffer.from(token.slice(PREFIX.length), "base64url");
  if (bytes.length !== ID_BYTES + SECRET_BYTES) return null;
  try {
    return stringify(bytes.subarray(0, ID_BYTES));
  } catch {
    return null;
  }
}

/** Compares in constant time. */
export const isInviteToken = (key: string, token: string, hash: string): boolean =>
  timingSafeEqual(hashOf(key, token), Buffer.from(hash, "base64url"));
