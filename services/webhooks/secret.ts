import { randomBytes, timingSafeEqual } from "node:crypto";
import { keyedHash } from "../../service-kit/keyed-hash.ts";

/** Distinguishes a webhook's secret from other secrets, and lets secret scanners recognise leaked ones. */
const PREFIX = "wfh_";
const SECRET_BYTES = 32;

export const makeSecret = (): string => PREFIX + randomBytes(SECRET_BYTES).toString("base64url");

const hash = (key: string, secret: string) => keyedHash(key, "webhook secret", secret);

/** The stored hash of a secret. It cannot be reversed, and without the key it cannot be checked. */
export const secretHash = (key: string, secret: string): string => hash(key, secret).toString("base64url");

/** Compares in constant time, even when the webhook does not exist. */
export function isSecret(key: string, secret: string, stored: string | undefined): boolean {
  const given = hash(key, secret);
  const kept = stored === undefined ? Buffer.alloc(given.length) : Buffer.from(stored, "base64url");
  const equal = kept.length === given.length && timingSafeEqual(given, kept);
  return equal && stored !== undefined;
}
