import { isObject } from "../json.ts";

/** A value that is too large for the journal. It is stored as a file, and loaded when an expression needs it. */
export interface LargeRef {
  id: string;
  /** The length of the value's JSON in bytes. */
  size: number;
  sha256: string;
}

export interface LargeValue {
  $large: LargeRef;
}

const ID = /^[0-9a-f-]{36}$/;
/** Deeper than any JSON that the API accepts. */
const MAX_DEPTH = 200;
const MAX_FOUND = 10_000;

/** The only member of an object, if it has this name and contains an id. */
function namedBy(value: Record<string, unknown>, member: "$large" | "$file"): { id: string } | undefined {
  const inner = value[member];
  if (!isObject(inner) || typeof inner.id !== "string" || !ID.test(inner.id)) return undefined;
  return Object.keys(value).length === 1 ? { id: inner.id } : undefined;
}

/** The reference, if the value is one; undefined for all other values. */
export function largeOf(value: unknown): LargeRef | undefined {
  if (!isObject(value) || !namedBy(value, "$large")) return undefined;
  const { size, sha256 } = value.$large as Partial<LargeRef>;
  return typeof size === "number" && typeof sha256 === "string" ? (value.$large as LargeRef) : undefined;
}

/** The id of the file that a value refers to; undefined for all other values. */
export const fileOf = (value: unknown): string | undefined =>
  isObject(value) ? namedBy(value, "$file")?.id : undefined;

function walk(value: unknown, see: (value: Record<string, unknown>) => boolean, depth = 0): void {
  if (typeof value !== "object" || value === null || depth > MAX_DEPTH) return;
  if (Array.isArray(value)) for (const item of value) walk(item, see, depth + 1);
  else if (isObject(value) && !see(value)) {
    // A list of the values of an object of 100,000 keys takes several times longer.
    for (const key in value) walk(value[key], see, depth + 1);
  }
}

/** The large values that a value refers to. */
export function largeIn(value: unknown): LargeRef[] {
  const found = new Map<string, LargeRef>();
  walk(value, object => {
    const ref = largeOf(object);
    if (ref && found.size < MAX_FOUND) found.set(ref.id, ref);
    return ref !== undefined;
  });
  return [...found.values()];
}

/** The ids of the files and large values that a value refers to. */
export function storedIn(value: unknown, found = new Set<string>()): Set<string> {
  walk(value, object => {
    const named = namedBy(object, "$file") ?? namedBy(object, "$large");
    if (named && found.size < MAX_FOUND) found.add(named.id);
    return named !== undefined;
  });
  return found;
}

/** Replaces references by these large values. Parts without references are shared, not copied. */
export function withLarge(value: unknown, loaded: ReadonlyMap<string, unknown>, depth = 0): unknown {
  if (typeof value !== "object" || value === null || depth > MAX_DEPTH) return value;
  if (Array.isArray(value)) {
    const items = value.map(item => withLarge(item, loaded, depth + 1));
    return items.some((item, i) => item !== value[i]) ? items : value;
  }
  const ref = largeOf(value);
  if (ref) return loaded.has(ref.id) ? loaded.get(ref.id) : value;
  const entries = Object.entries(value).map(([key, item]) => [key, withLarge(item, loaded, depth + 1)] as const);
  if (entries.every(([key, item]) => item === (value as Record<string, unknown>)[key])) return value;
  return Object.fromEntries(entries);
}
