import { createHash } from "node:crypto";
import { firstIdAt } from "../core/id-time.ts";

/**
 * A UUIDv7 of this time. The same time and text give the same id (RFC 9562, section 5.7, allows any value for its
 * random bits).
 */
export function derivedId(time: Date, text: string): string {
  const digits = createHash("sha256").update(text).digest("hex");
  const variant = ((parseInt(digits.charAt(3), 16) & 0x3) | 0x8).toString(16);
  return `${firstIdAt(time).slice(0, 14)}7${digits.slice(0, 3)}-${variant}${digits.slice(4, 7)}-${digits.slice(7, 19)}`;
}

/** The id of a tool of an MCP server. It is the same whenever the server offers a tool with this name. */
export const toolIdOf = ({ id, createdAt }: { id: string; createdAt: Date }, name: string): string =>
  derivedId(createdAt, `${id} ${name}`);
