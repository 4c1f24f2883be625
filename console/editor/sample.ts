import { isRecord } from "../data/json.ts";
import type { Segment } from "./path.ts";

type Loose = Readonly<Record<string, unknown>>;
/** The most items of a list that are searched for keys. */
const MAX_ITEMS = 50;
const MAX_KEYS = 500;

const eachOf = (value: unknown): unknown[] => (Array.isArray(value) ? value.slice(0, MAX_ITEMS) : [value]);
const memberOf = (value: unknown, name: string): unknown[] =>
  isRecord(value) && Object.hasOwn(value, name) ? [value[name]] : [];

/** As in JSONata, a value that is not a list counts as a list of one item. */
function itemOf(value: unknown, index: number): unknown[] {
  if (!Array.isArray(value)) return index === 0 ? [value] : [];
  return index in value ? [value[index] as unknown] : [];
}

/** The values at a path of a sample. As in JSONata, a name applies to every item of a list. */
export function valuesAt(value: unknown, path: readonly Segment[]): unknown[] {
  let found: unknown[] = [value];
  for (const segment of path) {
    if (typeof segment === "number") {
      found = found.flatMap(one => itemOf(one, segment));
    } else if (typeof segment === "string") {
      found = found.flatMap(eachOf).flatMap(one => memberOf(one, segment));
    } else {
      found = found.flatMap(eachOf);
    }
  }
  return found;
}

/** The keys of the objects at a path, each with its first value. */
export function keysAt(value: unknown, path: readonly Segment[]): Map<string, unknown> {
  const keys = new Map<string, unknown>();
  for (const one of valuesAt(value, path).flatMap(eachOf)) {
    if (!isRecord(one)) continue;
    for (const [key, member] of Object.entries(one)) {
      if (keys.size >= MAX_KEYS) return keys;
      if (!keys.has(key)) keys.set(key, member);
    }
  }
  return keys;
}

/** Resolves a `$ref` to a definition of the same document. */
function followed(schema: unknown, root: unknown): unknown {
  const ref = isRecord(schema) ? schema.$ref : undefined;
  if (typeof ref !== "string" || !ref.startsWith("#/")) return schema;
  return ref
    .slice(2)
    .split("/")
    .reduce<unknown>((at, part) => (isRecord(at) ? at[part] : undefined), root);
}

const MAX_DEPTH = 20;

/** The schema and the branches of its unions. */
function branchesOf(schema: unknown, root: unknown, depth = 0): Loose[] {
  const one = followed(schema, root);
  if (!isRecord(one) || depth > MAX_DEPTH) return [];
  const unions = [one.anyOf, one.oneOf, one.allOf].flatMap(list => (Array.isArray(list) ? (list as unknown[]) : []));
  return [one, ...unions.flatMap(branch => branchesOf(branch, root, depth + 1))];
}

const itemsOf = (schema: Loose, root: unknown) => (isRecord(schema.items) ? branchesOf(schema.items, root) : []);
const andItems = (schemas: Loose[], root: unknown) => schemas.flatMap(one => [one, ...itemsOf(one, root)]);

/** The members that a schema declares at a path, each with its schema. */
export function declaredAt(root: unknown, path: readonly Segment[]): Map<string, Loose> {
  let found = branchesOf(root, root);
  for (const segment of path) {
    const within = andItems(found, root);
    found =
      typeof segment === "string"
        ? within.flatMap(one => (isRecord(one.properties) ? branchesOf(one.properties[segment], root) : []))
        : within;
  }
  const members = new Map<string, Loose>();
  for (const one of andItems(found, root)) {
    if (!isRecord(one.properties)) continue;
    for (const [name, member] of Object.entries(one.properties)) {
      if (!members.has(name) && isRecord(member)) members.set(name, member);
    }
  }
  return members;
}

/** A short text for a value, shown beside its name. */
export function briefly(value: unknown): string {
  if (Array.isArray(value)) return `[${value.length}]`;
  if (isRecord(value)) return `{${Object.keys(value).length}}`;
  const text = JSON.stringify(typeof value === "string" ? value.slice(0, 40) : value) ?? "";
  return text.length > 32 ? `${text.slice(0, 31)}…` : text;
}
