const USUAL = "weft";
const ALLOWED = /^[a-z0-9_-]{1,64}$/i;

/**
 * An address of Qdrant that is invalid for good. The one-line message repeats no part of it, because it may hold a
 * secret.
 */
export class QdrantAddressError extends Error {
  override readonly name = "QdrantAddressError";
}

/**
 * The prefix of collection names, from the address's `?prefix=`. Installations that share a server need different
 * prefixes, because each removes entries without a document of its own.
 * @throws {QdrantAddressError} when the prefix is invalid, or the address has other parameters.
 */
export function prefixOf({ searchParams }: URL): string {
  const { prefix = USUAL, ...others } = Object.fromEntries(searchParams);
  if (ALLOWED.test(prefix) && Object.keys(others).length === 0) return prefix;
  throw new QdrantAddressError(
    "QDRANT_URL: may end with ?prefix= and up to 64 letters, digits, _ or -, and nothing else",
  );
}
