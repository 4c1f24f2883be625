import { createHash } from "node:crypto";

const TAG = /(?:W\/)?("[^"]*")/g;

/** Whether If-None-Match contains this strong tag (RFC 9110, section 13.1.2: weak comparison). */
export function noneMatchNames(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  if (header.trim() === "*") return true;
  return [...header.matchAll(TAG)].some(([, tag]) => tag === etag);
}

/** The strong tag of this content. */
export const contentEtag = (content: string): string =>
  `"${createHash("sha256").update(content).digest("base64url").slice(0, 27)}"`;

/**
 * The strong tag of a resource that also changes on its own, for example while it runs. `If-Match` compares its number
 * only: see `matchesVersion`.
 */
export const numberedEtag = (result: { revision?: number }): string =>
  `"${result.revision ?? 0}-${contentEtag(JSON.stringify(result)).slice(1)}`;
