import { isUtf8 } from "node:buffer";
import { AppError } from "../../../contracts/errors.ts";
import { pointerToken } from "../../../contracts/json-pointer.ts";
import { duplicateKey } from "./duplicate-keys.ts";
import { afterString, QUOTE } from "./json-string.ts";

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

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null;

/** Every value inside a JSON value, with its JSON Pointer, without recursion. */
function* walk(root: unknown): Generator<{ value: unknown; path: string; key: string }> {
  const open = [{ value: root, path: "", key: "" }];
  for (let next = open.pop(); next; next = open.pop()) {
    yield next;
    if (!isObject(next.value)) continue;
    for (const [key, value] of Object.entries(next.value)) {
      open.push({ value, path: `${next.path}/${pointerToken(key)}`, key });
    }
  }
}

/** The path of a key that could change a prototype when code merges objects. */
function pollutingKey(root: unknown): string | undefined {
  for (const { key, path, value } of walk(root)) {
    if (key === "__proto__") return path;
    if (key === "constructor" && isObject(value) && Object.hasOwn(value, "prototype")) return `${path}/prototype`;
  }
  return undefined;
}

/** The path of a number that is too large for a double. It parses as infinity, which JSON cannot represent. */
function endlessNumber(root: unknown): string | undefined {
  for (const { path, value } of walk(root)) if (value === Infinity || value === -Infinity) return path;
  return undefined;
}

/** Only a text that contains one of these, or an escape that could spell one, is searched key by key. */
const SUSPICIOUS = /__proto__|constructor|\\u/;
/** Only a text with one of these can hold a number of more than 308 digits. */
const HUGE = /\d[eE]\+?\d{2}|\d{300}/;

/**
 * The value of a JSON text.
 * @throws {AppError} malformed_json, json_too_deep, or validation_failed when a key names a prototype, a key is
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
