import { pointerToken } from "../../contracts/json-pointer.ts";
import { afterString, QUOTE } from "./json-string.ts";

const COLON = 0x3a;

/** How many members all objects of a valid JSON text have, by its bytes: as many as colons outside of strings. */
function membersWritten(text: Buffer): number {
  let count = 0;
  for (let i = 0; i < text.length; i++) {
    const byte = text[i];
    if (byte === QUOTE) i = afterString(text, i);
    else if (byte === COLON) count++;
  }
  return count;
}

/** How many members all objects of a value have, without recursion. */
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

/** A string, with the colon behind it where it is a key, or a mark. */
const TOKENS = /"[^"\\]*(?:\\.[^"\\]*)*"(\s*:)?|[{}[\],]/g;

interface Level {
  path: string;
  /** Of an object; null in an array. */
  keys: Set<string> | null;
  /** What the next value in it is called. */
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
 * The path of a key that an object of a JSON text has twice, or undefined. JSON.parse keeps the last one and says nothing
 * (RFC 8259, section 4, calls what readers do with them unpredictable), so that something would be lost unnoticed.
 */
export function duplicateKey(bytes: Buffer, text: string, value: unknown): string | undefined {
  // Looking for it costs much more than counting does, and hardly any text has one.
  return membersWritten(bytes) === membersRead(value) ? undefined : firstDuplicate(text);
}
