import { type FieldModel, isRecord } from "./schema.ts";

/**
 * Text that a field could not read, such as JSON with a fault. It stays in the value, so that it is kept with the draft and
 * the check finds it.
 */
const UNREADABLE = "$unreadable";

/** Stands in the value while a file is uploaded, so that the answer waits for it. */
export const UPLOADING = "$uploading";

export const unreadable = (text: string): unknown => ({ [UNREADABLE]: text });
export const unreadableText = (value: unknown): string | undefined =>
  isRecord(value) && typeof value[UNREADABLE] === "string" ? value[UNREADABLE] : undefined;

/** What a field holds before anything is typed. Undefined for an empty one. */
export function initialOf(field: FieldModel): unknown {
  if (field.initial !== undefined) return structuredClone(field.initial);
  switch (field.kind) {
    case "boolean":
      // An empty box says no.
      return field.nullable ? null : false;
    case "object":
      return Object.fromEntries(
        field.properties
          .map(({ name, field: part }) => [name, initialOf(part)] as const)
          .filter(([, value]) => value !== undefined),
      );
    case "choice":
      // One option alone is a constant.
      return field.options.length === 1 ? field.options[0]!.value : undefined;
    default:
      return undefined;
  }
}

/** The object with one member set, or without it for undefined. */
export function withMember(object: unknown, name: string, value: unknown): Record<string, unknown> {
  const entries = isRecord(object) ? Object.entries(object) : [];
  if (value === undefined) return Object.fromEntries(entries.filter(([key]) => key !== name));
  // A member keeps its place. Entries, as `__proto__` is a name like any other.
  const known = entries.some(([key]) => key === name);
  const set = entries.map(([key, former]) => [key, key === name ? value : former] as const);
  return Object.fromEntries(known ? set : [...entries, [name, value]]);
}

export const memberOf = (object: unknown, name: string): unknown =>
  isRecord(object) && Object.hasOwn(object, name) ? object[name] : undefined;

/** A part of a JSON Pointer. */
export const pointerPart = (name: string | number): string =>
  `/${String(name).replaceAll("~", "~0").replaceAll("/", "~1")}`;

/** Whether a person has put anything in: neither empty fields nor lists without items count. */
export function hasContent(value: unknown): boolean {
  if (value === undefined || value === null || value === "") return false;
  if (Array.isArray(value)) return value.some(hasContent);
  return isRecord(value) ? Object.values(value).some(hasContent) : true;
}
