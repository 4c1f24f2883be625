import { isObject } from "../json.ts";
import { TextFinder } from "./find-texts.ts";

export const MASK = "•••";

/** Shorter values are not masked, because they occur in ordinary words and numbers. */
const MIN_LENGTH = 4;
/** Shorter pieces of base64 or of a line occur by chance. */
const MIN_PIECE = 10;
/** The nesting limit of JSON in the API, plus room for the structure around it. */
const MAX_DEPTH = 200;

const inJson = (text: string) => JSON.stringify(text).slice(1, -1);
const inForm = (text: string) => new URLSearchParams([["", text]]).toString().slice(1);
const inHtml = (text: string) =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
const lowerEscapes = (text: string) => text.replace(/%[0-9A-F]{2}/g, escape => escape.toLowerCase());
const isAscii = (text: string) => /^[\x20-\x7e]*$/.test(text);
const escapedUnicode = (text: string) =>
  text.replace(/[^\x20-\x7e]/g, char => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`);

/**
 * The base64 forms of a text: the whole text, and its appearance within the base64 of a longer text, whose start shifts
 * it by 0 to 2 bytes.
 */
function inBase64(text: string): string[] {
  const bytes = Buffer.from(text);
  const within = [0, 1, 2].map(shift => {
    const code = Buffer.concat([Buffer.alloc(shift), bytes])
      .toString("base64")
      .replace(/=+$/, "");
    const exact = Math.floor(((shift + bytes.length) * 8) / 6);
    return code.slice(shift === 0 ? 0 : shift + 1, exact);
  });
  const whole = bytes.toString("base64").replace(/=+$/, "");
  return [whole, ...within.filter(code => code.length >= MIN_PIECE)].flatMap(code => [
    code,
    code.replaceAll("+", "-").replaceAll("/", "_"),
    encodeURIComponent(code),
  ]);
}

function spellings(secret: string): string[] {
  const percent = encodeURIComponent(secret.toWellFormed());
  const form = inForm(secret);
  const lines = secret.split(/\r?\n/).filter(line => line.length >= 2 * MIN_PIECE);
  const plain = [secret, ...(lines.length > 1 ? lines : [])];
  return [
    ...plain.flatMap(text => [
      text,
      inJson(text),
      inJson(inJson(text)),
      ...(isAscii(text) ? [] : [escapedUnicode(text)]),
    ]),
    ...[percent, lowerEscapes(percent), encodeURIComponent(percent), form, lowerEscapes(form)],
    inHtml(secret),
    ...inBase64(secret),
    Buffer.from(secret).toString("hex"),
  ];
}

export type Mask = <T>(value: T) => T;

/**
 * Returns the function that replaces these secrets in any JSON value. It finds them in plain text, in JSON, in a URL,
 * in HTML, in base64 (also inside longer base64) and in hexadecimal. A value without a secret is returned by reference.
 */
export function maskerOf(secrets: Iterable<string>): Mask {
  const given = [...new Set(secrets)].filter(secret => secret.length >= MIN_LENGTH);
  if (given.length === 0) return value => value;
  const finder = new TextFinder([...new Set(given.flatMap(spellings))].filter(text => text.length >= MIN_LENGTH));
  const text = (value: string) => {
    let shown = "";
    let from = 0;
    for (const { start, end } of finder.spansIn(value)) {
      shown += value.slice(from, start) + MASK;
      from = end;
    }
    return from === 0 ? value : shown + value.slice(from);
  };

  const walk = (value: unknown, depth: number): unknown => {
    if (typeof value === "string") return text(value);
    if (typeof value === "number") return text(String(value)) === String(value) ? value : MASK;
    if (typeof value !== "object" || value === null) return value;
    if (depth > MAX_DEPTH) return MASK;
    if (Array.isArray(value)) {
      const items = value.map(item => walk(item, depth + 1));
      return items.some((item, at) => item !== value[at]) ? items : value;
    }
    if (!isObject(value)) return value;
    let changed = false;
    const entries = Object.entries(value).map(([key, part]) => {
      const entry = [text(key), walk(part, depth + 1)] as const;
      changed ||= entry[0] !== key || entry[1] !== part;
      return entry;
    });
    return changed ? Object.fromEntries(entries) : value;
  };
  return <T>(value: T) => walk(value, 0) as T;
}
