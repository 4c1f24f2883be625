const USUAL = "weft";
const ALLOWED = /^[a-z0-9_-]{1,64}$/i;

/** An address of Qdrant that no waiting makes good. Its message is one line, and repeats nothing of it. */
export class QdrantAddressError extends Error {
  override readonly name = "QdrantAddressError";
}

/**
 * What the names of collections begin with, by `?prefix=` of the address. Installations that share a server take one each, as
 * each removes entries that have no document of its own. QdrantAddressError.
 */
export function prefixOf({ searchParams }: URL): string {
  const { prefix = USUAL, ...others } = Object.fromEntries(searchParams);
  if (ALLOWED.test(prefix) && Object.keys(others).length === 0) return prefix;
  throw new QdrantAddressError(
    "QDRANT_URL: may end with ?prefix= and up to 64 letters, digits, _ or -, and nothing else",
  );
}
