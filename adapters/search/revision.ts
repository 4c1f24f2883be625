import { createHash } from "node:crypto";

/** Identifies a text. A vector belongs to the text that it was made from. */
export const revisionOf = (text: string): string => digest(text, 12);

/**
 * The first `bytes` bytes of SHA-256 over the parts, in hexadecimal. Parts are delimited, so different lists differ.
 */
export function digest(parts: string | readonly string[], bytes: number): string {
  const text = typeof parts === "string" ? parts : JSON.stringify(parts);
  return createHash("sha256")
    .update(text)
    .digest("hex")
    .slice(0, bytes * 2);
}
