import { isUtf8 } from "node:buffer";
import { AppError } from "../../../contracts/errors.ts";
import { jsonPointer } from "../../../contracts/json-pointer.ts";

export const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/**
 * The position after the string that begins at `start` in a JSON text. For an unterminated string, it is the end of the
 * text.
 */
export function afterString(text: Buffer, start: number): number {
  for (let end = text.indexOf(QUOTE, start + 1); end >= 0; end = text.indexOf(QUOTE, end + 1)) {
    let escapes = 0;
    while (text[end - 1 - escapes] === BACKSLASH) escapes++;
    if (escapes % 2 === 0) return end;
  }
  return text.length;
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null;

const COLON = 0x3a;

/** The number of members of all objects in a valid JSON text. It equals the number of colons outside of strings. */
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
    if (Array.isArray(value)) {
      for (const one of value) if (typeof one === "object") open.push(one);
    } else if (isObject(value)) {
      // Lists of the keys or values of an object of 100,000 keys take several times longer.
      for (const key in value) {
        count++;
        const one = value[key];
        if (typeof one === "object") open.push(one);
      }
    }
  }
  return count;
}

/** A string, with the colon after it if it is a key, or a bracket or comma. */
const TOKENS = /"[^"\\]*(?:\\.[^"\\]*)*"(\s*:)?|[{}[\],]/g;

interface Level {
  /** The keys of an object; null for an array. */
  keys: Set<string> | null;
  /** The key or index of the next value. */
  child: string | number;
}

function firstDuplicate(text: string): string | undefined {
  const levels: Level[] = [];
  for (const [token, colon] of text.matchAll(TOKENS)) {
    const top = levels.at(-1);
    if (token === "{") levels.push({ keys: new Set(), child: "" });
    else if (token === "[") levels.push({ keys: null, child: 0 });
    else if (token === "}" || token === "]") levels.pop();
    else if (token === ",") {
      if (top && !top.keys) top.child = Number(top.child) + 1;
    } else if (colon !== undefined && top?.keys) {
      const key = JSON.parse(token.slice(0, -colon.length)) as string;
      top.child = key;
      if (top.keys.has(key)) return jsonPointer(levels.map(({ child }) => child));
      top.keys.add(key);
    }
  }
  return undefined;
}

/**
 * The path of a key that occurs twice in one object of a JSON text; undefined if there is none. JSON.parse silently
 * keeps the last value (RFC 8259, section 4, calls this unpredictable), so data would be lost unnoticed.
 */
export function duplicateKey(bytes: Buffer, text: string, value: unknown): string | undefined {
  // The search costs much more than counting, and duplicates are rare, so counting comes first.
  return membersWritten(bytes) === membersRead(value) ? undefined : firstDuplicate(text);
}

export const MAX_DEPTH = 100;

const OPEN = new Set([0x5b, 0x7b]);
const CLOSE = new Set([0x5d, 0x7d]);

/**
 * Whether arrays and objects are nested deeper than this many levels. It reads the text before parsing, without
 * recursion.
 */
export function isDeeper(text: Buffer, maxDepth: number): boolean {
  // Every level takes at least a byte.
  if (text.length <= maxDepth) return false;
  let depth = 0;
  for (let i = 0; i < text.length; i++) {
    const byte = text[i]!;
    if (byte === QUOTE) i = afterString(text, i);
    else if (OPEN.has(byte)) {
      if (++depth > maxDepth) return true;
    } else if (CLOSE.has(byte)) depth--;
  }
  return false;
}

/** An open array or object, with the position of its next member. `keys` is null for an array. */
interface Opened {
  value: Record<string | number, unknown>;
  keys: string[] | null;
  length: number;
  next: number;
}

function opened(value: Record<string, unknown>): Opened {
  const keys = Array.isArray(value) ? null : Object.keys(value);
  return { value, keys, length: keys?.length ?? (value as unknown as unknown[]).length, next: 0 };
}

/**
 * The path of a member for which `isRefused` holds; undefined if all members are accepted. It uses no recursion, and
 * writes paths only at the end, because a body has hundreds of thousands of members.
 */
function refusedPath(root: unknown, isRefused: (key: string | number, value: unknown) => boolean): string | undefined {
  const levels = [opened({ "": root })];
  for (let level = levels.at(-1); level; level = levels.at(-1)) {
    if (level.next === level.length) {
      levels.pop();
      continue;
    }
    const key = level.keys?.[level.next] ?? level.next;
    level.next++;
    const member = level.value[key];
    if (isRefused(key, member))
      return jsonPointer(levels.slice(1).map(({ keys, next }) => keys?.[next - 1] ?? next - 1));
    if (isObject(member)) levels.push(opened(member));
  }
  return undefined;
}

/** The path of a key that could change a prototype when code merges objects. */
function pollutingKey(root: unknown): string | undefined {
  const isConstructor = (key: string | number, value: unknown) =>
    key === "constructor" && isObject(value) && Object.hasOwn(value, "prototype");
  const path = refusedPath(root, (key, value) => key === "__proto__" || isConstructor(key, value));
  return path?.endsWith("/constructor") ? `${path}/prototype` : path;
}

/** The path of a number that is too large for a double. It parses as infinity, which JSON cannot represent. */
const endlessNumber = (root: unknown): string | undefined =>
  refusedPath(root, (_, value) => value === Infinity || value === -Infinity);

/** Only a text that matches this, with a plain or escaped name, is searched key by key. */
const SUSPICIOUS = /__proto__|constructor|\\u/;
/** Only a text that matches this can contain a number of more than 308 digits. */
const HUGE = /\d[eE]\+?\d{2}|\d{300}/;

/**
 * The value of a JSON text.
 * @throws {AppError} malformed_json, json_too_deep, or validation_failed when a key could change a prototype, a key is
 * duplicate, or a number does not fit a double
 */
export function parseJson(bytes: Buffer): unknown {
  if (isDeeper(bytes, MAX_DEPTH)) {
    throw new AppError("json_too_deep", { detail: `The limit is ${MAX_DEPTH} levels.` });
  }
  if (!isUtf8(bytes)) throw new AppError("malformed_json", { detail: "The body is not UTF-8." });
  const text = bytes.toString("utf8");
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new AppError("malformed_json");
  }
  const path = SUSPICIOUS.test(text) ? pollutingKey(value) : undefined;
  if (path !== undefined) {
    throw new AppError("validation_failed", { errors: [{ path, message: "This key is not allowed" }] });
  }
  const twice = duplicateKey(bytes, text, value);
  if (twice !== undefined) {
    throw new AppError("validation_failed", { errors: [{ path: twice, message: "Given more than once" }] });
  }
  const huge = HUGE.test(text) ? endlessNumber(value) : undefined;
  if (huge !== undefined) {
    throw new AppError("validation_failed", { errors: [{ path: huge, message: "The number is too large" }] });
  }
  return value;
}
