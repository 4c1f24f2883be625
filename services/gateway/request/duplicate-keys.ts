import { pointerToken } from "../../../contracts/json-pointer.ts";
import { afterString, QUOTE } from "./json-string.ts";

const COLON = 0x3a;

/** The number of members of all objects in a valid JSON text: the number of colons outside of strings. */
function membersWritten(text: Buffer): number {
  let count = 0;
  for (let i = 0; i < text.length; i++) {
    const byte = text[i];
    if (byte === QUOTE) i = afterString(text, i);
    else if (byte === COLON) count++;
  }
  return count;
}

/** The number of members of all objects in a value, without recursion. */
function membersRead(root: unknown): number {
  let count = 0;
  const open = [root];
  while (open.length > 0) {
    const value = open.pop();
    if (typeof value !== "object" || value === null) continue;
    const inside: unknown[] = Array.isArray(value) ? value : Object.values(value);
    if (inside !== value) count += inside.length;
    for (const one of inside) if (typeof one === "object") open.push(one);
  }
  return count;
}

/** A string, with the colon after it if it is a key, or a bracket or comma. */
const TOKENS = /"[^"\\]*(?:\\.[^"\\]*)*"(\s*:)?|[{}[\],]/g;

interface Level {
  path: string;
  /** The keys of an object; null for an array. */
  keys: Set<string> | null;
  /** The key or index of the next value. */
  child: string;
}

const join = (path: string, key: string) => `${path}/${pointerToken(key)}`;

function firstDuplicate(text: string): string | undefined {
  const levels: Level[] = [];
  for (const [token, colon] of text.matchAll(TOKENS)) {
    const top = levels.at(-1);
    if (token === "{" || token === "[") {
      const path = top ? join(top.path, top.child) : "";
      levels.push({ path, keys: token === "{" ? new Set() : null, child: "0" });
    } else if (token === "}" || token === "]") levels.pop();
    else if (token === ",") {
      if (top && !top.keys) top.child = `${Number(top.child) + 1}`;
    } else if (colon !== undefined && top?.keys) {
      top.child = JSON.parse(token.slice(0, -colon.length)) as string;
      if (top.keys.has(top.child)) return join(top.path, top.child);
      top.keys.add(top.child);
    }
  }
  return undefined;
}

/**
 * The path of a key that occurs twice in one object of a JSON text, or undefined. JSON.parse silently keeps the last
 * one (RFC 8259, section 4, calls the behaviour unpredictable), so data would be lost unnoticed.
 */
export function duplicateKey(bytes: Buffer, text: string, value: unknown): string | undefined {
  // The search costs much more than counting, and hardly any text has a duplicate.
  return membersWritten(bytes) === membersRead(value) ? undefined : firstDuplicate(text);
}
