import { timingSafeEqual } from "node:crypto";
import { parse, stringify } from "uuid";
import { keyedHash } from "./keyed-hash.ts";

const ID_BYTES = 16;
const TAG_BYTES = 32;
const PREFIX = "wfl_";

const tagOf = (key: string, purpose: string, id: Uint8Array) => keyedHash(key, `${purpose} link`, id);

/**
 * The token of a link: the id of a document, and a tag that only this service can create. The store contains nothing
 * that opens the link, and a worker can compute the same token again. The link becomes invalid with the document.
 */
export function makeLinkToken(key: string, purpose: string, id: string): string {
  const body = Buffer.from(parse(id));
  return PREFIX + Buffer.concat([body, tagOf(key, purpose, body)]).toString("base64url");
}

/** The id of the document in a token; null if this service did not create the token for this purpose. */
export function idOfLinkToken(key: string, purpose: string, token: string): string | null {
  if (!token.startsWith(PREFIX)) return null;
  const bytes = Buffer.from(token.slice(PREFIX.length), "base64url");
  // Only the canonical encoding is accepted, because decoding ignores characters that are not base64url.
  if (PREFIX + bytes.toString("base64url") !== token) return null;
  if (bytes.length !== ID_BYTES + TAG_BYTES) return null;
  const body = bytes.subarray(0, ID_BYTES);
  return timingSafeEqual(tagOf(key, purpose, body), bytes.subarray(ID_BYTES)) ? stringify(body) : null;
}
