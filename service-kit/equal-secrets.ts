import { createHash, timingSafeEqual } from "node:crypto";

/** Compares digests of one length in constant time, even when nothing is stored. */
export function isSameDigest(given: Buffer, stored: Buffer | undefined): boolean {
  const kept = stored ?? Buffer.alloc(given.length);
  const equal = kept.length === given.length && timingSafeEqual(given, kept);
  return equal && stored !== undefined;
}

const digest = (text: string): Buffer => createHash("sha256").update(text).digest();

/** Compares two texts in a time that tells nothing about where they differ, nor how long the secret is. */
export const isSameSecret = (given: string, secret: string): boolean => isSameDigest(digest(given), digest(secret));
