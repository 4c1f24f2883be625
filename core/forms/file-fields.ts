import { isObject } from "../json.ts";
import { fileOf } from "../run/references.ts";

/**
 * What a question's form states about a file: `"x-weft": {"widget": "file", "types": ["image/*"], "maxBytes":
 * 1000000}`.
 */
export interface FileRules {
  /** The accepted media types, such as `image/png` or `image/*`. If none are given, all are accepted. */
  types: readonly string[];
  maxBytes: number;
}

/** A field for a file, with the value in an answer. */
export interface FilePlace {
  /** A JSON Pointer in the answer. */
  path: string;
  rules: FileRules;
  value: unknown;
}

const MAX_LEVEL = 20;
const MAX_PLACES = 100;

/** The rules of a schema that asks for a file; undefined for any other schema. */
export function fileRules(schema: unknown): FileRules | undefined {
  const hints = isObject(schema) ? schema["x-weft"] : undefined;
  if (!isObject(hints) || hints.widget !== "file") return undefined;
  const types = Array.isArray(hints.types) ? hints.types.filter(type => typeof type === "string") : [];
  return { types, maxBytes: typeof hints.maxBytes === "number" ? hints.maxBytes : Infinity };
}

/** The rules of all fields of a form that ask for a file. */
export function fileFields(schema: unknown, level = 0): FileRules[] {
  const own = fileRules(schema);
  if (own) return [own];
  if (!isObject(schema) || level > MAX_LEVEL) return [];
  const parts = isObject(schema.properties) ? Object.values(schema.properties) : [];
  return [...parts, schema.items].flatMap(part => fileFields(part, level + 1)).slice(0, MAX_PLACES);
}

const pointer = (name: string | number) => `/${String(name).replaceAll("~", "~0").replaceAll("/", "~1")}`;

/** The non-empty places of an answer where the form asks for a file. */
export function filePlaces(schema: unknown, value: unknown, path = "", level = 0): FilePlace[] {
  if (value === undefined || value === null || level > MAX_LEVEL) return [];
  const rules = fileRules(schema);
  if (rules) return [{ path, rules, value }];
  if (!isObject(schema)) return [];
  if (Array.isArray(value))
    return value.flatMap((item, n) => filePlaces(schema.items, item, path + pointer(n), level + 1));
  if (!isObject(value) || !isObject(schema.properties)) return [];
  return Object.entries(schema.properties).flatMap(([name, part]) =>
    Object.hasOwn(value, name) ? filePlaces(part, value[name], path + pointer(name), level + 1) : [],
  );
}

/** Whether the rules take a file of this media type. */
export function takesType({ types }: FileRules, given: string): boolean {
  const type = (given.split(";")[0] ?? "").trim().toLowerCase();
  return (
    types.length === 0 ||
    types.some(one => (one.endsWith("/*") ? type.startsWith(one.slice(0, -1)) : type === one.toLowerCase()))
  );
}

/** Replaces the files that a value names by id with these files. What a client says about a file is not trusted. */
export function withFiles(value: unknown, files: ReadonlyMap<string, unknown>): unknown {
  const id = fileOf(value);
  if (id !== undefined) return files.get(id) ?? value;
  if (Array.isArray(value)) return value.map(item => withFiles(item, files));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, withFiles(part, files)]));
}
