import { createHash, createHmac, timingSafeEqual } from "node:crypto";

/**
 * HMAC-SHA-256 with one of the service's own keys. `purpose` separates hashes for different purposes, like separate
 * keys.
 */
export const keyedHash = (key: string, purpose: string, data: Uint8Array | string): Buffer =>
  createHmac("sha256", key).update(`weft ${purpose}\0`).update(data).digest();

/** Compares digests of the same length in constant time, even if nothing is stored. */
export function isSameDigest(given: Buffer, stored: Buffer | undefined): boolean {
  const kept = stored ?? Buffer.alloc(given.length);
  const equal = kept.length === given.length && timingSafeEqual(given, kept);
  return equal && stored !== undefined;
}

const digest = (text: string): Buffer => createHash("sha256").update(text).digest();

/** Compares two texts. The time reveals neither where they differ nor how long the secret is. */
export const isSameSecret = (given: string, secret: string): boolean => isSameDigest(digest(given), digest(secret));
