import { isRecord } from "../../data/json.ts";

/** The parts of a JSON Pointer. The pointer to the whole value, "", has none. */
export function partsOf(pointer: string): string[] {
  return pointer === ""
    ? []
    : pointer
        .slice(1)
        .split("/")
        .map(part => part.replaceAll("~1", "/").replaceAll("~0", "~"));
}

export const pointerOf = (parts: readonly (string | number)[]): string =>
  parts.map(part => `/${String(part).replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");

const hasPart = (value: unknown, part: string): value is Record<string, unknown> =>
  typeof value === "object" &&
  value !== null &&
  Object.hasOwn(value, part) &&
  !(Array.isArray(value) && part === "length");

/** The value at a pointer. Undefined if there is none. */
export function valueAt(value: unknown, pointer: string): unknown {
  return partsOf(pointer).reduce<unknown>((at, part) => (hasPart(at, part) ? at[part] : undefined), value);
}

function withPart(value: unknown, part: string, next: unknown): unknown {
  if (Array.isArray(value)) {
    const index = part === "-" ? value.length : Number(part);
    if (next === undefined) return value.filter((_, n) => n !== index);
    return index < value.length ? value.with(index, next) : [...(value as unknown[]), next];
  }
  const entries = Object.entries(isRecord(value) ? value : {});
  if (next === undefined) return Object.fromEntries(entries.filter(([key]) => key !== part));
  const known = entries.some(([key]) => key === part);
  // `fromEntries` defines `__proto__` as an ordinary field.
  return Object.fromEntries(
    known ? entries.map(([key, old]) => [key, key === part ? next : old]) : [...entries, [part, next]],
  );
}

/**
 * Sets the value at a pointer and returns a copy. Missing objects on the way are created. `undefined` removes the field
 * or the list item.
 */
export function withValueAt(value: unknown, pointer: string, next: unknown): unknown {
  const set = (at: unknown, [part, ...rest]: string[]): unknown => {
    if (part === undefined) return next;
    const inner = hasPart(at, part) ? at[part] : undefined;
    if (next === undefined && !hasPart(at, part)) return at;
    const made = set(inner, rest);
    return made === inner ? at : withPart(at, part, made);
  };
  return set(value, partsOf(pointer));
}
