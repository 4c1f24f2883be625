import { randomBytes, timingSafeEqual } from "node:crypto";
import { keyedHash } from "../../mixins/keyed-hash.ts";

/** Tells a webhook's secret from other ones to whoever searches for leaked ones. */
const PREFIX = "wfh_";
const SECRET_BYTES = 32;

export const makeSecret = (): string => PREFIX + randomBytes(SECRET_BYTES).toString("base64url");

const hash = (key: string, secret: string) => keyedHash(key, "webhook secret", secret);

/** What is stored of a secret: it cannot be turned back, nor checked without the key. */
export const secretHash = (key: string, secret: string): string => hash(key, secret).toString("base64url");

/** In constant time, also where there is no webhook. */
export function isSecret(key: string, secret: string, stored: string | undefined): boolean {
  const given = hash(key, secret);
  const kept = stored === undefined ? Buffer.alloc(given.length) : Buffer.from(stored, "base64url");
  const equal = kept.length === given.length && timingSafeEqual(given, kept);
  return equal && stored !== undefined;
}
