import { isRecord } from "../data/json.ts";
import type { FieldModel } from "./schema.ts";

/**
 * Holds text that a field could not read, such as invalid JSON. It is part of the value, so that the draft keeps it and
 * the check finds it.
 */
const UNREADABLE = "$unreadable";

/** Holds the place of a file during its upload, so that the answer waits for it. */
export const UPLOADING = "$uploading";

export const unreadable = (text: string): unknown => ({ [UNREADABLE]: text });
export const unreadableText = (value: unknown): string | undefined =>
  isRecord(value) && typeof value[UNREADABLE] === "string" ? value[UNREADABLE] : undefined;

/** The initial value of a field. Undefined if it starts empty. */
export function initialOf(field: FieldModel): unknown {
  if (field.initial !== undefined) return structuredClone(field.initial);
  switch (field.kind) {
    case "boolean":
      // An unchecked box means false.
      return field.nullable ? null : false;
    case "object":
      return Object.fromEntries(
        field.properties
          .map(({ name, field: part }) => [name, initialOf(part)] as const)
          .filter(([, value]) => value !== undefined),
      );
    case "choice":
      // A single option is a constant.
      return field.options.length === 1 ? field.options[0]!.value : undefined;
    default:
      return undefined;
  }
}

/** Sets one member of an object. Undefined removes it. */
export function withMember(object: unknown, name: string, value: unknown): Record<string, unknown> {
  const entries = isRecord(object) ? Object.entries(object) : [];
  if (value === undefined) return Object.fromEntries(entries.filter(([key]) => key !== name));
  // Members keep their order. `fromEntries` is used because `__proto__` is an ordinary name here.
  const known = entries.some(([key]) => key === name);
  const set = entries.map(([key, former]) => [key, key === name ? value : former] as const);
  return Object.fromEntries(known ? set : [...entries, [name, value]]);
}

export const memberOf = (object: unknown, name: string): unknown =>
  isRecord(object) && Object.hasOwn(object, name) ? object[name] : undefined;

/** A part of a JSON Pointer. */
export const pointerPart = (name: string | number): string =>
  `/${String(name).replaceAll("~", "~0").replaceAll("/", "~1")}`;

/** Whether the user entered anything. Empty fields and empty lists do not count. */
export function hasContent(value: unknown): boolean {
  if (value === undefined || value === null || value === "") return false;
  if (Array.isArray(value)) return value.some(hasContent);
  return isRecord(value) ? Object.values(value).some(hasContent) : true;
}
