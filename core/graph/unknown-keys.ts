import { z } from "zod";
import { isObject } from "../json.ts";

/** A key that a schema does not know, with the keys that the schema knows at this place. */
export interface UnknownKey {
  path: PropertyKey[];
  known: string[];
}

/** The number of list items that are checked. It is enough for all faults that a check reports. */
const MAX_ITEMS = 500;

const wrapped = (schema: z.core.$ZodType): z.core.$ZodType | undefined =>
  (schema._zod.def as { innerType?: z.core.$ZodType }).innerType;

function ofObject({ shape, catchall }: z.core.$ZodObjectDef, value: Record<string, unknown>, path: PropertyKey[]) {
  const known = Object.keys(shape);
  // A loose object, or an object with a schema for further keys, accepts any key.
  const takesAny = catchall !== undefined && catchall._zod.def.type !== "never";
  return Object.entries(value).flatMap(([key, part]): UnknownKey[] => {
    if (Object.hasOwn(shape, key)) return unknownKeys(shape[key]!, part, [...path, key]);
    return takesAny ? [] : [{ path: [...path, key], known }];
  });
}

/**
 * The unknown keys of a value, for the matching option of a union. This is the option that the value's constant field
 * names, or else the option that knows most keys of the value.
 */
function ofUnion({ options }: z.core.$ZodUnionDef, value: unknown, path: PropertyKey[]): UnknownKey[] {
  const fits = options.filter(option => z.safeParse(option, value).success);
  const named = options.filter(option => isNamedBy(option, value));
  const chosen = fits.length > 0 ? fits : named.length > 0 ? named : options;
  const found = chosen.map(option => unknownKeys(option, value, path));
  return found.reduce((least, next) => (next.length < least.length ? next : least), found[0] ?? []);
}

/** Whether the value has the constants (`action: "search"`) of an option. */
function isNamedBy(option: z.core.$ZodType, value: unknown): boolean {
  if (!(option instanceof z.ZodObject) || !isObject(value)) return false;
  const constants = Object.entries(option.shape).filter(([, field]) => field instanceof z.ZodLiteral);
  return constants.length > 0 && constants.every(([key, field]) => z.safeParse(field as z.ZodType, value[key]).success);
}

/**
 * The keys of a value, at any depth, that a schema ignores. The schemas that check data ignore unknown keys on purpose,
 * because stored definitions have to keep running.
 */
export function unknownKeys(schema: z.core.$ZodType, value: unknown, path: PropertyKey[] = []): UnknownKey[] {
  if (typeof value !== "object" || value === null) return [];
  const def = schema._zod.def as z.core.$ZodTypes["_zod"]["def"];
  switch (def.type) {
    case "object":
      return isObject(value) ? ofObject(def, value, path) : [];
    case "union":
      return ofUnion(def, value, path);
    case "pipe":
      // One of the two is often a transformation, which has no keys.
      return [...unknownKeys(def.in, value, path), ...unknownKeys(def.out, value, path)];
    case "array":
      return Array.isArray(value)
        ? value.slice(0, MAX_ITEMS).flatMap((item, index) => unknownKeys(def.element, item, [...path, index]))
        : [];
    case "record":
      return Object.entries(value)
        .slice(0, MAX_ITEMS)
        .flatMap(([key, part]) => unknownKeys(def.valueType, part, [...path, key]));
    default: {
      const inner = wrapped(schema);
      return inner ? unknownKeys(inner, value, path) : [];
    }
  }
}

/** The top-level keys that a schema of objects knows. For a union, the keys of all options. */
export function knownKeys(schema: z.core.$ZodType): string[] {
  const def = schema._zod.def as z.core.$ZodTypes["_zod"]["def"];
  if (def.type === "object") return Object.keys(def.shape);
  if (def.type === "union") return [...new Set(def.options.flatMap(knownKeys))];
  if (def.type === "pipe") return [...new Set([def.in, def.out].flatMap(knownKeys))];
  const inner = wrapped(schema);
  return inner ? knownKeys(inner) : [];
}
