import { createHash } from "node:crypto";

/** Names a text: vectors belong to the text that they were made from. */
export const revisionOf = (text: string): string => digest(text, 12);

/** The first `bytes` of SHA-256 over the parts, in hexadecimal; parts are never run together. */
export function digest(parts: string | readonly string[], bytes: number): string {
  const text = typeof parts === "string" ? parts : JSON.stringify(parts);
  return createHash("sha256")
    .update(text)
    .digest("hex")
    .slice(0, bytes * 2);
}
