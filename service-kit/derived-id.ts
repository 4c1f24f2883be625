import { createHash } from "node:crypto";
import { firstIdAt } from "../core/id-time.ts";

/**
 * A UUIDv7 of this time that is the same for the same text (RFC 9562, section 5.7: its random bits may have any value).
 */
export function derivedId(time: Date, text: string): string {
  const digits = createHash("sha256").update(text).digest("hex");
  const variant = ((parseInt(digits.charAt(3), 16) & 0x3) | 0x8).toString(16);
  return `${firstIdAt(time).slice(0, 14)}7${digits.slice(0, 3)}-${variant}${digits.slice(4, 7)}-${digits.slice(7, 19)}`;
}

/** The id of a tool of an MCP server: the same whenever the server offers a tool with this name. */
export const toolIdOf = ({ id, createdAt }: { id: string; createdAt: Date }, name: string): string =>
  derivedId(createdAt, `${id} ${name}`);
