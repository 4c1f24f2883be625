import { pointerToken } from "../../contracts/json-pointer.ts";

/** A place in a value where a text occurs. `pointer` is a JSON Pointer (RFC 6901). */
export interface Found {
  pointer: string;
  excerpt: string;
}

/** The characters of an excerpt before and after the match. */
const BEFORE = 40;
const BEHIND = 80;
/** The parts of a value that are visited between two pauses. */
const PARTS_AT_A_TIME = 2_000;
/** Deeper than any JSON that the API accepts. */
const MAX_DEPTH = 200;

const BROKEN_PAIR = /^[\udc00-\udfff]|[\ud800-\udbff]$/g;

function excerptOf(text: string, at: number, length: number): string {
  const from = Math.max(0, at - BEFORE);
  const to = Math.min(text.length, at + length + BEHIND);
  const cut = text.slice(from, to).replace(BROKEN_PAIR, "");
  return `${from > 0 ? "…" : ""}${cut}${to < text.length ? "…" : ""}`;
}

interface Level {
  value: object;
  pointer: string;
  /** The names of its members; null for a list. */
  keys: string[] | null;
  next: number;
}

const levelOf = (value: object, pointer: string): Level => ({
  value,
  pointer,
  keys: Array.isArray(value) ? null : Object.keys(value),
  next: 0,
});

/** The excerpt around the text in a part's value, or else in the part's name. */
function excerptIn(part: unknown, name: string | undefined, wanted: string): string | undefined {
  if (typeof part === "string" || typeof part === "number" || typeof part === "boolean") {
    const text = String(part);
    const at = text.toLowerCase().indexOf(wanted);
    if (at >= 0) return excerptOf(text, at, wanted.length);
  }
  return name?.toLowerCase().includes(wanted) ? excerptOf(name, 0, name.length) : undefined;
}

/**
 * The places where a text occurs, ignoring case: in texts, numbers and booleans, and in the names of members. Each
 * place is yielded once. A `null` in between is a pause, at which the caller may do other work or stop.
 *
 * @param wanted in lower case
 */
export function* findText(value: unknown, wanted: string): Generator<Found | null, void, undefined> {
  const levels = [levelOf([value], "")];
  for (let parts = 1, level = levels[0]; level; level = levels.at(-1)) {
    const { value: around, keys, next } = level;
    if (next === (keys ?? (around as unknown[])).length) {
      levels.pop();
      continue;
    }
    level.next++;
    const key = keys?.[next];
    const part = key === undefined ? (around as unknown[])[next] : (around as Record<string, unknown>)[key];
    const pointerOf = () => (levels.length === 1 ? "" : `${level.pointer}/${pointerToken(key ?? next)}`);
    const excerpt = excerptIn(part, key, wanted);
    if (excerpt !== undefined) yield { pointer: pointerOf(), excerpt };
    if (typeof part === "object" && part !== null && levels.length <= MAX_DEPTH)
      levels.push(levelOf(part, pointerOf()));
    if (parts++ % PARTS_AT_A_TIME === 0) yield null;
  }
}
