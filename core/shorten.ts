import { clip } from "./clip.ts";

/** The characters of a separator, a bracket or a short scalar. */
const LEAST = 4;

interface Left {
  chars: number;
  truncated: boolean;
}

function part(value: unknown, left: Left): unknown {
  if (typeof value === "string") {
    const kept = value.length <= left.chars ? value : clip(value, Math.max(left.chars, 1));
    if (kept !== value) left.truncated = true;
    left.chars -= kept.length + LEAST;
    return kept;
  }
  left.chars -= LEAST;
  if (typeof value !== "object" || value === null) return value;
  const isList = Array.isArray(value);
  const entries: [string, unknown][] = [];
  for (const key of Object.keys(value)) {
    if (left.chars <= 0) {
      left.truncated = true;
      break;
    }
    if (!isList) left.chars -= key.length + LEAST;
    entries.push([key, part((value as Record<string, unknown>)[key], left)]);
  }
  return isList ? entries.map(([, item]) => item) : Object.fromEntries(entries);
}

/** The beginning of a JSON value, of about `maxChars` characters as JSON. Small values are returned unchanged. */
export function shorten(value: unknown, maxChars: number): { value: unknown; truncated: boolean; chars: number } {
  const left: Left = { chars: maxChars, truncated: false };
  const short = part(value, left);
  return { value: left.truncated ? short : value, truncated: left.truncated, chars: maxChars - left.chars };
}
