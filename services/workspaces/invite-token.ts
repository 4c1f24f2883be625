import { timingSafeEqual } from "node:crypto";
import { parse, stringify } from "uuid";
import { keyedHash } from "../../service-kit/keyed-hash.ts";
import { publicUrl } from "../../service-kit/public-url.ts";

const ID_BYTES = 16;
const SECRET_BYTES = 32;
const PREFIX = "wfi_";

/** After the `#`, servers and logs never see the token. */
const LINK = "/#invite=";

export const inviteLink = (token: string): string => publicUrl() + LINK + token;

const hashOf = (key: string, token: string): Buffer => keyedHash(key, "invite token", token);

/**
 * An invite's token, made of its id and a secret that only this service can make, and the hash to store. The secret is
 * derived, so that the worker that mails the invite needs no stored token. Invites of earlier versions have random ones.
 */
export function makeInviteToken(key: string, inviteId: string): { token: string; hash: string } {
  const body = Buffer.concat([parse(inviteId), keyedHash(key, "invite secret", inviteId)]);
  const token = PREFIX + body.toString("base64url");
  return { token, hash: hashOf(key, token).toString("base64url") };
}

/**
 * The invite that a token names, or null when the text is not a token. The token still has to be compared with the
 * hash.
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
